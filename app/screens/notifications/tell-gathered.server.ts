/**
 * Tells gathered news of listings: for each person and kind, one message of everything that waits and is still true.
 */
import { and, eq, gt, isNotNull, lte, ne, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import { expectOneChange, tryWrite, write } from "#app/db/batch.ts";
import { pick } from "#app/db/build.ts";
import type { Logging, Store } from "#app/db/client.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { gatheredNews, notificationSettings } from "#app/notifications/tables.server.ts";
import { nightEnd, SAME_LISTING_MS } from "#app/notifications/delivery-rules.ts";
import { dropGathered, settleGathered, type WaitingListing } from "#app/notifications/gather.server.ts";
import { type Kind, KINDS, type Notification } from "#app/notifications/kinds.ts";
import { tell, tellNotified } from "#app/notifications/notify.server.ts";
import { readSettings, settingsColumns } from "#app/notifications/settings.server.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { keepWaiting } from "./keep-waiting.server.ts";
import { findTrue } from "./still-true.server.ts";

/** How many messages one batch looks at, and how long a run begins new ones, ms. */
const AT_ONCE = 20;
const RUN_MS = 10_000;

type TellServices = Store & Logging & { notifier: Notifier };

/**
 * Tells what is due. Safe to run twice at once, and to be cut off, and one failure doesn't stop the others. Returns how
 * many people were told.
 */
export async function tellGathered(services: TellServices): Promise<number> {
  let told = 0;
  for (const end = services.now() + RUN_MS; services.now() < end;) {
    const due = await findDue(services);
    const done = await oneByOne(
      due,
      (row) => tellOne(services, row),
      ({ userId, kind }, error) =>
        services.log({ event: "gathered_news_failed", level: "error", userId, kind, error: String(error) }),
    );
    told += done.filter(Boolean).length;
    // What failed is due still.
    if (due.length < AT_ONCE || done.length === 0) break;
  }
  return told;
}

function findDue({ db, now }: Store) {
  return db
    .select({
      ...pick(gatheredNews, "userId", "kind", "count", "listings", "firstAt", "told"),
      reader: partyJson(sql`${gatheredNews.userId}`).mapWith(readParty),
      ...settingsColumns,
    })
    .from(gatheredNews)
    .leftJoin(notificationSettings, eq(notificationSettings.userId, gatheredNews.userId))
    .where(and(isNotNull(gatheredNews.dueAt), lte(gatheredNews.dueAt, now())))
    .orderBy(gatheredNews.dueAt)
    .limit(AT_ONCE);
}

type Due = Awaited<ReturnType<typeof findDue>>[number];

/** Returns whether this run told its reader. */
async function tellOne(services: TellServices, row: Due): Promise<boolean> {
  const now = services.now();
  const kind = row.kind as Kind;
  // An earlier release gathered it, and this one can't tell it.
  const gathering = kind in KINDS ? KINDS[kind].gathering : null;
  if (gathering === null) {
    await write(services.db, [dropGathered(row)]);
    return false;
  }
  const { quiet } = readSettings(row.choices === null ? undefined : row);
  const wakes = nightEnd(gathering, quiet, row.firstAt, now);
  if (wakes !== null) {
    await write(services.db, [settleGathered(row, { dueAt: wakes })]);
    return false;
  }
  const sorted = sortOut(
    Object.values(row.listings),
    await findTold(services, row),
    gathering.pauseMs > 0 ? now : null,
  );
  const unlisted = row.count - Object.keys(row.listings).length;
  const { ready, later } = sorted;
  const count = ready.length + (later.length === 0 ? unlisted : 0);
  const data = ready.length === 0 ? null : { count, listings: ready };
  const telling = data && { notification: { kind, data } as Notification, reader: row.userId };
  const [still = null] = telling ? await findTrue(services, [telling]) : [];
  const told = still as { listings: WaitingListing[] } | null;
  await keepWaiting(services, row.userId, ready, told?.listings ?? []);
  const notification = told && ({ kind, data: withoutTimes(told) } as Notification);
  const kept = Object.fromEntries(Object.entries(row.told).filter(([, at]) => at > now - SAME_LISTING_MS));
  const isDone = await tryWrite(services.db, [
    settleGathered(row, {
      count: later.length,
      listings: Object.fromEntries(later.map(({ listing }) => [listing.productId, listing])),
      dueAt: later.length === 0 ? null : Math.min(...later.map(({ until }) => until)),
      ...(notification && {
        toldAt: now,
        told: { ...kept, ...Object.fromEntries(listingsOf(notification).map(({ productId }) => [productId, now])) },
      }),
    }),
    expectOneChange(),
    ...(notification ? tell(row.reader, notification, `${kind}:${row.userId}:${now}`, now) : []),
  ]);
  if (!isDone || !notification) return false;
  await tellNotified(services, [row.userId]);
  return true;
}

/** When their reader was told of listings lately, by any kind, ms by their ids. */
async function findTold({ db, now }: Store, { userId, kind, told }: Due): Promise<Map<string, number>> {
  const others = await db
    .select({ told: gatheredNews.told })
    .from(gatheredNews)
    .where(
      and(
        eq(gatheredNews.userId, userId),
        ne(gatheredNews.kind, kind),
        gt(gatheredNews.toldAt, now() - SAME_LISTING_MS),
      ),
    );
  const times = new Map<string, number>();
  for (const one of [told, ...others.map((row) => row.told)])
    for (const [id, at] of Object.entries(one)) times.set(id, Math.max(at, times.get(id) ?? 0));
  return times;
}

/**
 * What can be told now, and what waits because its reader was told of the same listing a short while ago. What was told
 * since it came is dropped. Who wishes for a listing anew is told anew. `now`: null where nothing waits for that.
 */
function sortOut(listings: readonly WaitingListing[], told: Map<string, number>, now: number | null) {
  const ready: WaitingListing[] = [];
  const later: { listing: WaitingListing; until: number }[] = [];
  for (const listing of listings) {
    const toldAt = told.get(listing.productId) ?? null;
    const until = toldAt === null || (listing.since ?? 0) > toldAt ? 0 : toldAt + SAME_LISTING_MS;
    if (now === null || until <= now) ready.push(listing);
    else if (toldAt !== null && toldAt < listing.at) later.push({ listing, until });
  }
  return { ready, later };
}

function listingsOf({ data }: Notification) {
  return "listings" in data ? data.listings : [];
}

/** Without what only the waiting needs. Who is on a list keeps their place until the email has left. */
function withoutTimes<T extends { listings: WaitingListing[] }>(data: T) {
  return {
    ...data,
    listings: data.listings.map(({ at, since: _since, joinedAt, ...listing }) =>
      joinedAt === undefined ? listing : { ...listing, at, joinedAt },
    ),
  };
}
