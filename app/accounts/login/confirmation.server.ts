import { and, eq, isNull, sql } from "drizzle-orm";
import { PreconditionFailed, type Statement, expectThat, tryWrite } from "#app/db/batch.ts";
import { asBoolean, build, idList } from "#app/db/build.ts";
import { areEmailsHeld } from "#app/db/outbox.ts";
import { type Allowance, countOne, isWithin, takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { dropSignUp } from "#app/accounts/erase.server.ts";
import { accountKey, type DeviceMark } from "./devices.server.ts";
import type { DocumentServices } from "#app/accounts/trust/documents.server.ts";
import {
  type EmailToken,
  expectAddress,
  findEmailToken,
  issueEmailToken,
  spendEmailToken,
} from "./email-tokens.server.ts";
import { writeTo } from "#app/notifications/notify.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { sendPasswordReset } from "./password-reset.server.ts";
import { normalizeEmail } from "./account-rules.ts";
import { completeSignIn, type SignedIn, type SignInServices, tryPassword } from "./sign-in.server.ts";
import { type CallbackQuestion, maskEmail, type QUESTION_TEXTS } from "./sign-up-rules.ts";
import {
  afterVerifiedChanged,
  hasStudentAddress,
  noteStudentProof,
} from "#app/accounts/trust/verified-effects.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/platform/duration-rules.ts";

/** How long a confirmation link works, in ms. */
const CONFIRMATION_LIFE_MS = DAY_MS;

const QUARTER_MS = 15 * MINUTE_MS;
/** Requests for one address, and from one network. A campus is one network, so the second limit is generous. */
const REQUESTS_A_QUARTER = 3;
const NETWORK_A_QUARTER = 60;
/** Emails to one address. */
const LINKS_A_DAY = 10;

/** Statements that make a link that confirms an email, and queue it. `key` names the email in the outbox. */
export function confirmationMail(
  services: SignInServices,
  to: { userId: string; email: string; name: string },
  kind: "confirmation" | "student_check" = "confirmation",
): { key: string; statements: Statement[] } {
  const { id, statements } = issueEmailToken(services, {
    userId: to.userId,
    purpose: "confirmation",
    lifeMs: CONFIRMATION_LIFE_MS,
  });
  const key = `${kind}:${id}`;
  const written = writeTo({ ...to, id: to.userId }, { kind, data: { tokenId: id } }, key, services.now());
  return { key, statements: [expectAddress(to), ...statements, written] };
}

/**
 * Whether this network may ask once more to confirm this email. The answer is the same for registered and unknown
 * emails.
 */
export async function mayAskForConfirmation(
  services: SignInServices,
  email: string,
  address: string | null,
): Promise<boolean> {
  const account = accountKey(email, services.passwordPepper);
  const allowances: Allowance[] = [
    { key: `resend:${account}`, max: REQUESTS_A_QUARTER, windowMs: QUARTER_MS },
    { key: `resend:network:${networkOf(address)}`, max: NETWORK_A_QUARTER, windowMs: QUARTER_MS },
  ];
  return takeAllowance(services, allowances);
}

/**
 * Statements that count one more link to this address today. They abort the batch (PreconditionFailed), which then
 * sends nothing, after the last one. Only emails that are sent count, so nobody uses up the links of somebody who signs
 * up later.
 */
export function countLink(services: SignInServices, email: string): Statement[] {
  const key = `resend:day:${accountKey(email, services.passwordPepper)}`;
  const allowance: Allowance = { key, max: LINKS_A_DAY, windowMs: DAY_MS };
  return [countOne(allowance, services.now()), expectThat(isWithin(allowance))];
}

/** Whether our provider takes no email now, so that a link which is asked for leaves later. */
export function linksWait(services: SignInServices): Promise<boolean> {
  return areEmailsHeld(services);
}

/**
 * Queues an email with a new link if the email belongs to an unconfirmed account, at most ten a day. Run it after the
 * answer is sent, so that neither the answer nor its timing tells whether the email is registered.
 */
export async function resendConfirmation(services: SignInServices, typedEmail: string): Promise<void> {
  const email = normalizeEmail(typedEmail);
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
  // Nothing leaves where the address was corrected at the same moment. The right one has a link of its own.
  await tryWrite(services.db, [...countLink(services, account.email), ...statements]);
}

/**
 * Queues an email with a link by which a student shows that their university's address is still theirs, at most ten a
 * day. `none`: they have no such address. `often`: no more today.
 */
export async function sendStudentCheck(
  services: SignInServices,
  userId: string,
): Promise<{ ok: true } | { ok: false; code: "none" | "often" }> {
  const [account] = await services.db
    .select({ userId: credentials.id, email: credentials.email, name: profiles.fullName })
    .from(profiles)
    .innerJoin(credentials, eq(credentials.id, profiles.id))
    .where(and(eq(profiles.id, userId), hasStudentAddress));
  if (!account) return { ok: false, code: "none" };
  const { statements } = confirmationMail(services, account, "student_check");
  const sent = await tryWrite(services.db, [...countLink(services, account.email), ...statements]);
  return sent ? { ok: true } : { ok: false, code: "often" };
}

/** Who opens a link, and what they have entered so far. */
export interface ConfirmationVisitor {
  /** The user who signed up in this browser, or whose password was entered here; null when we know of none. */
  signedUp: string | null;
  /** The user who is logged in here; null when there is none. */
  signedIn: string | null;
  /** The password that was entered; null when it hasn't been asked for. */
  password: string | null;
  /** Whether they agreed to continue although another user is logged in here. */
  switches: boolean;
  address: string | null;
  device: DeviceMark | null;
}

/** The link isn't used up. `refused`: the password was missing or wrong, or there were too many attempts. */
interface ConfirmationQuestion {
  ok: false;
  code: "question";
  question: CallbackQuestion;
  refused: keyof typeof QUESTION_TEXTS | null;
}

/** Why a link does not work. */
interface BadLink {
  ok: false;
  code: "invalid" | "expired" | "used";
}

export type ConfirmationResult = ({ ok: true; email: string } & SignedIn) | BadLink | ConfirmationQuestion;

/**
 * Uses up the link, confirms the email and returns whose session to start. If one link is opened twice at once, one
 * request succeeds. The first confirmation sends a welcome email, and each one of a university's address is a new
 * proof that they are a student.
 *
 * Anybody can sign up with an email that isn't theirs, and wait until its owner opens the link. Both would then have
 * the account. So a browser that didn't sign up must enter the password, and each attempt counts like a login. A
 * session never changes to another account without a question.
 */
export async function confirmEmail(
  services: SignInServices,
  token: string,
  visitor: ConfirmationVisitor,
): Promise<ConfirmationResult> {
  const found = await findEmailToken(services, { token, purpose: "confirmation" });
  if (!found.ok) return found;
  const checked = await checkVisitor(services, found.token, visitor);
  if (!checked.ok) return checked;
  const { id, userId, email, sessionEpoch } = found.token;
  const now = services.now();
  const { name, isFirst } = await findConfirming(services, userId);
  const welcome = writeTo({ id: userId, email, name }, { kind: "welcome", data: {} }, `welcome:${userId}`, now);
  try {
    const signedIn = await completeSignIn(services, { id: userId, email, sessionEpoch }, [
      ...spendEmailToken(services, id),
      build
        .update(credentials)
        .set({ emailConfirmedAt: sql`COALESCE(${credentials.emailConfirmedAt}, ${now})`, updatedAt: now })
        .where(eq(credentials.id, userId)),
      noteStudentProof(userId, "address", now),
      ...afterVerifiedChanged(idList(userId), now),
      ...(isFirst ? [welcome] : []),
      ...checked.counterResets,
    ]);
    return { ok: true, email, ...signedIn };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "used" };
    throw error;
  }
}

