import { eq, sql } from "drizzle-orm";
import { PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { type Allowance, takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles } from "#app/db/schema.ts";
import { dropSignUp } from "./delete-account.server.ts";
import { accountKey, type DeviceMark } from "./devices.server.ts";
import type { DocumentServices } from "./documents.server.ts";
import { type EmailToken, findEmailToken, issueEmailToken, spendEmailToken } from "./email-tokens.server.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { networkOf } from "#app/platform/network.ts";
import { sendPasswordReset } from "./password-reset.server.ts";
import { normaliseEmail } from "./rules.ts";
import { completeSignIn, type SignInServices, tryPassword } from "./sign-in.server.ts";
import { type CallbackQuestion, maskEmail, type QUESTION_TEXTS } from "./sign-up-rules.ts";

/** How long the link to confirm an address lives, ms. */
const CONFIRMATION_LIFE_MS = 24 * 60 * 60_000;

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 96 * QUARTER_MS;
/** Mails that one address is sent, and requests that one network makes: campuses share addresses, so the second is generous. */
const RESENDS_A_QUARTER = 3;
const RESENDS_A_DAY = 10;
const REQUESTS_A_QUARTER = 60;

/** Statements that issue a link to confirm an address and queue its mail; `key` names the mail in the outbox. */
export function confirmationMail(
  services: SignInServices,
  to: { userId: string; email: string; name: string },
): { key: string; statements: Statement[] } {
  const { id, statements } = issueEmailToken(services, {
    userId: to.userId,
    purpose: "confirmation",
    lifeMs: CONFIRMATION_LIFE_MS,
  });
  const mail = { to: to.email, template: "confirmation", data: { name: to.name, tokenId: id } } satisfies Mail;
  const key = `confirmation:${id}`;
  return { key, statements: [...statements, queueEffect("mail", key, mail, services.now())] };
}

/** Whether this network may ask for this address once more; the same for every address, registered or not. */
export async function mayAskForConfirmation(
  services: SignInServices,
  email: string,
  address: string | null,
): Promise<boolean> {
  const account = accountKey(email, services.passwordPepper);
  const allowances: Allowance[] = [
    { key: `resend:${account}`, max: RESENDS_A_QUARTER, windowMs: QUARTER_MS },
    { key: `resend:network:${networkOf(address)}`, max: REQUESTS_A_QUARTER, windowMs: QUARTER_MS },
  ];
  // Only what is mailed counts for the day: nobody uses it up for another within minutes.
  return (
    (await takeAllowance(services, allowances)) &&
    takeAllowance(services, [{ key: `resend:day:${account}`, max: RESENDS_A_DAY, windowMs: DAY_MS }])
  );
}

/**
 * Queues the mail with a new link, where the address has an account that is not confirmed. Run it after the answer is sent, so
 * that neither the answer nor its timing tells whether the address is registered.
 */
export async function resendConfirmation(services: SignInServices, typedEmail: string): Promise<void> {
  const email = normaliseEmail(typedEmail);
  const [account] = await services.db
    .select({
      userId: credentials.id,
      email: credentials.email,
      confirmedAt: credentials.emailConfirmedAt,
      suspendedAt: credentials.suspendedAt,
      name: profiles.fullName,
    })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.email, email));
  if (!account || account.confirmedAt !== null || account.suspendedAt !== null) return;
  const { statements } = confirmationMail(services, {
    userId: account.userId,
    email: account.email,
    name: account.name ?? "",
  });
  await runBatch(services.db, statements);
}

/** Who opens a link, where, and what they have said so far. */
export interface Opening {
  /** Whose sign-up was made on this device, or whose password typed; null where nobody's is known. */
  signedUp: string | null;
  /** Who is signed in here; null for nobody. */
  signedIn: string | null;
  /** What was typed to show whose sign-up it is; null where nothing was asked yet. */
  password: string | null;
  /** To go on although somebody else is signed in here. */
  switches: boolean;
  address: string | null;
  device: DeviceMark | null;
}

