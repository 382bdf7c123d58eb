import { createHash, createHmac } from "node:crypto";
import { and, eq, gt, inArray, isNotNull, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import { type Statement, expectOneChange, expectThat, write } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, named, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials, emailTokens, profiles } from "#app/accounts/tables.server.ts";

export type TokenPurpose = (typeof emailTokens.$inferSelect)["purpose"];

/** The token of a link in an email. It works once, until it expires. */
export interface EmailToken {
  id: string;
  userId: string;
  /** The account's address now. */
  email: string;
  /** The address that the link sets; null for a link that sets none. */
  newEmail: string | null;
  /** For the session that starts with it. */
  sessionEpoch: number;
  /** When it was issued, ms since 1970. */
  createdAt: number;
}

export type TokenReading = { ok: true; token: EmailToken } | { ok: false; code: "invalid" | "expired" | "used" };

interface TokenServices extends Store {
  passwordPepper: string;
}

/**
 * A new single-use token, valid for `lifeMs`. Run `statements` in the batch that queues the email, and put `id` into
 * the email's data. The database holds only the token's SHA-256; the mailer computes the token again from the id.
 */
export function issueEmailToken(
  services: TokenServices,
  input: { userId: string; purpose: TokenPurpose; lifeMs: number; email?: string },
): { id: string; token: string; statements: Statement[] } {
  const now = services.now();
  const { id, token, tokenHash } = newTokenId(services.passwordPepper);
  const { lifeMs, ...link } = input;
  const insert = build.insert(emailTokens).values({ id, tokenHash, ...link, expiresAt: now + lifeMs, createdAt: now });
  return { id, token, statements: [insert] };
}

/** What a new row of `email_tokens` is made of. */
export function newTokenId(pepper: string): { id: string; token: string; tokenHash: string } {
  const id = crypto.randomUUID();
  const token = emailTokenOf(pepper, id);
  return { id, token, tokenHash: hashOf(token) };
}

/** The token of an id: 43 characters of base64url. Only somebody who knows `pepper` can compute it. */
export function emailTokenOf(pepper: string, id: string): string {
  return createHmac("sha256", pepper).update(`email-token:${id}`).digest("base64url");
}

/**
 * Aborts the batch unless the account still has the address that its link goes to. Otherwise somebody who changes the
 * address at the same moment would get a link that speaks for the new one.
 */
export function expectAddress({ userId, email }: { userId: string; email: string }): Statement {
  return expectThat(hasRow(credentials, and(eq(credentials.id, userId), eq(credentials.email, email))));
}

/** Reads a token without using it up. For an invalid token, the answer doesn't tell whose it was. */
export async function findEmailToken(
  store: Store,
  input: { token: string; purpose: TokenPurpose },
): Promise<TokenReading> {
  if (!/^[\w-]{43}$/.test(input.token)) return { ok: false, code: "invalid" };
  const [row] = await store.db
    .select({
      id: emailTokens.id,
      userId: emailTokens.userId,
      email: credentials.email,
      newEmail: emailTokens.email,
      sessionEpoch: credentials.sessionEpoch,
      expiresAt: emailTokens.expiresAt,
      usedAt: emailTokens.usedAt,
      createdAt: emailTokens.createdAt,
    })
    .from(emailTokens)
    .innerJoin(credentials, eq(credentials.id, emailTokens.userId))
    .where(
      and(
        eq(emailTokens.tokenHash, hashOf(input.token)),
        eq(emailTokens.purpose, input.purpose),
        isNull(credentials.suspendedAt),
      ),
    );
  if (!row) return { ok: false, code: "invalid" };
  if (row.usedAt !== null) return { ok: false, code: "used" };
  if (row.expiresAt <= store.now()) return { ok: false, code: "expired" };
  const { id, userId, email, newEmail, sessionEpoch, createdAt } = row;
  return { ok: true, token: { id, userId, email, newEmail, sessionEpoch, createdAt } };
}

/** SQL: a used link has set the address that its account has now. `token` as in its email. */
export function hasSetAddress(userId: string, token: string): SQL {
  const { tokenHash, purpose, usedAt, email } = emailTokens;
  const isIt = and(eq(emailTokens.userId, userId), eq(tokenHash, hashOf(token)), eq(purpose, "email_change"));
  const has = hasRow(credentials, and(eq(credentials.id, userId), sql`${credentials.email} = ${email}`));
  return hasRow(emailTokens, and(isIt, isNotNull(usedAt), has));
}

