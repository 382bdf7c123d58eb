/**
 * Addresses that accounts had, and those that made an account an admin: `remembered_emails` has a keyed hash of each.
 */
import { and, eq, inArray, ne, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { holds, type Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { blocks, rememberedEmails } from "#app/accounts/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- who is barred depends on our cases
import { hasEvidence, hasUpheld, isSuspect } from "#app/moderation/cases/upheld-cases.server.ts";
import { accountKey } from "./devices.server.ts";

/** The ids of accounts. */
type Ids = string[] | SQLWrapper;

/** SQL: an account had the address, and has it no more. */
const WAS_HAD = inArray(rememberedEmails.kind, ["former", "deleted"]);

/** SQL: something about the deleted account with this id must be remembered. */
function isRemembered(userId: string | SQLWrapper, now: number): SQL {
  const isBlocked = hasRow(blocks, eq(blocks.blockedId, userId));
  return sql`(${hasEvidence(userId, now)} OR ${hasUpheld(userId)} OR ${isBlocked})`;
}

/** Remembers an account that is being deleted, if something about it is kept. Run it before its email is erased. */
export function rememberAccount(services: { passwordPepper: string }, userId: string, email: string, now: number) {
  return insertEach(
    rememberedEmails,
    { kind: "deleted", userId, emailHash: hashOf(email, services), createdAt: now },
    sql`WHERE ${isRemembered(userId, now)}`,
  );
}

/** The query of the deleted accounts of which something is kept. */
export function keptAccounts() {
  const { userId, kind } = rememberedEmails;
  return build.select({ userId }).from(rememberedEmails).where(eq(kind, "deleted"));
}

/** Forgets the addresses that these deleted accounts had, unless something about them must be remembered. */
export function forgetEmails(userIds: Ids, now: number): Statement {
  const { userId } = rememberedEmails;
  return build.delete(rememberedEmails).where(and(WAS_HAD, inArray(userId, userIds), not(isRemembered(userId, now))));
}

/** Remembers that an account left the address `from` for `to`. Run it with the change. */
export function rememberFormerEmail(
  services: { passwordPepper: string },
  userId: string,
  { from, to }: { from: string; to: string },
  now: number,
): Statement[] {
  const { kind, emailHash } = rememberedEmails;
  const isNew = and(eq(emailHash, hashOf(to, services)), eq(kind, "former"), eq(rememberedEmails.userId, userId));
  return [
    build
      .insert(rememberedEmails)
      .values({ kind: "former", emailHash: hashOf(from, services), userId, createdAt: now })
      .onConflictDoNothing(),
    build.delete(rememberedEmails).where(isNew),
  ];
}

/**
 * SQL: the other accounts that had this email: deleted ones, and those that changed it. `userId`: whose the email is or
 * becomes.
 */
function othersWith(services: { passwordPepper: string }, email: string, userId: string | null) {
  const isOther = sql`${rememberedEmails.userId} IS NOT ${userId}`;
  return build
    .select({ userId: rememberedEmails.userId })
    .from(rememberedEmails)
    .where(and(eq(rememberedEmails.emailHash, hashOf(email, services)), WAS_HAD, isOther));
}

/**
 * SQL: nobody but `userId` may use this email, because our team has to decide about an account that had it, or has
 * upheld a case against that account.
 */
export function barred(services: { passwordPepper: string }, email: string, userId: string | null): SQL {
  return isSuspect(othersWith(services, email, userId));
}

/** Whether `barred` holds. */
export async function isBarredEmail(
  services: { db: Database; passwordPepper: string },
  email: string,
  userId: string | null = null,
): Promise<boolean> {
  return holds(services.db, barred(services, email, userId));
}

/** Whoever had blocked an account with this email has also blocked the one that gets it now. Run it with that. */
export function keepBlocks(
  services: { passwordPepper: string },
  userId: string,
  email: string,
  now: number,
): Statement {
  const isTheirs = inArray(blocks.blockedId, othersWith(services, email, userId));
  return insertEach(
    blocks,
    { userId: blocks.userId, blockedId: userId, createdAt: now },
    sql`FROM ${blocks} WHERE ${and(isTheirs, ne(blocks.userId, userId))}`,
  ).onConflictDoNothing();
}

function hashOf(email: string, { passwordPepper }: { passwordPepper: string }): string {
  return accountKey(email, passwordPepper);
}