/** Nothing is spent. `refused` where the password was missing or wrong, or tried too often. */
interface Asked {
  ok: false;
  code: "question";
  question: CallbackQuestion;
  refused: keyof typeof QUESTION_TEXTS | null;
}

/** Why a link does not open. */
interface NotGood {
  ok: false;
  code: "invalid" | "expired" | "used";
}

export type ConfirmationResult =
  | { ok: true; userId: string; email: string; epoch: number; profileComplete: boolean }
  | NotGood
  | Asked;

/**
 * Spends the link, confirms the address and answers whose session to start; of two requests with one link, one wins. The first
 * time, a welcome mail goes out.
 *
 * Anybody can sign up with another's address, and wait for its owner to follow the link; the account would be both of theirs. So
 * a device on which nobody signed up has to say the password, counted like any try to sign in; and nobody's session gives way to
 * another's unasked.
 */
export async function confirmEmail(
  services: SignInServices,
  token: string,
  opening: Opening,
): Promise<ConfirmationResult> {
  const found = await findEmailToken(services, { token, purpose: "confirmation" });
  if (!found.ok) return found;
  const proof = await prove(services, found.token, opening);
  if (!proof.ok) return proof;
  const { id, userId, email, sessionEpoch } = found.token;
  const now = services.now();
  const welcome = { to: email, template: "welcome", data: { name: await nameOf(services, userId) } } satisfies Mail;
  try {
    const signedIn = await completeSignIn(services, { id: userId, email, sessionEpoch }, [
      ...spendEmailToken(services, id),
      sql`UPDATE credentials SET email_confirmed_at = COALESCE(email_confirmed_at, ${now}), updated_at = ${now} WHERE id = ${userId}`,
      queueEffect("mail", `welcome:${userId}`, welcome, now),
      ...proof.forgive,
    ]);
    return { ok: true, email, ...signedIn };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "used" };
    throw error;
  }
}

/** Whether whoever opens the link signed up, and means to go on as who did; else what to ask. */
async function prove(
  services: SignInServices,
  { userId, email }: EmailToken,
  opening: Opening,
): Promise<{ ok: true; forgive: Statement[] } | Asked> {
  const { signedUp, signedIn, password, switches, ...from } = opening;
  const question = {
    email: maskEmail(email),
    password: ![signedUp, signedIn].includes(userId),
    switches: signedIn !== null && signedIn !== userId,
  };
  const ask = (refused: Asked["refused"]): Asked => ({ ok: false, code: "question", question, refused });
  if ((question.password && password === null) || (question.switches && !switches)) return ask(null);
  if (!question.password) return { ok: true, forgive: [] };
  if (!password) return ask("missing");
  const tried = await tryPassword(services, { email, password, ...from });
  return tried.ok ? { ok: true, forgive: tried.forgive } : ask(tried.code);
}

/** Mails a link to choose a new password to whom the confirmation link was mailed. Answers their address, masked. */
export async function resetInstead(
  services: SignInServices,
  token: string,
): Promise<{ ok: true; email: string; sending: Promise<boolean> } | NotGood> {
  const found = await findEmailToken(services, { token, purpose: "confirmation" });
  return found.ok
    ? { ok: true, email: maskEmail(found.token.email), sending: sendPasswordReset(services, found.token.email) }
    : found;
}

/** Whoever the link was mailed to never signed up: what somebody did with their address is undone. */
export async function disownSignUp(
  services: SignInServices & DocumentServices,
  token: string,
): Promise<{ ok: true; documentKeys: string[] } | NotGood> {
  const found = await findEmailToken(services, { token, purpose: "confirmation" });
  if (!found.ok) return found;
  const dropped = await dropSignUp(services, found.token.userId);
  return dropped.ok ? dropped : { ok: false, code: "used" };
}

async function nameOf(services: SignInServices, userId: string): Promise<string> {
  const [profile] = await services.db.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, userId));
  return profile?.name ?? "";
}
