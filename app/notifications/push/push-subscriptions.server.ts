import { and, desc, eq, lt, ne, notExists, or, sql } from "drizzle-orm";
import { type Statement, write } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- nothing is told once its session has ended
import { credentials } from "#app/accounts/tables.server.ts";
import { pushSubscriptions } from "#app/notifications/tables.server.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import type { PushTarget } from "./push.ts";
import { isListening } from "./push-queue.server.ts";
import { MAX_DEVICES } from "./push-rules.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/**
 * The session of a browser that subscribes. `endsAt`: when it runs out unless the app is opened again, ms since 1970.
 */
export interface PushSession {
  id: string;
  userId: string;
  epoch: number;
  endsAt: number;
}

/**
 * Sends a person's notifications to this browser. If it told somebody else until now, it no longer does. A browser that
 * repeats what we know writes at most once an hour.
 */
export async function saveSubscription(
  { db, now }: Store,
  session: PushSession,
  target: PushTarget,
  deviceName: string,
): Promise<void> {
  const at = now();
  const known = {
    userId: session.userId,
    p256dh: target.p256dh,
    auth: target.auth,
    deviceName,
    sessionId: session.id,
    sessionEpoch: session.epoch,
  };
  const { userId, p256dh, auth, sessionId, sessionEpoch, usedAt } = pushSubscriptions;
  const kept = build
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(userId, session.userId))
    .orderBy(desc(usedAt), desc(pushSubscriptions.createdAt))
    .limit(MAX_DEVICES);
  await write(db, [
    build
      .insert(pushSubscriptions)
      .values({
        id: crypto.randomUUID(),
        endpoint: target.endpoint,
        ...known,
        endsAt: session.endsAt,
        createdAt: at,
        usedAt: at,
      })
      .onConflictDoUpdate({
        target: pushSubscriptions.endpoint,
        set: { ...known, endsAt: session.endsAt, usedAt: at },
        setWhere: or(
          ne(userId, session.userId),
          ne(p256dh, target.p256dh),
          ne(auth, target.auth),
          ne(sessionId, session.id),
          ne(sessionEpoch, session.epoch),
          lt(usedAt, at - HOUR_MS),
        ),
      }),
    // A browser has one subscription. What it had before is over.
    build.delete(pushSubscriptions).where(and(isOf(session), ne(pushSubscriptions.endpoint, target.endpoint))),
    build.delete(pushSubscriptions).where(and(eq(userId, session.userId), sql`${pushSubscriptions.id} NOT IN ${kept}`)),
  ]);
}

/**
 * The app was opened in a browser that this person has subscribed. Their subscription goes on with this session, and
 * nobody else's does. Writes at most once an hour. Returns whether they have it: it goes when its push service has
 * forgotten it.
 */
export async function renewSubscription({ db, now }: Store, session: PushSession, endpoint: string): Promise<boolean> {
  const { sessionId, sessionEpoch, usedAt } = pushSubscriptions;
  const isOwn = and(eq(pushSubscriptions.endpoint, endpoint), eq(pushSubscriptions.userId, session.userId));
  const { known } = await write(db, {
    renewed: build
      .update(pushSubscriptions)
      .set({ sessionId: session.id, sessionEpoch: session.epoch, endsAt: session.endsAt, usedAt: now() })
      .where(and(isOwn, or(ne(sessionId, session.id), ne(sessionEpoch, session.epoch), lt(usedAt, now() - HOUR_MS)))),
    known: build.select({ id: pushSubscriptions.id }).from(pushSubscriptions).where(isOwn),
  });
  return known.length > 0;
}

/** A session of a person goes on as another one of the same browser, and so does its subscription. */
export async function continueSubscription(
  { db }: Store,
  from: Pick<PushSession, "id" | "userId">,
  to: Pick<PushSession, "id" | "epoch">,
): Promise<void> {
  await write(db, [
    build.update(pushSubscriptions).set({ sessionId: to.id, sessionEpoch: to.epoch }).where(isOf(from)),
  ]);
}

/** A device that is told while the app is closed. Times in ms since 1970. */
export interface PushDevice {
  id: string;
  name: string;
  createdAt: number;
  usedAt: number;
  /** By which a browser knows that it is this device. */
  endpoint: string;
}

/** A person's devices, the one that was used last first. */
export function listDevices({ db, now }: Store, userId: string): Promise<PushDevice[]> {
  return db
    .select({
      id: pushSubscriptions.id,
      name: pushSubscriptions.deviceName,
      ...pick(pushSubscriptions, "createdAt", "usedAt", "endpoint"),
    })
    .from(pushSubscriptions)
    .innerJoin(credentials, eq(credentials.id, pushSubscriptions.userId))
    .where(and(eq(pushSubscriptions.userId, userId), isListening(now())))
    .orderBy(desc(pushSubscriptions.usedAt), desc(pushSubscriptions.createdAt));
}

/** Stops telling one of a person's devices. Safe to repeat. */
export async function removeDevice({ db }: Store, userId: string, deviceId: string): Promise<void> {
  await write(db, [
    build
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.id, deviceId), eq(pushSubscriptions.userId, userId))),
  ]);
}

/** For the end of a session: its browser is told nothing more. */
export function forgetSession(session: Pick<PushSession, "id" | "userId">): Statement {
  return build.delete(pushSubscriptions).where(isOf(session));
}

function isOf({ id, userId }: Pick<PushSession, "id" | "userId">) {
  return and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.sessionId, id));
}

/**
 * Deletes subscriptions whose session ended a day ago. Until then the app may be opened with the new session of
 * somebody who changed their password there. Returns how many.
 */
export async function sweepSubscriptions({ db, now }: Store): Promise<number> {
  const alive = build
    .select({ id: credentials.id })
    .from(credentials)
    .where(and(eq(credentials.id, pushSubscriptions.userId), isListening(now())));
  const { deleted } = await write(db, {
    deleted: build
      .delete(pushSubscriptions)
      .where(and(lt(pushSubscriptions.usedAt, now() - RETENTION.devices.keptMs), notExists(alive))),
  });
  return deleted.meta.changes;
}
