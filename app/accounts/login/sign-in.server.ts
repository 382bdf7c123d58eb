import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import { type Statement, write } from "#app/db/batch.ts";
import { asBoolean, build, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { type Allowance, countIn, countOne, isWithin } from "#app/db/rate-counters.ts";
import { credentials, endedSessions, profiles } from "#app/accounts/tables.server.ts";
import { rateCounters } from "#app/db/tables.server.ts";
import { forgetSession } from "#app/notifications/push/push-subscriptions.server.ts";
import { makeOwner } from "#app/accounts/admin-role.server.ts";
import { accountKey, type DeviceMark, knowsAccount } from "./devices.server.ts";
import { hasSecondStep } from "#app/accounts/two-step/has-second-step.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { hashPassword, isOutdatedHash, verifyPassword } from "./passwords.server.ts";
import {
  isProfileComplete,
  normalizeEmail,
  PASSWORD_MAX_LENGTH,
  SIGN_IN_PAUSE_MS,
  SIGN_IN_TRIES,
  SIGN_IN_TRIES_ANYWHERE,
} from "./account-rules.ts";
import { levelByAddress } from "#app/accounts/trust/verified-effects.server.ts";

/** Whose login it is. `secondStep`: the account has one, so no session starts yet (`askSecondStep`). */
export interface SignedIn {
  userId: string;
  epoch: number;
  profileComplete: boolean;
  secondStep: boolean;
}

export type SignInResult =
  | ({ ok: true } & SignedIn)
  /** paused: too many wrong passwords for this account from here. The owner can still log in with an emailed link. */
  | { ok: false; code: "invalid" | "suspended" | "paused" }
  /** The password was right. */
  | { ok: false; code: "not_confirmed"; userId: string };

export interface SignInServices extends Store {
  passwordPepper: string;
  /** Emails whose accounts become admins, in lower case. */
  adminEmails: string[];
}

export interface SignInInput {
  email: string;
  password: string;
  /** The request's IP address; null when it is unknown. */
  address: string | null;
  /** What this device remembers; null when nobody has logged in on it before. */
  device: DeviceMark | null;
}

/**
 * Checks the email and the password. Neither the answer nor its timing nor the limits tell whether an email is
 * registered, because they are the same for unregistered ones. Only a person who knows the password learns that the
 * account is unconfirmed or suspended.
 */
export async function signIn(services: SignInServices, input: SignInInput): Promise<SignInResult> {
  const tried = await tryPassword(services, input);
  if (!tried.ok) return tried;
  const { account, counterResets } = tried;
  const isSuspended = account.suspendedAt !== null;
  if (isSuspended || account.emailConfirmedAt === null) {
    await write(services.db, counterResets);
    return isSuspended ? { ok: false, code: "suspended" } : { ok: false, code: "not_confirmed", userId: account.id };
  }
  const signedIn = await completeSignIn(services, account, [
    ...counterResets,
    ...(await renewHash(services, account, input.password)),
  ]);
  return { ok: true, ...signedIn };
}

/**
 * Counts one attempt for an email, then checks its password. Counting first means that parallel attempts gain nothing.
 * Run `counterResets` in the batch that the right password allows. It resets the count.
 */
export async function tryPassword(
  services: SignInServices,
  input: SignInInput,
): Promise<
  | { ok: true; account: typeof credentials.$inferSelect; counterResets: Statement[] }
  | { ok: false; code: "invalid" | "paused" }
> {
  if (input.password.length > PASSWORD_MAX_LENGTH) return { ok: false, code: "invalid" };
  const email = normalizeEmail(input.email);
  const limits = limitsOf(services, email, input);
  if (!(await countTry(services, limits))) return { ok: false, code: "paused" };
  const [account] = await services.db.select().from(credentials).where(eq(credentials.email, email));
  const matches = await verifyPassword(input.password, services.passwordPepper, account?.passwordHash ?? null);
  return account && matches
    ? { ok: true, account, counterResets: resetCounters(limits) }
    : { ok: false, code: "invalid" };
}

/**
 * Which counters an attempt counts in. A device that knows the account has its own. Unknown devices share the counter
 * of their network, and all networks share one of the account, so guessing from many places ends as well.
 * docs/decisions/guessing-passwords.md says why this locks nobody out.
 */
function limitsOf(
  services: SignInServices,
  email: string,
  { address, device }: Pick<SignInInput, "address" | "device">,
): { near: Allowance; far: Allowance | null } {
  const account = accountKey(email, services.passwordPepper);
  const pause = { windowMs: SIGN_IN_PAUSE_MS };
  if (knowsAccount(services, device, email))
    return { near: { key: `sign-in:${account}:device:${device.id}`, max: SIGN_IN_TRIES, ...pause }, far: null };
  return {
    near: { key: `sign-in:${account}:network:${networkOf(address)}`, max: SIGN_IN_TRIES, ...pause },
    far: { key: `sign-in:${account}`, max: SIGN_IN_TRIES_ANYWHERE, ...pause },
  };
}

type Limits = ReturnType<typeof limitsOf>;

/** Counts one attempt; false when it is one too many. One network can't use up the attempts of all others. */
async function countTry(store: Store, { near, far }: Limits): Promise<boolean> {
  const now = store.now();
  const {
    nearby,
    anywhere: [anywhere],
  } = await write(store.db, {
    nearby: countOne(near, now),
    anywhere: far ? [countOne(far, now, isWithin(near))] : [],
  });
  return countIn(nearby) <= near.max && (!far || countIn(anywhere) <= far.max);
}

/** After the right password the count here starts again, and this attempt no longer counts for the account. */
function resetCounters({ near, far }: Limits): Statement[] {
  const { key, count } = rateCounters;
  const counterResets: Statement[] = [build.delete(rateCounters).where(eq(key, near.key))];
  if (far)
    counterResets.push(
      build
        .update(rateCounters)
        .set({ count: sql`${count} - 1` })
        .where(and(eq(key, far.key), gt(count, 0))),
    );
  return counterResets;
}

/** Hashes the password again if the stored hash was made with weaker parameters than today's. */
async function renewHash(
  services: SignInServices,
  account: { id: string; passwordHash: string | null },
  password: string,
): Promise<Statement[]> {
  if (account.passwordHash === null || !isOutdatedHash(account.passwordHash)) return [];
  const renewed = await hashPassword(password, services.passwordPepper);
  return [
    build
      .update(credentials)
      .set({ passwordHash: renewed })
      .where(and(eq(credentials.id, account.id), eq(credentials.passwordHash, account.passwordHash))),
  ];
}

/**
 * The last step of every login: runs `before`, makes sure that a profile exists, makes those in ADMIN_EMAILS owners,
 * and returns whose session to start. The epoch is the one that was read with the proof (password, link or issuer). So
 * a session that should have ended in the meantime is invalid from the start. One round trip.
 */
export async function completeSignIn(
  services: SignInServices,
  account: { id: string; email: string; sessionEpoch: number },
  before: Statement[] = [],
): Promise<SignedIn> {
  const now = services.now();
  const writes = [
    ...before,
    ensureProfile(account.id, now),
    ...(services.adminEmails.includes(account.email) ? makeOwner(services, account, now) : []),
  ];
  const { fullName, campusLocation, accountType } = profiles;
  const {
    profile: [profile],
  } = await write(services.db, {
    writes,
    profile: build
      .select({ fullName, campusLocation, accountType, secondStep: asBoolean(hasSecondStep(profiles.id)) })
      .from(profiles)
      .where(eq(profiles.id, account.id)),
  });
  return {
    userId: account.id,
    epoch: account.sessionEpoch,
    profileComplete: profile !== undefined && isProfileComplete(profile),
    secondStep: profile?.secondStep === true,
  };
}

/** Gives an account an empty profile if it has none. */
export function ensureProfile(userId: string, now: number): Statement {
  return insertEach(
    profiles,
    {
      id: credentials.id,
      email: credentials.email,
      searchName: sql`''`,
      isGoogleUser: isNotNull(credentials.googleSubject),
      verifiedLevel: levelByAddress,
      createdAt: now,
      updatedAt: now,
    },
    sql`FROM ${credentials} WHERE ${eq(credentials.id, userId)}`,
  ).onConflictDoNothing({ target: profiles.id });
}

/**
 * Ends one session everywhere at once, even while KV still has it. Its browser is told nothing more. Safe to repeat.
 */
export async function endSession(store: Store, session: { id: string; userId: string }): Promise<void> {
  await write(store.db, [
    build.insert(endedSessions).values({ id: session.id, endedAt: store.now() }).onConflictDoNothing(),
    forgetSession(session),
  ]);
}

/** Ends every session of a user, everywhere at once. Safe to repeat: no session has an epoch to come. */
export async function endSessions(store: Store, userId: string): Promise<void> {
  await write(store.db, [
    build
      .update(credentials)
      .set({ sessionEpoch: sql`${credentials.sessionEpoch} + 1`, updatedAt: store.now() })
      .where(eq(credentials.id, userId)),
  ]);
}
