/** A change of how somebody logs in or is paid can be undone for some days, by a link that its owner is emailed. */
import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { authenticators, credentials, emailTokens, passkeys, profiles } from "#app/accounts/tables.server.ts";
import type { UndoableKind } from "#app/notifications/kinds.ts";
import { notifyEach, writeToEach } from "#app/notifications/notify.server.ts";
import { UNDO_DAYS } from "./account-rules.ts";
import { newTokenId } from "./email-tokens.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How long the link works after a change, ms. A change within this time of the first one belongs to the same link. */
const UNDO_LIFE_MS = UNDO_DAYS * DAY_MS;
/** How long payouts wait after the email or a second step changed, where the M-Pesa number changes, too, ms. */
export const ACCESS_HOLD_MS = 3 * DAY_MS;

/** An account as it stood before a change: what a thief would change to get in, keep the owner out, or be paid. */
export interface AccountBefore {
  googleSubject: string | null;
  /** Links of before 1.1.0 don't have it. */
  issuerSubject?: string | null;
  phone: string | null;
  payingPhone: string | null;
  payoutsHeldUntil: number | null;
  isAdmin: boolean;
  app: Omit<typeof authenticators.$inferSelect, "userId" | "startedBy"> | null;
  passkeys: Omit<typeof passkeys.$inferSelect, "userId">[];
  /** The recovery codes that were left, and when they were made. */
  codes: { hashes: string[]; createdAt: number } | null;
}

export interface ChangeServices {
  now(): number;
  /** Null where nobody knows it: then no new link can be made. */
  passwordPepper: string | null;
}

export interface AccountChange {
  kind: UndoableKind;
  /** What its words need, as JSON. */
  data: SQL | Record<string, unknown>;
  /** Where this doesn't hold, nothing is told. It is asked before the change. */
  only?: SQL;
}

/**
 * Statements that tell an owner of a change and let them undo it. They go to the beginning of the batch of the change,
 * because they keep how the account stood before it. Each address that the account had within the days gets the email,
 * with a link of its own that undoes everything since the first change which that address was told of.
 */
export function tellAccountChange(services: ChangeServices, userId: string, change: AccountChange): Statement[] {
  const now = services.now();
  const { kind, data, only } = change;
  const key = `${kind}:${userId}:${now}`;
  const told = sql`json_set(${isSql(data) ? data : JSON.stringify(data)}, '$.at', ${now})`;
  const { email } = credentials;
  const isTold = only ?? sql`1`;
  const links = sql`SELECT ${emailTokens.email} AS email, ${userId} AS userId,
      ${key} || ':' || ${emailTokens.id} AS key,
      json_set(${told}, '$.undo', json_object('tokenId', ${emailTokens.id}, 'since', ${emailTokens.createdAt},
        'until', ${emailTokens.expiresAt})) AS data
    FROM ${emailTokens} WHERE ${isOpenUndo(userId, now)} AND ${isTold}`;
  // An email that was never confirmed has no link: whoever signed up with it may be somebody else.
  const without = sql`SELECT ${email} AS email, ${userId} AS userId, ${key} AS key,
      json_set(${told}, '$.undo', NULL) AS data
    FROM ${credentials} WHERE ${eq(credentials.id, userId)} AND ${isTold}
      AND NOT EXISTS (SELECT 1 FROM ${emailTokens}
        WHERE ${and(isOpenUndo(userId, now), eq(emailTokens.email, email))})`;
  const inApp = sql`SELECT ${userId} AS userId, ${key} AS key, json_set(${told}, '$.undo', NULL) AS data
    WHERE ${isTold}`;
  return [
    ...openUndo(services, userId, isTold),
    writeToEach(kind, sql`${links} UNION ALL ${without}`, now),
    ...notifyEach(kind, inApp, now, { mail: false }),
  ];
}

/** Keeps how the account stands now, unless its address has a link from a few days ago. Every such link lives on. */
function openUndo({ now: clock, passwordPepper }: ChangeServices, userId: string, only: SQL): Statement[] {
  const now = clock();
  if (passwordPepper === null) return [];
  const { id, tokenHash } = newTokenId(passwordPepper);
  const isJoined = and(isOpenUndo(userId, now), gt(emailTokens.createdAt, now - UNDO_LIFE_MS));
  return [
    insertEach(
      emailTokens,
      {
        id,
        tokenHash,
        userId,
        purpose: "account_undo",
        email: credentials.email,
        accountBefore: accountNow(userId),
        expiresAt: now + UNDO_LIFE_MS,
        createdAt: now,
      },
      sql`FROM ${credentials} LEFT JOIN ${profiles} ON ${eq(profiles.id, credentials.id)}
        WHERE ${and(eq(credentials.id, userId), isNotNull(credentials.emailConfirmedAt), only)} AND NOT EXISTS
          (SELECT 1 FROM ${emailTokens} WHERE ${and(isJoined, eq(emailTokens.email, credentials.email))})`,
    ),
    build
      .update(emailTokens)
      .set({ expiresAt: now + UNDO_LIFE_MS })
      .where(and(isJoined, only)),
  ];
}

/** SQL: a link that undoes what was changed in an account, and still works. */
export function isOpenUndo(userId: string, now: number): SQL {
  const { purpose, usedAt, expiresAt } = emailTokens;
  return sql`(${and(eq(emailTokens.userId, userId), eq(purpose, "account_undo"), isNull(usedAt), gt(expiresAt, now))})`;
}

/** SQL over `credentials` and `profiles`: an `AccountBefore`. */
function accountNow(userId: string): SQL {
  return sql`json_object(
    'googleSubject', ${credentials.googleSubject},
    'issuerSubject', ${credentials.issuerSubject},
    'phone', ${profiles.phone},
    'payingPhone', ${profiles.payingPhone},
    'payoutsHeldUntil', ${profiles.payoutsHeldUntil},
    'isAdmin', json(iif(${profiles.adminRole} IS NULL, 'false', 'true')),
    'app', json((SELECT json_object('secret', ${authenticators.secret}, 'confirmedAt', ${authenticators.confirmedAt},
      'lastPeriod', ${authenticators.lastPeriod}, 'createdAt', ${authenticators.createdAt})
      FROM ${authenticators} WHERE ${and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt))})),
    'passkeys', json((SELECT json_group_array(json_object('id', ${passkeys.id}, 'publicKey', ${passkeys.publicKey},
      'signCount', ${passkeys.signCount}, 'lastUsedAt', ${passkeys.lastUsedAt}, 'createdAt', ${passkeys.createdAt}))
      FROM ${passkeys} WHERE ${eq(passkeys.userId, userId)})),
    'codes', json(iif(${credentials.recoveryCodes} IS NULL, NULL,
      json_object('hashes', json(${credentials.recoveryCodes}), 'createdAt', ${credentials.recoveryCodesAt}))))`;
}

/**
 * For the batch in which the email or a second step changes: while payouts wait for a new M-Pesa number, they go on
 * waiting. And a number that changes within three days waits for their end.
 */
export function noteAccessChange(userId: string, now: number): Statement[] {
  const { payoutsHeldUntil } = profiles;
  const until = now + ACCESS_HOLD_MS;
  return [
    build.update(credentials).set({ accessChangedAt: now }).where(eq(credentials.id, userId)),
    build
      .update(profiles)
      .set({ payoutsHeldUntil: until })
      .where(and(eq(profiles.id, userId), gt(payoutsHeldUntil, now), sql`${payoutsHeldUntil} < ${until}`)),
  ];
}

function isSql(value: SQL | Record<string, unknown>): value is SQL {
  return "getSQL" in value;
}
