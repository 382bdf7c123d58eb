import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import { queueEffect, queueEffects } from "#app/db/outbox.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- one statement tells many readers at their addresses
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { notifications, notificationSettings } from "./tables.server.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { waitOf } from "./delivery-rules.ts";
import { hasThing, type Kind, KINDS, type NamedListing, type Notification, thingOf } from "./kinds.ts";
import type { Mail } from "./mailer.ts";
import { gatherEach } from "./gather.server.ts";
import { queuePushes } from "#app/notifications/push/push-queue.server.ts";
import { isTold, type Party } from "./recipient-rules.ts";

/**
 * Statements that tell somebody, for the batch of the cause: they go after its guard. The key names the event and,
 * where an event has several, its reader. It tells once by each way, however often the cause is repeated. News of
 * listings is gathered first, and told as one message. `now` in ms.
 */
export function notify(reader: Party, notification: Notification, key: string, now: number): Statement[] {
  const { kind, data } = notification;
  if (!isTold(reader, KINDS[kind].about)) return [];
  const { gathering } = KINDS[kind];
  if (gathering !== null && "listings" in data)
    return data.listings.map((listing: NamedListing) => {
      const row = sql`SELECT ${reader.id} AS userId, ${JSON.stringify(listing)} AS data`;
      return gatherEach(kind, gathering, sql`FROM (${row}) AS told WHERE true`, now);
    });
  return tell(reader, notification, key, now);
}

/** Like `notify`, of what needs not be gathered any more. */
export function tell(reader: Party, notification: Notification, key: string, now: number): Statement[] {
  const { kind, data } = notification;
  const mail = { ...mailTo(reader, notification), reader: reader.id };
  return [
    ...(KINDS[kind].centre ? [centreRow(reader.id, notification, key, now)] : []),
    ...queueMail(kind, reader.id, mail, key, now),
    ...queuePushes(kind, sql`SELECT ${reader.id} AS userId, ${key} AS key, ${JSON.stringify(data)} AS data`, now),
  ];
}

function queueMail(kind: Kind, userId: string, mail: object, key: string, now: number): Statement[] {
  const waitMs = waitOf(kind, "email");
  if (waitMs === null) return [];
  const { traffic } = KINDS[kind];
  const asked = hasAsked(kind, sql`${userId}`);
  if (asked === undefined) return [queueEffect(key, mail, { topic: "mail", traffic, now, waitMs })];
  const row = sql`SELECT ${key} AS dedupeKey, ${JSON.stringify(mail)} AS payload WHERE ${asked}`;
  return [queueEffects(row, { topic: "mail", traffic, now, waitMs })];
}

/**
 * SQL on an account's id, for emails that leave only for those who ask: its owner did. Nothing is queued for the
 * others.
 */
function hasAsked(kind: Kind, userId: SQL): SQL | undefined {
  if (KINDS[kind].email !== "if asked") return undefined;
  const choice = `$."${KINDS[kind].group satisfies string}.email"`;
  return hasRow(
    notificationSettings,
    and(eq(notificationSettings.userId, userId), sql`${notificationSettings.choices} ->> ${choice}`),
  );
}

/**
 * What is written to an address, whoever has it now: a link that proves it, a warning of its change, a question or an
 * alarm to our team.
 */
type ToAddress = Extract<
  Notification,
  {
    kind:
      | "confirmation"
      | "student_check"
      | "welcome"
      | "password_reset"
      | "email_change"
      | "email_changed"
      | "team_question"
      | "alarm"
      | "test_email";
  }
>;

/**
 * Like `notify`, for an email that goes to this address, whichever the account has. `id`: the account, whose deletion
 * erases the email; null where it is about none.
 */
export function writeTo(
  to: Pick<Party, "email" | "name"> & { id: string | null },
  notification: ToAddress,
  key: string,
  now: number,
): Statement {
  const mail = { ...mailTo(to, notification), reader: to.id ?? undefined };
  return queueEffect(key, mail, { topic: "mail", traffic: KINDS[notification.kind].traffic, now });
}

/**
 * The same for an admin, whom it also reaches on the devices of the account that has the address. Only an admin's: an
 * address may have changed hands.
 */
export function writeToAdmin(email: string, notification: ToAddress, key: string, now: number): Statement[] {
  const { kind, data } = notification;
  const account = sql`SELECT ${credentials.id} AS userId, ${key} AS key, ${JSON.stringify(data)} AS data
    FROM ${credentials} JOIN ${profiles} ON ${eq(profiles.id, credentials.id)}
    WHERE ${and(eq(credentials.email, email), isNotNull(profiles.adminRole), isNull(credentials.suspendedAt))}`;
  return [writeTo({ id: null, email, name: "" }, notification, key, now), ...queuePushes(kind, account, now)];
}

