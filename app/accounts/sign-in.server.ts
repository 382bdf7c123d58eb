import { eq, type SQL, sql } from "drizzle-orm";
import { runBatch, type Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { type Allowance, countIn, countOne, isWithin } from "#app/db/rate-counters.ts";
import { credentials } from "#app/db/schema.ts";
import { accountKey, type DeviceMark } from "./devices.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { hashPassword, isOutdatedHash, verifyPassword } from "./passwords.server.ts";
import {
  normaliseEmail,
  PASSWORD_MAX_LENGTH,
  SIGN_IN_PAUSE_MS,
  SIGN_IN_TRIES,
  SIGN_IN_TRIES_ANYWHERE,
} from "./rules.ts";

export type SignInResult =
  | { ok: true; userId: string; epoch: number; profileComplete: boolean }
  | { ok: false; code: "invalid" | "suspended" | "busy" }
  /** The password was right. */
  | { ok: false; code: "not_confirmed"; userId: string };

export interface SignInServices extends Store {
  passwordPepper: string;
  /** Lower-case addresses whose accounts are admin. */
  adminEmails: string[];
}

export interface SignInInput {
  email: string;
  password: string;
  /** Where the request came from; null where unknown. */
  address: string | null;
  /** What this device remembers; null for a device on which nobody has signed in before. */
  device: DeviceMark | null;
}

/**
 * Checks e-mail and password. Whether an address is registered cannot be told from the answer, from its timing, or from the
 * limits: they count for addresses nobody has, too. Only someone who knows the password learns that it is unconfirmed, or suspended.
 */
export async function signIn(services: SignInServices, input: SignInInput): Promise<SignInResult> {
  const tried = await tryPassword(services, input);
  if (!tried.ok) return tried;
  const { account, forgive } = tried;
  if (account.suspendedAt !== null) return { ok: false, code: "suspended" };
  if (account.emailConfirmedAt === null) {
    await runBatch(services.db, forgive);
    return { ok: false, code: "not_confirmed", userId: account.id };
  }
  const signedIn = await completeSignIn(services, account, [
    ...forgive,
    ...(await renewHash(services, account, input.password)),
  ]);
  return { ok: true, ...signedIn };
}

/**
 * Counts a try at the password of an address, and looks at it. It is counted before the password is looked at, so that many at
 * once get no further than one after the other. `forgive` ends a row of wrong ones: write it with whatever the right one opens.
 */
export async function tryPassword(
  services: SignInServices,
  input: SignInInput,
): Promise<
  { ok: true; account: typeof credentials.$inferSelect; forgive: Statement[] } | { ok: false; code: "invalid" | "busy" }
> {
  if (input.password.length > PASSWORD_MAX_LENGTH) return { ok: false, code: "invalid" };
  const email = normaliseEmail(input.email);
  const limits = limitsOf(accountKey(email, services.passwordPepper), input);
  if (!(await takeTry(services, limits))) return { ok: false, code: "busy" };
  const [account] = await services.db.select().from(credentials).where(eq(credentials.email, email));
  const matches = await verifyPassword(input.password, services.passwordPepper, account?.passwordHash ?? null);
  return account && matches ? { ok: true, account, forgive: forgiveTries(limits) } : { ok: false, code: "invalid" };
}

/**
 * Where a try counts. A device that knows the account has tries of its own; strangers share those of their network, and all
 * networks together those of the account, so that guessing from many places ends as well.
 */
function limitsOf(
  account: string,
  { address, device }: Pick<SignInInput, "address" | "device">,
): { near: Allowance; far: Allowance | null } {
  const pause = { windowMs: SIGN_IN_PAUSE_MS };
  if (device?.accounts.includes(account))
    return { near: { key: `sign-in:${account}:device:${device.id}`, max: SIGN_IN_TRIES, ...pause }, far: null };
  return {
    near: { key: `sign-in:${account}:network:${networkOf(address)}`, max: SIGN_IN_TRIES, ...pause },
    far: { key: `sign-in:${account}`, max: SIGN_IN_TRIES_ANYWHERE, ...pause },
  };
}

type Limits = ReturnType<typeof limitsOf>;

/** Counts one try; false where it is one too many. One network cannot use up the tries of all the others. */
async function takeTry(store: Store, { near, far }: Limits): Promise<boolean> {
  const now = store.now();
  const [nearby, anywhere] = await runBatch(store.db, [
    countOne(near, now),
    ...(far ? [countOne(far, now, isWithin(near))] : []),
  ]);
  return countIn(nearby) <= near.max && (!far || countIn(anywhere) <= far.max);
}

/** The right password ends a row of wrong ones here, and takes its own try back from the account's. */
function forgiveTries({ near, far }: Limits): Statement[] {
  const forgive: SQL[] = [sql`DELETE FROM rate_counters WHERE key = ${near.key}`];
  if (far) forgive.push(sql`UPDATE rate_counters SET count = count - 1 WHERE key = ${far.key} AND count > 0`);
  return forgive;
}

/** Hashes the password again, where the stored hash was made with weaker parameters than today's. */
async function renewHash(
  services: SignInServices,
  account: { id: string; passwordHash: string | null },
  password: string,
): Promise<Statement[]> {
  if (account.passwordHash === null || !isOutdatedHash(account.passwordHash)) return [];
  const renewed = await hashPassword(password, services.passwordPepper);
  return [
    sql`UPDATE credentials SET password_hash = ${renewed} WHERE id = ${account.id} AND password_hash = ${account.passwordHash}`,
  ];
}

/**
 * What every way in ends with, whoever vouched for the user: `before` is written, admins are made admin, and the answer says
 * whose session to start. The epoch is the one that was read with what vouched, so that a session which should end meanwhile
 * does. One round trip.
 */
export async function completeSignIn(
  services: SignInServices,
  account: { id: string; email: string; sessionEpoch: number },
  before: Statement[] = [],
): Promise<{ userId: string; epoch: number; profileComplete: boolean }> {
  const isAdmin = services.adminEmails.includes(account.email);
  const results = await runBatch(services.db, [
    ...before,
    ...(isAdmin ? [sql`UPDATE profiles SET is_admin = 1 WHERE id = ${account.id} AND is_admin = 0`] : []),
    sql`SELECT 1 FROM profiles WHERE id = ${account.id} AND trim(full_name) <> ''
      AND trim(COALESCE(campus_location, '')) <> '' AND trim(COALESCE(phone, '')) <> ''`,
  ]);
  return { userId: account.id, epoch: account.sessionEpoch, profileComplete: results.at(-1)?.results.length === 1 };
}

/** Ends every session of a user, everywhere at once. */
export async function endSessions(store: Store, userId: string): Promise<void> {
  await store.db.run(
    sql`UPDATE credentials SET session_epoch = session_epoch + 1, updated_at = ${store.now()} WHERE id = ${userId}`,
  );
}
