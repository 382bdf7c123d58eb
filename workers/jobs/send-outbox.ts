import { renewLink } from "#app/accounts/login/email-tokens.server.ts";
import type { Logging, Store } from "#app/db/client.ts";
import {
  type ClaimedEffect,
  claimEffect,
  claimEffects,
  holdEmails,
  markEffectDone,
  markEffectFailed,
  postponeEffect,
  TRAFFIC,
  type Traffic,
} from "#app/db/outbox.ts";
import { type Decided, decideDeliveries, type Leaving } from "#app/notifications/delivery.server.ts";
import { remindsOf } from "#app/notifications/delivery-rules.ts";
import { type Gathered, type Kind, KINDS, type Notification } from "#app/notifications/kinds.ts";
import type { Mail, Mailer } from "#app/notifications/mailer.ts";
import type { PushSender } from "#app/notifications/push/push.ts";
import { type QueuedPush, sendToDevice } from "#app/notifications/push/push-queue.server.ts";
import { pushMessage } from "#app/screens/notifications/push-message.ts";
import { keepWaiting } from "#app/screens/notifications/keep-waiting.server.ts";
import { findTrue, type Telling } from "#app/screens/notifications/still-true.server.ts";
import { isOutOfDate, KEPT_MS, linkLifeOf, MailNotSent, pauseAfter, SOON_MS } from "#workers/mail/retry-rules.ts";

interface OutboxServices extends Store, Logging {
  /** Waits so many ms between two tries. */
  pause(ms: number): Promise<void>;
}

/** How many are sent at once. A worker may keep six connections open. */
const BATCH = 6;
/** How many of each traffic one run sends: each has its own pace, so that no flood of one holds up another. */
const PACE: Record<Traffic, number> = { security: 30, money: 30, messages: 30, news: 30 };
/** A run begins no other batch after so long, ms. The job has others to do, and the next run goes on. */
const RUN_MS = 30_000;
/** How long one worker may hold an entry before another may take it, ms. Longer than all its tries take. */
const LEASE_MS = 60_000;
/** Up to 3 tries, 1 second apart (docs/product-rules.md, "Toasts and times"). */
const TRIES = 3;
const TRY_PAUSE_MS = 1_000;

/** By which ways the entries leave. Without a sender for devices, pushes are dropped. */
export interface Senders {
  mailer: Mailer;
  push: PushSender | null;
}

/** Sends the entries that wait in the outbox and answers how many it claimed. */
export async function drainOutbox(services: OutboxServices, senders: Senders): Promise<number> {
  const left = { ...PACE };
  let taken = 0;
  for (const end = services.now() + RUN_MS; services.now() < end;) {
    const claimed = await claimEffects(services, BATCH, LEASE_MS, left);
    await sendClaimed(services, senders, claimed);
    taken += claimed.length;
    for (const { priority } of claimed) left[TRAFFIC[priority] ?? "news"] -= 1;
    if (claimed.length < BATCH) break;
  }
  return taken;
}

/** Sends the entry of this key, if it waits, and answers whether it was sent. */
export async function sendFromOutbox(services: OutboxServices, senders: Senders, dedupeKey: string): Promise<boolean> {
  const [sent] = await sendClaimed(services, senders, await claimEffect(services, LEASE_MS, dedupeKey));
  return sent === true;
}

/**
 * Sends each entry that is still needed now. Returns which were sent. If this stops, the lease ends and another run
 * goes on.
 */
async function sendClaimed(services: OutboxServices, senders: Senders, claimed: ClaimedEffect[]): Promise<boolean[]> {
  const leaving = claimed.map((entry) =>
    entry.topic === "push" ? leavingPush(services, senders, entry) : leavingMail(senders, entry),
  );
  const decided = await decideDeliveries(services, leaving, senders.push !== null);
  const found = await findTrue(
    services,
    decided.map(([one]) => one),
  );
  return Promise.all(decided.map(([one, delivery], at) => sendEntry(services, one, delivery, found[at] ?? null)));
}

/** An entry, and how it leaves. `send` is given what is still true, and the account's address now. */
interface LeavingEntry extends Leaving, Telling {
  entry: ClaimedEffect;
  send(data: object, email: string | null): Promise<void>;
}

