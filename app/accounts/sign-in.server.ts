import { eq, sql } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";
import { credentials, profiles } from "#app/db/schema.ts";
import { PASSWORD_MAX_LENGTH, verifyPassword } from "./passwords.server.ts";
import { normaliseEmail, SIGN_IN_PAUSE_MS, SIGN_IN_TRIES } from "./rules.ts";

export type SignInResult =
  | { ok: true; userId: string; epoch: number; profileComplete: boolean }
  | { ok: false; code: "invalid" | "not_confirmed" | "busy" };

export interface SignInServices extends Store {
  passwordPepper: string;
  /** Lower-case addresses whose accounts are admin. */
  adminEmails: string[];
}

/**
 * Checks e-mail and password. Whether an address is registered cannot be told from the answer or its timing; only someone who
 * knows the password learns that it is unconfirmed. After ten wrong passwords in a row the account rests for 15 minutes.
 */
export async function signIn(services: SignInServices, input: { email: string; password: string }): Promise<SignInResult> {
  const now = services.now();
  const email = normaliseEmail(input.email);
  if (input.password.length > PASSWORD_MAX_LENGTH) return { ok: false, code: "invalid" };
  const [account] = await services.db.select().from(credentials).where(eq(credentials.email, email));
  if (account?.lockedUntil && account.lockedUntil > now) return { ok: false, code: "busy" };

  const matches = await verifyPassword(input.password, services.passwordPepper, account?.passwordHash ?? null);
  if (!account) return { ok: false, code: "invalid" };
  if (!matches) {
    await countFailure(services, account.id);
    return { ok: false, code: "invalid" };
  }
  if (account.suspendedAt !== null) return { ok: false, code: "invalid" };
  if (account.emailConfirmedAt === null) return { ok: false, code: "not_confirmed" };

  await services.db.update(credentials).set({ failedSignIns: 0, lockedUntil: null, updatedAt: now }).where(eq(credentials.id, account.id));
  if (services.adminEmails.includes(email)) {
    await services.db.update(profiles).set({ isAdmin: true }).where(eq(profiles.id, account.id));
  }
  return { ok: true, userId: account.id, epoch: account.sessionEpoch, profileComplete: await hasCompleteProfile(services, account.id) };
}

async function countFailure(services: Store, userId: string): Promise<void> {
  await services.db.run(sql`UPDATE credentials SET
      locked_until = CASE WHEN failed_sign_ins + 1 >= ${SIGN_IN_TRIES} THEN ${services.now() + SIGN_IN_PAUSE_MS} ELSE locked_until END,
      failed_sign_ins = CASE WHEN failed_sign_ins + 1 >= ${SIGN_IN_TRIES} THEN 0 ELSE failed_sign_ins + 1 END
    WHERE id = ${userId}`);
}

async function hasCompleteProfile(services: Store, userId: string): Promise<boolean> {
  const [profile] = await services.db
    .select({ id: profiles.id })
    .from(profiles)
    .where(sql`${profiles.id} = ${userId} AND trim(full_name) <> '' AND trim(COALESCE(campus_location, '')) <> '' AND trim(COALESCE(phone, '')) <> ''`);
  return profile !== undefined;
}

/** Ends every session of a user, everywhere at once. */
export async function endSessions(store: Store, userId: string): Promise<void> {
  await store.db.run(sql`UPDATE credentials SET session_epoch = session_epoch + 1, updated_at = ${store.now()} WHERE id = ${userId}`);
}