function centreRow(userId: string, notification: Notification, key: string, now: number): Statement {
  const { kind, data } = notification;
  return build
    .insert(notifications)
    .values({ userId, kind, data, thing: thingOf(notification), key, createdAt: now })
    .onConflictDoNothing({ target: notifications.key });
}

function mailTo({ email, name }: Pick<Party, "email" | "name">, { kind, data }: Notification): Mail {
  return { to: email, template: kind, data: { name, ...data } } as Mail;
}

/**
 * Like `notify`, for each row of `rows`, a SELECT of `userId`, `key` (which names the event and the reader), `data`
 * (JSON) and, where the kind has one, `thing`. Three statements at most, however many readers there are. Of a kind that
 * is gathered, `userId` and `data`, which is one listing. `mail`: whether by email, too.
 */
export function notifyEach(kind: Kind, rows: SQL, now: number, { mail: isMailed = true } = {}): Statement[] {
  const { gathering } = KINDS[kind];
  const waitMs = isMailed ? waitOf(kind, "email") : null;
  const { traffic } = KINDS[kind];
  const key = sql`told.key`;
  const thing = hasThing(kind) ? sql`told.thing` : null;
  const isAboutUse = KINDS[kind].about === "use";
  const readers = sql`FROM (${rows}) AS told
    JOIN ${credentials} ON ${eq(credentials.id, sql`told.userId`)}
    LEFT JOIN ${profiles} ON ${eq(profiles.id, credentials.id)}
    WHERE ${and(isNull(profiles.deletedAt), isAboutUse ? isNull(credentials.suspendedAt) : undefined)}`;
  if (gathering !== null) return [gatherEach(kind, gathering, readers, now)];
  const mail = sql`json_object('to', ${credentials.email}, 'template', ${kind}, 'reader', told.userId,
    'data', json_set(told.data, '$.name', COALESCE(${profiles.fullName}, '')))`;
  const isAsked = hasAsked(kind, sql`told.userId`);
  const asked = isAsked ? sql`AND ${isAsked}` : sql``;
  return [
    ...(KINDS[kind].centre
      ? [
          insertEach(
            notifications,
            { userId: sql`told.userId`, kind, data: sql`told.data`, thing, key, createdAt: now },
            readers,
          ).onConflictDoNothing({ target: notifications.key }),
        ]
      : []),
    ...(waitMs === null
      ? []
      : [
          queueEffects(sql`SELECT ${key} AS dedupeKey, ${mail} AS payload ${readers} ${asked}`, {
            topic: "mail",
            traffic,
            now,
            waitMs,
          }),
        ]),
    ...queuePushes(kind, sql`SELECT told.userId, told.key, told.data ${readers}`, now),
  ];
}

/**
 * An email for each row of `rows`, a SELECT of `email`, `userId` (the account), `key` and `data` (JSON): to this
 * address, whichever the account has. Nothing is written about a deleted account.
 */
export function writeToEach(kind: Kind, rows: SQL, now: number): Statement {
  const mail = sql`json_object('to', told.email, 'template', ${kind}, 'reader', told.userId,
    'data', json_set(told.data, '$.name', COALESCE(${profiles.fullName}, '')))`;
  const readers = sql`FROM (${rows}) AS told LEFT JOIN ${profiles} ON ${eq(profiles.id, sql`told.userId`)}
    WHERE ${isNull(profiles.deletedAt)}`;
  const { traffic } = KINDS[kind];
  return queueEffects(sql`SELECT told.key AS dedupeKey, ${mail} AS payload ${readers}`, {
    topic: "mail",
    traffic,
    now,
  });
}

/**
 * Counts in the centre how many there are now, for each row of `rows`: the columns of `notifyEach`, and `count`. The
 * row of a key is new again when there are more; when there are fewer, nothing happens.
 */
export function notifyCount(kind: Kind, rows: SQL, now: number): Statement {
  const { count, data } = notifications;
  return insertEach(
    notifications,
    {
      userId: sql`told.userId`,
      kind,
      data: sql`told.data`,
      thing: sql`told.thing`,
      key: sql`told.key`,
      count: sql`told.count`,
      createdAt: now,
    },
    sql`FROM (${rows}) AS told WHERE told.count > 0`,
  ).onConflictDoUpdate({
    target: notifications.key,
    set: {
      count: sql`excluded.${sql.identifier(count.name)}`,
      data: sql`excluded.${sql.identifier(data.name)}`,
      readAt: null,
    },
    setWhere: sql`excluded.count > ${count}`,
  });
}

/** After the batch: the open pages of these people ask for the bell's count. Never fails. */
export async function tellNotified({ notifier }: { notifier: Notifier }, userIds: readonly string[]): Promise<void> {
  await Promise.all([...new Set(userIds)].map((userId) => notifier.send(userId, { type: "notifications" })));
}
