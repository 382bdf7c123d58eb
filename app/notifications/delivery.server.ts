import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { read } from "#app/db/batch.ts";
import { asBoolean, asJson, build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- nothing leaves for an account that was closed
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { notifications, notificationSettings, pushSubscriptions } from "./tables.server.ts";
import { decideDelivery, type Delivery, REACHED_WITHIN_MS } from "./delivery-rules.ts";
import { type Kind, KINDS, type Way } from "./kinds.ts";
import { isListening } from "./push/push-queue.server.ts";
import { readSettings, settingsColumns } from "./settings.server.ts";
import { isWanted } from "./settings-rules.ts";

/** Something that would leave Chuoni now. */
export interface Leaving {
  way: Way;
  kind: Kind;
  /** Of the notification. */
  key: string;
  /** The account; null for an address without one. */
  reader: string | null;
  /** When the meeting begins of which it is the reminder, ms since 1970. */
  remindsOf: number | null;
}

const newer = alias(notifications, "newer");

/** Of each of `asked`, a JSON list of { key, reader }. */
function findFacts(asked: readonly { key: string; reader: string }[], now: number) {
  const { userId, usedAt } = pushSubscriptions;
  const isInUse = gt(usedAt, now - REACHED_WITHIN_MS);
  const key = sql<string>`asked.value ->> 'key'`;
  const later = build
    .select({ kinds: sql`json_group_array(${newer.kind})` })
    .from(newer)
    .where(
      and(
        eq(newer.userId, notifications.userId),
        eq(newer.thing, notifications.thing),
        isNull(newer.readAt),
        gt(newer.id, notifications.id),
      ),
    );
  return build
    .select({
      key: key.as("asked_key"),
      email: credentials.email,
      isClosed: asBoolean(sql`${isNotNull(credentials.suspendedAt)}`),
      isDeleted: asBoolean(sql`${isNotNull(profiles.deletedAt)}`),
      isSeen: asBoolean(sql`${isNotNull(notifications.readAt)}`),
      hasDevice: asBoolean(hasRow(pushSubscriptions, and(eq(userId, credentials.id), isListening(now), isInUse))),
      later: asJson<Kind[]>(sql`${later}`),
      ...settingsColumns,
    })
    .from(sql`json_each(${JSON.stringify(asked)}) asked`)
    .innerJoin(credentials, eq(credentials.id, sql`asked.value ->> 'reader'`))
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .leftJoin(notifications, eq(notifications.key, key))
    .leftJoin(notificationSettings, eq(notificationSettings.userId, credentials.id));
}

/**
 * What to do with something that would leave. `email`: the account's address now; null where it goes to one without an
 * account.
 */
export type Decided = Delivery & { email: string | null };

/**
 * What to do with each of these, in order. At most one round trip. An account that is gone is told nothing.
 *
 * @param isPushing Whether devices are told at all
 */
export async function decideDeliveries<T extends Leaving>(
  { db, now }: Store,
  leaving: readonly T[],
  isPushing: boolean,
): Promise<[T, Decided][]> {
  const asked = leaving.flatMap(({ key, reader }) => (reader === null ? [] : [{ key, reader }]));
  const rows = asked.length === 0 ? [] : await read(db, findFacts(asked, now()));
  return leaving.map((one) => {
    const { way, kind, key, reader, remindsOf } = one;
    // An earlier release queued it. It fails by itself, and holds up no other.
    if (!(kind in KINDS)) return [one, { do: "send", email: null }];
    const row = rows.find((facts) => facts.key === key);
    const { choices, quiet } = readSettings(row);
    const delivery = decideDelivery({
      kind,
      way,
      account: reader === null ? null : (row ?? { isClosed: true, isDeleted: true }),
      isSeen: row?.isSeen ?? false,
      isReached: isPushing && (row?.hasDevice ?? false) && isWanted(kind, "push", choices),
      later: row?.later ?? [],
      isWanted: isWanted(kind, way, choices),
      quiet,
      remindsOf,
      now: now(),
    });
    return [one, { ...delivery, email: row?.email ?? null }];
  });
}
