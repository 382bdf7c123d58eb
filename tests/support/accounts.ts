/** Helpers for tests of accounts: people with a password, and their rows. */
import { createHmac, scryptSync } from "node:crypto";
import { env } from "cloudflare:workers";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { db, makeUser, servicesAt } from "./fixtures.ts";

export const ORIGIN = "http://localhost:8787";
export const PASSWORD = "campus-demo";

/** A password hash with cheap parameters, because tests guess a lot. */
export function cheapHash(password = PASSWORD): string {
  const secret = createHmac("sha256", env.PASSWORD_PEPPER).update(password).digest();
  const salt = Buffer.from("0123456789abcdef");
  const key = scryptSync(secret, salt, 32, { N: 1024, r: 8, p: 1 });
  return ["scrypt", 1024, 8, 1, salt.toString("base64url"), key.toString("base64url")].join("$");
}

export interface Account {
  id: string;
  email: string;
}

export async function makeAccount(
  change: { confirmed?: boolean; suspended?: boolean; password?: string | null; name?: string; email?: string } = {},
): Promise<Account> {
  const id = await makeUser({ name: change.name });
  const email = change.email ?? `${id}@campus.test`;
  const password = change.password === undefined ? PASSWORD : change.password;
  await env.DB.prepare(
    "UPDATE credentials SET email = ?, password_hash = ?, email_confirmed_at = ?, suspended_at = ? WHERE id = ?",
  )
    .bind(
      email,
      password === null ? null : cheapHash(password),
      change.confirmed === false ? null : 1,
      change.suspended ? 1 : null,
      id,
    )
    .run();
  await write(db, afterVerifiedChanged(idList(id), Date.now()));
  return { id, email };
}

/** The account's row of `table`, by its column names. */
export async function readRow(
  table: "credentials" | "profiles",
  id: string,
): Promise<Record<string, string | number | null>> {
  const row = await env.DB.prepare(`SELECT * FROM ${table} WHERE id = ?`)
    .bind(id)
    .first<Record<string, string | number | null>>();
  if (!row) throw new Error(`no ${table} of ${id}`);
  return row;
}

/** The cookie of a new session. */
export async function sessionCookie(userId: string, epoch = 1): Promise<string> {
  const cookie = await servicesAt().sessions.start(new Request(ORIGIN), { userId, epoch });
  return cookie.split(";")[0] ?? "";
}

/** Whether a session's cookie is still valid, according to the server. */
export async function isAlive(cookie: string): Promise<boolean> {
  const response = await env.APP.fetch(`${ORIGIN}/api/mpesa/status/x`, { headers: { Cookie: cookie, Origin: ORIGIN } });
  return response.status !== 401;
}
