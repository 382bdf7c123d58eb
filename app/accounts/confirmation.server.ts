import { eq, sql } from "drizzle-orm";
import { PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { type Allowance, takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles } from "#app/db/schema.ts";
import { accountKey } from "./devices.server.ts";
import { findEmailToken, issueEmailToken, spendEmailToken } from "./email-tokens.server.ts";
import type { Mail } from "./mailer.ts";
import { networkOf } from "./network.ts";
import { normaliseEmail } from "./rules.ts";
import { completeSignIn, type SignInServices } from "./sign-in.server.ts";

/** How long the link to confirm an address lives, ms. */
const CONFIRMATION_LIFE_MS = 24 * 60 * 60_000;

const QUARTER_MS = 15 * 60_000;
/** Mails that one address is sent, and requests that one network makes: campuses share addresses, so the second is generous. */
const RESENDS_A_QUARTER = 3;
const REQUESTS_A_QUARTER = 60;

/** Statements that issue a link to confirm an address and queue its mail; `key` names the mail in the outbox. */
export function confirmationMail(services: SignInServices, to: { userId: string; email: string; name: string }): { key: string; statements: Statement[] } {
  const { id, statements } = issueEmailToken(services, { userId: to.userId, purpose: "confirmation", lifeMs: CONFIRMATION_LIFE_MS });
  const mail = { to: to.email, template: "confirmation", data: { name: to.name, tokenId: id } } satisfies Mail;
  const key = `confirmation:${id}`;
  return { key, statements: [...statements, queueEffect("mail", key, mail, services.now())] };
}

/** Whether this network may ask for this address once more; the same for every address, registered or not. */
export function mayAskForConfirmation(services: SignInServices, email: string, address: string | null): Promise<boolean> {
  const allowances: Allowance[] = [
    { key: `resend:${accountKey(email, services.passwordPepper)}`, max: RESENDS_A_QUARTER, windowMs: QUARTER_MS },
    { key: `resend:network:${networkOf(address)}`, max: REQUESTS_A_QUARTER, windowMs: QUARTER_MS },
  ];
  return takeAllowance(services, allowances);
}

/**
 * Queues the mail with a new link, where the address has an account that is not confirmed. Run it after the answer is sent, so
 * that neither the answer nor its timing tells whether the address is registered.
 */
export async function resendConfirmation(services: SignInServices, typedEmail: string): Promise<void> {
  const email = normaliseEmail(typedEmail);
  const [account] = await services.db
    .select({ userId: credentials.id, email: credentials.email, confirmedAt: credentials.emailConfirmedAt, suspendedAt: credentials.suspendedAt, name: profiles.fullName })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.email, email));
  if (!account || account.confirmedAt !== null || account.suspendedAt !== null) return;
  const { statements } = confirmationMail(services, { userId: account.userId, email: account.email, name: account.name ?? "" });
  await runBatch(services.db, statements);
}

export type ConfirmationResult =
  | { ok: true; userId: string; email: string; epoch: number; profileComplete: boolean }
  | { ok: false; code: "invalid" | "expired" | "used" };

/**
 * Spends the link, confirms the address and answers whose session to start; of two requests with one link, one wins. The first
 * time, a welcome mail goes out.
 */
export async function confirmEmail(services: SignInServices, token: string): Promise<ConfirmationResult> {
  const found = await findEmailToken(services, { token, purpose: "confirmation" });
  if (!found.ok) return found;
  const { id, userId, email, sessionEpoch } = found.token;
  const now = services.now();
  const welcome = { to: email, template: "welcome", data: { name: await nameOf(services, userId) } } satisfies Mail;
  try {
    const signedIn = await completeSignIn(services, { id: userId, email, sessionEpoch }, [
      ...spendEmailToken(services, id),
      sql`UPDATE credentials SET email_confirmed_at = COALESCE(email_confirmed_at, ${now}), updated_at = ${now} WHERE id = ${userId}`,
      queueEffect("mail", `welcome:${userId}`, welcome, now),
    ]);
    return { ok: true, email, ...signedIn };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "used" };
    throw error;
  }
}

async function nameOf(services: SignInServices, userId: string): Promise<string> {
  const [profile] = await services.db.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, userId));
  return profile?.name ?? "";
}