/** Whether the visitor signed up and wants to continue with that account; otherwise the question to ask. */
async function checkVisitor(
  services: SignInServices,
  { userId, email }: EmailToken,
  visitor: ConfirmationVisitor,
): Promise<{ ok: true; counterResets: Statement[] } | ConfirmationQuestion> {
  const { signedUp, signedIn, password, switches, ...from } = visitor;
  const question = {
    email: maskEmail(email),
    password: ![signedUp, signedIn].includes(userId),
    switches: signedIn !== null && signedIn !== userId,
  };
  const ask = (refused: ConfirmationQuestion["refused"]): ConfirmationQuestion => ({
    ok: false,
    code: "question",
    question,
    refused,
  });
  if ((question.password && password === null) || (question.switches && !switches)) return ask(null);
  if (!question.password) return { ok: true, counterResets: [] };
  if (!password) return ask("missing");
  const tried = await tryPassword(services, { email, password, ...from });
  return tried.ok ? { ok: true, counterResets: tried.counterResets } : ask(tried.code);
}

/**
 * Emails a link to choose a new password to the address that got the confirmation link. Returns that address, masked.
 */
export async function sendPasswordResetInstead(
  services: SignInServices,
  token: string,
): Promise<{ ok: true; email: string; sending: Promise<boolean> } | BadLink> {
  const found = await findEmailToken(services, { token, purpose: "confirmation" });
  return found.ok
    ? { ok: true, email: maskEmail(found.token.email), sending: sendPasswordReset(services, found.token.email) }
    : found;
}

/** The owner of the email never signed up: deletes the account that somebody else made with the email. */
export async function disownSignUp(
  services: SignInServices & DocumentServices,
  token: string,
): Promise<{ ok: true; documentKeys: string[] } | BadLink> {
  const found = await findEmailToken(services, { token, purpose: "confirmation" });
  if (!found.ok) return found;
  const dropped = await dropSignUp(services, found.token.userId);
  return dropped.ok ? dropped : { ok: false, code: "used" };
}

async function findConfirming(services: SignInServices, userId: string): Promise<{ name: string; isFirst: boolean }> {
  const [row] = await services.db
    .select({ name: profiles.fullName, isFirst: asBoolean(isNull(credentials.emailConfirmedAt)) })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.id, userId));
  return { name: row?.name ?? "", isFirst: row?.isFirst ?? false };
}
