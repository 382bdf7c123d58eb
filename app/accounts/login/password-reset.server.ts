import { and, eq, isNull, sql } from "drizzle-orm";
import { PreconditionFailed, type Statement, holds, tryWrite, write } from "#app/db/batch.ts";
import { build, hasRow, idList, pick } from "#app/db/build.ts";
import { type Allowance, takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles, wholesalerDetails } from "#app/accounts/tables.server.ts";
import { accountKey } from "./devices.server.ts";
import {
  expectAddress,
  findEmailToken,
  issueEmailToken,
  spendEmailToken,
  spendLinksOf,
} from "./email-tokens.server.ts";
import { forgetSignUp } from "./forget-sign-up.server.ts";
import { writeTo } from "#app/notifications/notify.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { hashPassword } from "./passwords.server.ts";
import { normalizeEmail, RESET_LINK_LIFE_MS } from "./account-rules.ts";
import { tellPasswordChanged } from "./tell-security.server.ts";
import { forgetWrongCodesOnceADay } from "#app/accounts/two-step/wrong-codes.server.ts";
import { completeSignIn, type SignedIn, type SignInServices } from "./sign-in.server.ts";
import { maskEmail } from "./sign-up-rules.ts";
import { afterVerifiedChanged, noteStudentProof } from "#app/accounts/trust/verified-effects.server.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** Emails to one address, and requests from one network. A campus is one network, so the second limit is generous. */
const MAILS_AN_HOUR = 3;
const REQUESTS_AN_HOUR = 300;

/** Whether this network may ask once more. The answer says nothing about any account. */
export function mayAskForReset(services: SignInServices, address: string | null): Promise<boolean> {
  return takeAllowance(services, [
    { key: `reset:network:${networkOf(address)}`, max: REQUESTS_AN_HOUR, windowMs: HOUR_MS },
  ]);
}

/**
 * Queues the email with the link to choose a password, at most three an hour. Returns true if an email was queued. For
 * visitors, run it after the answer is sent, so that neither the answer nor its timing tells whether the email is
 * registered.
 */
export async function sendPasswordReset(services: SignInServices, typedEmail: string): Promise<boolean> {
  const email = normalizeEmail(typedEmail);
  const [account] = await services.db
    .select({
      ...pick(credentials, "id", "email", "suspendedAt"),
      name: profiles.fullName,
    })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.email, email));
  if (!account || account.suspendedAt !== null) return false;
  const allowance: Allowance = {
    key: `reset:${accountKey(email, services.passwordPepper)}`,
    max: MAILS_AN_HOUR,
    windowMs: HOUR_MS,
  };
  if (!(await takeAllowance(services, [allowance]))) return false;

  // False, too, where the account has left this address at the same moment.
  return tryWrite(services.db, resetLink(services, account).statements);
}

/** Statements that queue the email with the link to choose a password, and the link's token. */
export function resetLink(
  services: SignInServices,
  account: { id: string; email: string; name: string | null },
): { token: string; statements: Statement[] } {
  const { id, token, statements } = issueEmailToken(services, {
    userId: account.id,
    purpose: "password_reset",
    lifeMs: RESET_LINK_LIFE_MS,
  });
  const reset = { kind: "password_reset", data: { tokenId: id } } as const;
  const { id: userId, email, name } = account;
  const mail = writeTo({ id: userId, email, name: name ?? "" }, reset, `password_reset:${id}`, services.now());
  return { token, statements: [expectAddress({ userId, email }), ...statements, mail] };
}

/**
 * The masked email of the account whose password a link can change, or why it can change none. `losesBusiness`: its use
 * erases the business of an unconfirmed sign-up. Never uses up the link, because mail scanners open links too.
 */
export async function findReset(
  services: SignInServices,
  token: string,
): Promise<{ ok: true; userId: string; email: string; losesBusiness: boolean } | { ok: false; code: ResetOver }> {
  const found = await findEmailToken(services, { token, purpose: "password_reset" });
  if (!found.ok) return found;
  const { userId, email } = found.token;
  const isUnconfirmed = hasRow(credentials, and(eq(credentials.id, userId), isNull(credentials.emailConfirmedAt)));
  const isWholesaler = hasRow(wholesalerDetails, eq(wholesalerDetails.userId, userId));
  return {
    ok: true,
    userId,
    email: maskEmail(email),
    losesBusiness: await holds(services.db, sql`${isUnconfirmed} AND ${isWholesaler}`),
  };
}

/** Why a link changes no password. used: also where the password or the email has changed since. */
export type ResetOver = "invalid" | "expired" | "used";

export type ResetResult = ({ ok: true; email: string } & SignedIn) | { ok: false; code: ResetOver };

/**
 * Uses up the link, sets the password and ends every session. If one link is used twice at once, one request succeeds.
 * Following the link proves that the email belongs to the user, so the email counts as confirmed. If it wasn't
 * confirmed before, somebody else may have made the account. Then the details from sign-up are erased (`forgetSignUp`),
 * and the owner completes the profile.
 */
export async function resetPassword(
  services: SignInServices,
  input: { token: string; password: string },
): Promise<ResetResult> {
  const found = await findEmailToken(services, { token: input.token, purpose: "password_reset" });
  if (!found.ok) return found;
  const { id: tokenId, userId } = found.token;
  const passwordHash = await hashPassword(input.password, services.passwordPepper);
  const now = services.now();
  try {
    const isOpen = and(eq(credentials.id, userId), isNull(credentials.suspendedAt));
    const writes = [
      ...tellPasswordChanged(services, userId),
      ...spendEmailToken(services, tokenId),
      ...forgetSignUp(userId, now),
      ...forgetWrongCodesOnceADay(userId, now),
      // Whoever changed the email can choose a new password. That must not take the way back from an earlier address.
      spendLinksOf(userId, now, ["confirmation", "password_reset", "email_change"]),
      build
        .update(credentials)
        .set({
          passwordHash,
          // Their payouts may leave again.
          takenBackAt: null,
          emailConfirmedAt: sql`COALESCE(${credentials.emailConfirmedAt}, ${now})`,
          sessionEpoch: sql`${credentials.sessionEpoch} + 1`,
          updatedAt: now,
        })
        .where(isOpen),
      noteStudentProof(userId, "address", now),
      ...afterVerifiedChanged(idList(userId), now),
    ];
    const {
      account: [account],
    } = await write(services.db, {
      writes,
      account: build
        .select({ id: credentials.id, email: credentials.email, sessionEpoch: credentials.sessionEpoch })
        .from(credentials)
        .where(isOpen),
    });
    if (!account) return { ok: false, code: "invalid" };
    return { ok: true, email: account.email, ...(await completeSignIn(services, account)) };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "used" };
    throw error;
  }
}
