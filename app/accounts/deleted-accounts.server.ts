import { type SQL, sql } from "drizzle-orm";
import { rowOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE } from "#app/db/states/moderation.ts";
import { upheld } from "#app/db/upheld.ts";
import { DELETED_MESSAGE } from "./account-rules.ts";
import { accountKey } from "./devices.server.ts";

/** How long evidence stays after a decision, in ms: as long as the person can appeal (`APPEAL_DAYS`). */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** SQL: case `k` still needs its evidence: our team has to decide, or its decision can be appealed. */
function needsEvidence(now: number): SQL {
  return sql`(${stateIs("k.state", CASE.awaitsTeam)} OR ${stateIs("k.state", CASE.isDecided)} AND ${upheld("k")} AND k.decided_at > ${now - KEPT_MS})`;
}

/** SQL: the cases about the account with this id, and those that it reported. */
function casesOf(userId: SQL): SQL {
  return sql`SELECT id FROM moderation_cases WHERE reported_id = ${userId} UNION SELECT case_id FROM reports WHERE reporter_id = ${userId}`;
}

/**
 * Erases what these deleted accounts wrote and what only evidence needed: copies, reports and appeals. A case that waits for
 * our team or can be appealed keeps its part. The copies of paid items stay, because the buyer was promised them. Safe to
 * repeat.
 */
export function eraseEvidence(userIds: SQL, now: number): Statement[] {
  const ofPerson = sql`(c.owner_id IN (${userIds}) OR c.kind = 'talk' AND c.subject_id IN (SELECT id FROM reports WHERE reporter_id IN (${userIds})))`;
  return [
    sql`UPDATE copies AS c SET content = '{}', photos = '[]' WHERE c.id IN (SELECT c.id FROM copies c WHERE ${ofPerson} AND c.content <> '{}')
      AND NOT (c.kind = 'listing' AND EXISTS (SELECT 1 FROM order_items i WHERE i.product_id = c.subject_id AND i.copy_id = c.id AND i.paid_at IS NOT NULL))
      AND NOT EXISTS (SELECT 1 FROM moderation_cases k WHERE k.reported_id = c.owner_id AND ${needsEvidence(now)}
        AND (k.subject = c.kind AND k.subject_id = c.subject_id OR c.kind = 'talk' AND EXISTS (SELECT 1 FROM reports r WHERE r.id = c.subject_id AND r.case_id = k.id)))`,
    sql`UPDATE reports SET text = '' WHERE reporter_id IN (${userIds}) AND text <> ''
      AND NOT EXISTS (SELECT 1 FROM moderation_cases k WHERE k.id = reports.case_id AND ${needsEvidence(now)})`,
    sql`UPDATE moderation_cases AS k SET appeal = ${DELETED_MESSAGE} WHERE k.reported_id IN (${userIds}) AND k.appeal IS NOT NULL AND k.appeal <> ${DELETED_MESSAGE}
      AND NOT ${stateIs("k.state", CASE.awaitsTeam)}`,
  ];
}

/** SQL: something about the deleted account with this id must be remembered. */
function isRemembered(userId: SQL, now: number): SQL {
  return sql`(EXISTS (SELECT 1 FROM moderation_cases k WHERE k.id IN (${casesOf(userId)}) AND ${needsEvidence(now)})
    OR EXISTS (SELECT 1 FROM moderation_cases k WHERE k.reported_id = ${userId} AND ${upheld("k")})
    OR EXISTS (SELECT 1 FROM blocks b WHERE b.blocked_id = ${userId}))`;
}

/** Remembers an account that is being deleted, if something about it is kept. Run it before its email is erased. */
export function rememberAccount(services: { passwordPepper: string }, userId: string, email: string, now: number) {
  return sql`INSERT INTO deleted_accounts (user_id, email_hash, created_at)
    SELECT ${userId}, ${hashOf(email, services)}, ${now} WHERE ${isRemembered(sql`${userId}`, now)}`;
}

/** Forgets the earlier addresses of these deleted accounts, unless something about them must be remembered. */
export function forgetFormerEmails(userIds: SQL, now: number): Statement {
  return sql`DELETE FROM former_emails WHERE user_id IN (${userIds}) AND NOT ${isRemembered(sql`former_emails.user_id`, now)}`;
}

/** Erases the evidence that no case needs any more, and forgets the accounts of which nothing is kept. */
export async function sweepDeletedAccounts(store: Store): Promise<void> {
  const now = store.now();
  const deleted = sql`SELECT user_id FROM deleted_accounts`;
  await runBatch(store.db, [
    ...eraseEvidence(deleted, now),
    forgetFormerEmails(deleted, now),
    sql`DELETE FROM deleted_accounts WHERE NOT ${isRemembered(sql`deleted_accounts.user_id`, now)}`,
  ]);
}

/** Remembers that an account left the address `from` for `to`. Run it with the change. */
export function rememberFormerEmail(
  services: { passwordPepper: string },
  userId: string,
  { from, to }: { from: string; to: string },
  now: number,
): Statement[] {
  return [
    sql`INSERT INTO former_emails (email_hash, user_id, created_at) VALUES (${hashOf(from, services)}, ${userId}, ${now})
      ON CONFLICT DO NOTHING`,
    sql`DELETE FROM former_emails WHERE email_hash = ${hashOf(to, services)} AND user_id = ${userId}`,
  ];
}

/** SQL: the other accounts that had this email: deleted ones, and those that changed it. `userId`: whose the email is or becomes. */
function othersWith(services: { passwordPepper: string }, email: string, userId: string | null): SQL {
  const hash = hashOf(email, services);
  return sql`(SELECT user_id FROM deleted_accounts WHERE email_hash = ${hash}
    UNION SELECT user_id FROM former_emails WHERE email_hash = ${hash} AND user_id IS NOT ${userId})`;
}

/**
 * SQL: nobody but `userId` may use this email, because our team has to decide about an account that had it, or has upheld a
 * case against that account.
 */
export function barred(services: { passwordPepper: string }, email: string, userId: string | null): SQL {
  return sql`EXISTS (SELECT 1 FROM ${othersWith(services, email, userId)} d JOIN moderation_cases k ON k.reported_id = d.user_id
    WHERE ${stateIs("k.state", CASE.awaitsTeam)} OR ${upheld("k")})`;
}

/** Whether `barred` holds. */
export async function isBarredEmail(
  services: { db: Database; passwordPepper: string },
  email: string,
  userId: string | null = null,
): Promise<boolean> {
  const [found] = await runBatch(services.db, [sql`SELECT ${barred(services, email, userId)} AS barred`]);
  return rowOf<{ barred: number }>(found)?.barred === 1;
}

/** Whoever had blocked an account with this email has also blocked the one that gets it now. Run it with that. */
export function keepBlocks(
  services: { passwordPepper: string },
  userId: string,
  email: string,
  now: number,
): Statement {
  return sql`INSERT INTO blocks (user_id, blocked_id, created_at)
    SELECT DISTINCT b.user_id, ${userId}, ${now} FROM ${othersWith(services, email, userId)} d JOIN blocks b ON b.blocked_id = d.user_id
    WHERE b.user_id <> ${userId} ON CONFLICT DO NOTHING`;
}

function hashOf(email: string, { passwordPepper }: { passwordPepper: string }): string {
  return accountKey(email, passwordPepper);
}
