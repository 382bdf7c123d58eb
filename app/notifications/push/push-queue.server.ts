/** Pushes in the outbox: queued with their cause, one for each device, and sent from there. */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Statement, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffects } from "#app/db/outbox.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- nothing is told once its session has ended
import { credentials } from "#app/accounts/tables.server.ts";
import { pushSubscriptions } from "#app/notifications/tables.server.ts";
import { waitOf } from "#app/notifications/delivery-rules.ts";
import { type Kind, KINDS, type Notification } from "#app/notifications/kinds.ts";
import type { PushMessage, PushSender } from "./push.ts";

/** A push as the outbox keeps it. */
export type QueuedPush = Notification & {
  /** Of the subscription. */
  device: string;
  /** The account. */
  reader: string;
  /** Of the notification. */
  key: string;
};

/**
 * For the batch of a cause: a push to each device of each reader in `rows`, a SELECT of `userId`, `key` and `data`
 * (JSON). Each device gets a key once. No statement where the kind is never pushed.
 */
export function queuePushes(kind: Kind, rows: SQL, now: number): Statement[] {
  const waitMs = waitOf(kind, "push");
  if (waitMs === null) return [];
  const push = sql`json_object('kind', ${kind}, 'data', json(told.data), 'device', ${pushSubscriptions.id},
    'reader', told.userId, 'key', told.key)`;
  const devices = sql`SELECT 'push:' || told.key || ':' || ${pushSubscriptions.id} AS dedupeKey, ${push} AS payload
    FROM (${rows}) AS told
    JOIN ${pushSubscriptions} ON ${eq(pushSubscriptions.userId, sql`told.userId`)}
    JOIN ${credentials} ON ${eq(credentials.id, pushSubscriptions.userId)}
    WHERE ${isListening(now)}`;
  return [queueEffects(devices, { topic: "push", traffic: KINDS[kind].traffic, now, waitMs })];
}

/**
 * Sends a message to a device of its reader that still listens. A browser that takes no more messages is forgotten.
 * Throws when the push service can't take it now.
 */
export async function sendToDevice(
  { db, now }: Store,
  sender: PushSender | null,
  { device, reader }: Pick<QueuedPush, "device" | "reader">,
  message: PushMessage,
): Promise<void> {
  if (sender === null) return;
  const { id, endpoint, p256dh, auth, userId } = pushSubscriptions;
  const [target] = await db
    .select({ endpoint, p256dh, auth })
    .from(pushSubscriptions)
    .innerJoin(credentials, eq(credentials.id, userId))
    // Somebody else may use the browser by now.
    .where(and(eq(id, device), eq(userId, reader), isListening(now())));
  if (!target || (await sender.send(target, message)) === "sent") return;
  await write(db, [build.delete(pushSubscriptions).where(and(eq(id, device), eq(endpoint, target.endpoint)))]);
}

/** SQL: the session in which a browser subscribed is still alive. Needs `credentials` of its person. */
export function isListening(now: number): SQL {
  return sql`(${and(
    eq(pushSubscriptions.sessionEpoch, credentials.sessionEpoch),
    isNull(credentials.suspendedAt),
    sql`${pushSubscriptions.endsAt} > ${now}`,
  )})`;
}
