import { createHash, createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { expectOneChange, type Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";

export type TokenPurpose = "confirmation" | "password_reset" | "email_change" | "email_undo";

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
  const id = crypto.randomUUID();
  const token = emailTokenOf(services.passwordPepper, id);
  const insert = sql`INSERT INTO email_tokens (id, token_hash, user_id, purpose, email, expires_at, created_at)
    VALUES (${id}, ${hashOf(token)}, ${input.userId}, ${input.purpose}, ${input.email ?? null}, ${now + input.lifeMs}, ${now})`;
  return { id, token, statements: [insert] };
}

/** The token of an id: 43 characters of base64url. Only somebody who knows `pepper` can compute it. */
export function emailTokenOf(pepper: string, id: string): string {
  return createHmac("sha256", pepper).update(`email-token:${id}`).digest("base64url");
}

/** Reads a token without using it up. For an invalid token, the answer doesn't tell whose it was. */
export async function findEmailToken(
  store: Store,
  input: { token: string; purpose: TokenPurpose },
): Promise<TokenReading> {
  if (!/^[\w-]{43}$/.test(input.token)) return { ok: false, code: "invalid" };
  const [row] = await store.db.all<
    EmailToken & { expiresAt: number; usedAt: number | null }
  >(sql`SELECT t.id, t.user_id AS userId, c.email, t.email AS newEmail, c.session_epoch AS sessionEpoch,
      t.expires_at AS expiresAt, t.used_at AS usedAt
    FROM email_tokens t JOIN credentials c ON c.id = t.user_id
    WHERE t.token_hash = ${hashOf(input.token)} AND t.purpose = ${input.purpose} AND c.suspended_at IS NULL`);
  if (!row) return { ok: false, code: "invalid" };
  if (row.usedAt !== null) return { ok: false, code: "used" };
  if (row.expiresAt <= store.now()) return { ok: false, code: "expired" };
  const { id, userId, email, newEmail, sessionEpoch } = row;
  return { ok: true, token: { id, userId, email, newEmail, sessionEpoch } };
}

/**
 * Statements that use up a token and the user's other tokens for the same purpose. They abort the batch
 * (PreconditionFailed) if the token was used or expired in the meantime, so put them first.
 */
export function spendEmailToken(store: Store, tokenId: string): Statement[] {
  const now = store.now();
  return [
    sql`UPDATE email_tokens SET used_at = ${now} WHERE id = ${tokenId} AND used_at IS NULL AND expires_at > ${now}`,
    expectOneChange(),
    sql`UPDATE email_tokens SET used_at = ${now} WHERE used_at IS NULL
      AND (user_id, purpose) = (SELECT user_id, purpose FROM email_tokens WHERE id = ${tokenId})`,
  ];
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