function leavingMail({ mailer }: Senders, entry: ClaimedEffect): LeavingEntry {
  const mail = JSON.parse(entry.payload) as Mail;
  const { template: kind, reader = null } = mail;
  const { dedupeKey: key } = entry;
  const notification = { kind, data: mail.data } as Notification;
  // A link that proves an address, or a warning, goes where it was written to: the address may be what somebody has
  // just taken.
  const staysThere = KINDS[kind]?.traffic === "security";
  const send = (data: object, email: string | null) =>
    mailer.send({ ...mail, data, to: staysThere ? mail.to : (email ?? mail.to) } as Mail, key);
  return { entry, way: "email", kind, key, reader, notification, remindsOf: remindsOf(notification), send };
}

function leavingPush(services: OutboxServices, { push }: Senders, entry: ClaimedEffect): LeavingEntry {
  const queued = JSON.parse(entry.payload) as QueuedPush;
  const { kind, key, reader } = queued;
  const send = (data: object) => sendToDevice(services, push, queued, pushMessage({ kind, data } as Notification));
  return { entry, way: "push", kind, key, reader, notification: queued, remindsOf: remindsOf(queued), send };
}

function listingsOf(data: object | null): Gathered["listings"] {
  return (data as Partial<Gathered> | null)?.listings ?? [];
}

/** `data`: what is still true; null where nothing is. */
async function sendEntry(
  services: OutboxServices,
  leaving: LeavingEntry,
  delivery: Decided,
  data: object | null,
): Promise<boolean> {
  const { entry, kind, send } = leaving;
  if (delivery.do === "wait") {
    await postponeEffect(services, entry.id, delivery.until);
    return false;
  }
  // A push only comes beside the email.
  if (delivery.do !== "drop" && leaving.way === "email" && leaving.reader !== null)
    await keepWaiting(services, leaving.reader, listingsOf(leaving.notification.data), listingsOf(data));
  if (delivery.do === "drop" || data === null) {
    await markEffectDone(services, entry.id);
    return false;
  }
  try {
    if (isOutOfDate(kind, entry.createdAt, services.now())) {
      if (entry.attempts > 1 || !(await renewIn(services, kind, data))) {
        await markEffectFailed(services, entry.id, "out of date", null);
        return false;
      }
    }
    await inTries(services, () => send(data, delivery.email));
    await markEffectDone(services, entry.id);
    return true;
  } catch (error) {
    await noteFailure(services, entry, error);
    return false;
  }
}

/** Nobody has tried it, so only the queue has let its link grow old: the link lives anew. False where it has none. */
async function renewIn(services: OutboxServices, kind: Kind, data: object): Promise<boolean> {
  const lifeMs = linkLifeOf(kind);
  if (lifeMs === null || !("tokenId" in data) || typeof data.tokenId !== "string") return false;
  await renewLink(services, data.tokenId, lifeMs);
  return true;
}

async function noteFailure(services: OutboxServices, entry: ClaimedEffect, error: unknown): Promise<void> {
  const { fault, retryAfterMs } = error instanceof MailNotSent ? error : new MailNotSent("away", String(error));
  const pause = pauseAfter({ ...entry, fault, retryAfterMs, keptMs: KEPT_MS[entry.topic] }, services.now());
  services.log({
    event: pause === null ? "outbox_dead" : "outbox_retry",
    level: pause === null || fault === "refused" ? "error" : "info",
    id: entry.id,
    attempts: entry.attempts,
    error: String(error).slice(0, 200),
  });
  await markEffectFailed(services, entry.id, String(error), pause, fault);
  if (fault === "refused" && pause !== null) await holdEmails(services, pause);
}

async function inTries(services: OutboxServices, send: () => Promise<void>, left = TRIES): Promise<void> {
  try {
    await send();
  } catch (error) {
    const asked = error instanceof MailNotSent ? (error.retryAfterMs ?? 0) : 0;
    // Where the provider refuses, asking again at once would only use up the quota.
    const isRefused = error instanceof MailNotSent && error.fault !== "away";
    if (left <= 1 || isRefused || asked > SOON_MS) throw error;
    await services.pause(Math.max(TRY_PAUSE_MS, asked));
    await inTries(services, send, left - 1);
  }
}