/**
 * A link that undoes what was changed in an account. It works for a suspended one, too: its money must not go to a
 * thief.
 */
export interface UndoToken extends EmailToken {
  newEmail: string;
  /** JSON. */
  accountBefore: string;
  isSuspended: boolean;
  /** The account's name. */
  name: string;
}

/** Reads such a link without using it up; null for one that is over. */
export async function findUndoToken(store: Store, token: string): Promise<UndoToken | null> {
  const [row] = await store.db
    .select({
      ...pick(emailTokens, "id", "userId", "accountBefore", "createdAt"),
      ...named({ newEmail: emailTokens.email }),
      ...pick(credentials, "email", "sessionEpoch"),
      isSuspended: asBoolean(isNotNull(credentials.suspendedAt)),
      name: sql<string>`COALESCE(${profiles.fullName}, '')`,
    })
    .from(emailTokens)
    .innerJoin(credentials, eq(credentials.id, emailTokens.userId))
    .leftJoin(profiles, eq(profiles.id, emailTokens.userId))
    .where(
      and(
        eq(emailTokens.tokenHash, hashOf(token)),
        eq(emailTokens.purpose, "account_undo"),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, store.now()),
      ),
    );
  if (!row || row.newEmail === null || row.accountBefore === null) return null;
  return { ...row, newEmail: row.newEmail, accountBefore: row.accountBefore };
}

/**
 * Statements that use up a token and the user's other tokens for the same purpose. They abort the batch
 * (PreconditionFailed) if the token was used or expired in the meantime, so put them first.
 */
export function spendEmailToken(store: Store, tokenId: string): Statement[] {
  const now = store.now();
  const spent = build
    .select({ userId: emailTokens.userId, purpose: emailTokens.purpose })
    .from(emailTokens)
    .where(eq(emailTokens.id, tokenId));
  const isAlike = sql`(${emailTokens.userId}, ${emailTokens.purpose}) = ${spent}`;
  return [
    ...spendOne(tokenId, now),
    build
      .update(emailTokens)
      .set({ usedAt: now })
      .where(and(isNull(emailTokens.usedAt), isAlike)),
  ];
}

/**
 * Like `spendEmailToken`, for a link that undoes what was changed since: uses up all links of its user but the older
 * ways back. Whoever took the account has a way back to each address that they set since, and must not end the owner's
 * with it.
 */
export function spendUndoToken(store: Store, { id, userId, createdAt }: EmailToken): Statement[] {
  const now = store.now();
  const isOlderWayBack = sql`(${and(eq(emailTokens.purpose, "account_undo"), lt(emailTokens.createdAt, createdAt))})`;
  return [
    ...spendOne(id, now),
    build
      .update(emailTokens)
      .set({ usedAt: now })
      .where(and(eq(emailTokens.userId, userId), isNull(emailTokens.usedAt), not(isOlderWayBack))),
  ];
}

function spendOne(tokenId: string, now: number): Statement[] {
  return [
    build
      .update(emailTokens)
      .set({ usedAt: now })
      .where(and(eq(emailTokens.id, tokenId), isNull(emailTokens.usedAt), gt(emailTokens.expiresAt, now))),
    expectOneChange(),
  ];
}

/** The life of a link (ms) begins when its email leaves: it waited behind others. A used one stays used. */
export async function renewLink({ db, now }: Store, tokenId: string, lifeMs: number): Promise<void> {
  await write(db, [
    build
      .update(emailTokens)
      .set({ expiresAt: sql`MAX(${emailTokens.expiresAt}, ${now() + lifeMs})` })
      .where(and(eq(emailTokens.id, tokenId), isNull(emailTokens.usedAt))),
  ]);
}

/** Uses up the links of a user: all, or those for some purposes. */
export function spendLinksOf(userId: string, now: number, purposes?: TokenPurpose[]): Statement {
  return build
    .update(emailTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailTokens.userId, userId),
        isNull(emailTokens.usedAt),
        purposes && inArray(emailTokens.purpose, purposes),
      ),
    );
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
