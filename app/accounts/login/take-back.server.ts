/** An owner takes back an account that somebody else has changed (docs/product-rules.md, "It wasn't me"). */
import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { type Statement, expectThat, write } from "#app/db/batch.ts";
import { build, hasRow, pick } from "#app/db/build.ts";
import { credentials, emailTokens, profiles } from "#app/accounts/tables.server.ts";
import { pushSubscriptions } from "#app/notifications/tables.server.ts";
import type { AccountBefore } from "./account-change.server.ts";
import type { DocumentServices } from "#app/accounts/trust/documents.server.ts";
import { type LinkRefusal, setEmail, whyNot } from "./email-change.server.ts";
import { findUndoToken, spendUndoToken } from "./email-tokens.server.ts";
import { dropSignUp } from "#app/accounts/erase.server.ts";
import { resetLink } from "./password-reset.server.ts";
import type { SignInServices } from "./sign-in.server.ts";
import { restoreSteps } from "#app/accounts/two-step/two-step.server.ts";
import { forgetWrongCodesOnceADay } from "#app/accounts/two-step/wrong-codes.server.ts";

/** What a link would undo. Reading it uses nothing up, because mail scanners open links too. */
export async function findTakingBack(
  services: SignInServices,
  token: string,
): Promise<{ email: string; since: number } | null> {
  const found = await findUndoToken(services, token);
  return found && { email: found.newEmail, since: found.createdAt };
}

export type TakingBack =
  | {
      ok: true;
      userId: string;
      /** For choosing a password at once; null while the account is suspended. */
      resetToken: string | null;
      documentKeys: string[];
    }
  | { ok: false; code: LinkRefusal };

/**
 * Undoes what was changed since a link's first change: email, M-Pesa numbers, second steps and the logins with Google
 * and the university are as they were. The password goes, every session ends, no device is told anything more, and
 * payouts wait until a new password is chosen (`resetPassword`), for which there is a link. The older ways back stay,
 * so the oldest link wins.
 * `sendAgain`: the statement that lets payouts of this seller be looked at anew. `taken`: another account with a
 * confirmed email has the address now. `barred`: nobody may use it any more.
 */
export async function takeBack(
  services: SignInServices & DocumentServices,
  token: string,
  sendAgain: (sellerId: string, now: number) => Statement,
): Promise<TakingBack> {
  const found = await findUndoToken(services, token);
  if (!found) return { ok: false, code: "over" };
  const { id, userId, email: current, newEmail: email, accountBefore, isSuspended, name } = found;
  const before = JSON.parse(accountBefore) as AccountBefore;
  const now = services.now();
  const dropped = email === current ? null : await dropUnconfirmed(services, userId, email);
  const reset = isSuspended ? null : resetLink(services, { id: userId, email, name });
  try {
    await write(services.db, [
      ...spendUndoToken(services, found),
      // A recovery code may have been used since it was read.
      expectThat(hasRow(emailTokens, and(eq(emailTokens.id, id), eq(emailTokens.accountBefore, accountBefore)))),
      ...(email === current ? [] : setEmail(services, userId, { from: current, to: email }, now)),
      build
        .update(credentials)
        .set({
          passwordHash: null,
          googleSubject: before.googleSubject,
          issuerSubject: before.issuerSubject ?? null,
          sessionEpoch: sql`${credentials.sessionEpoch} + 1`,
          // Whoever is suspended can't choose a password.
          takenBackAt: isSuspended ? null : now,
          updatedAt: now,
        })
        .where(and(eq(credentials.id, userId), eq(credentials.email, email))),
      build
        .update(profiles)
        .set({
          ...pick(before, "phone", "payingPhone", "payoutsHeldUntil"),
          isGoogleUser: before.googleSubject !== null,
          // A role that came since goes, because a new address may have brought it. None that was taken comes back.
          ...(before.isAdmin ? {} : { adminRole: null }),
          updatedAt: now,
        })
        .where(eq(profiles.id, userId)),
      ...restoreSteps(userId, before),
      ...forgetWrongCodesOnceADay(userId, now),
      build.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId)),
      sendAgain(userId, now),
      ...(reset?.statements ?? []),
    ]);
  } catch (error) {
    return whyNot(services, userId, email, error);
  }
  return {
    ok: true,
    userId,
    resetToken: reset?.token ?? null,
    documentKeys: dropped?.ok ? dropped.documentKeys : [],
  };
}

/**
 * Whoever took the account could sign up with the old address, which they can't confirm, to keep it away from its
 * owner.
 */
async function dropUnconfirmed(services: SignInServices & DocumentServices, userId: string, email: string) {
  const [unconfirmed] = await services.db
    .select({ id: credentials.id })
    .from(credentials)
    .where(and(eq(credentials.email, email), ne(credentials.id, userId), isNull(credentials.emailConfirmedAt)));
  return unconfirmed ? dropSignUp(services, unconfirmed.id) : null;
}
