/** Changing the address that somebody logs in with (docs/product-rules.md, "Email"). */
import { and, eq, isNull, not, sql } from "drizzle-orm";
import {
  PreconditionFailed,
  type Statement,
  UniqueViolation,
  expectOneChange,
  expectThat,
  holds,
  read,
  tryWrite,
  write,
} from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, emailTokens, profiles, wholesalerCodes } from "#app/accounts/tables.server.ts";
import { writeTo } from "#app/notifications/notify.server.ts";
import { noteAccessChange, tellAccountChange } from "./account-change.server.ts";
import { normalizeEmail } from "./account-rules.ts";
import { hasAdminRole } from "#app/accounts/admin-role.server.ts";
import { barred, isBarredEmail, keepBlocks, rememberFormerEmail } from "./remembered-emails.server.ts";
import { accountKey } from "./devices.server.ts";
import {
  findEmailToken,
  hasSetAddress,
  issueEmailToken,
  spendEmailToken,
  spendLinksOf,
} from "./email-tokens.server.ts";
import { checkOwnPassword, epochOf, type PasswordRefusal } from "#app/accounts/profile/settings.server.ts";
import type { SignInServices } from "./sign-in.server.ts";
import { maskEmail } from "./sign-up-rules.ts";
import { waitingEmailChange } from "./waiting-email-change.server.ts";
import { afterVerifiedChanged, noteStudentProof } from "#app/accounts/trust/verified-effects.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How long the link to the new address works, ms. */
const CHANGE_LIFE_MS = DAY_MS;
/** How often one account may ask in a day, and how often one address may be asked for. */
const ASKS_A_DAY = 5;

/** admin: an admin keeps the address that made them one. */
export type EmailChangeRefusal = PasswordRefusal | "same" | "often" | "admin";

/**
 * Asks for another address. It counts once its owner has pressed the link that is sent to it, logged in to this
 * account. The old address is told at once, with a link that undoes it. The answer is the same for an address that has
 * an account already: its owner gets no link.
 */
export async function askForEmailChange(
  services: SignInServices,
  userId: string,
  input: { email: string; currentPassword: string },
): Promise<{ ok: true } | { ok: false; code: EmailChangeRefusal }> {
  const email = normalizeEmail(input.email);
  const [account] = await services.db
    .select({ email: credentials.email, name: profiles.fullName, adminRole: profiles.adminRole })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.id, userId));
  if (!account) return { ok: false, code: "none" };
  if (account.adminRole !== null) return { ok: false, code: "admin" };
  if (account.email === email) return { ok: false, code: "same" };
  const check = await checkOwnPassword(services, userId, input.currentPassword);
  if (!check.ok) return check;
  if (!(await mayAsk(services, userId, email))) return { ok: false, code: "often" };
  await write(services.db, [
    ...tellAccountChange(services, userId, { kind: "email_changing", data: { newEmail: maskEmail(email) } }),
    ...(await linkTo(services, { userId, email, name: account.name })),
  ]);
  return { ok: true };
}

function mayAsk(services: SignInServices, userId: string, email: string): Promise<boolean> {
  const allowances = [`email-change:${userId}`, `email-change:to:${accountKey(email, services.passwordPepper)}`];
  return takeAllowance(
    services,
    allowances.map((key) => ({ key, max: ASKS_A_DAY, windowMs: DAY_MS })),
  );
}

/** Statements that send the link to the new address, unless somebody has it. Only the newest link works. */
async function linkTo(
  services: SignInServices,
  { userId, email, name }: { userId: string; email: string; name: string },
): Promise<Statement[]> {
  const now = services.now();
  const change = issueEmailToken(services, { userId, purpose: "email_change", lifeMs: CHANGE_LIFE_MS, email });
  const link = { kind: "email_change", data: { tokenId: change.id } } as const;
  return [
    spendLinksOf(userId, now, ["email_change"]),
    ...change.statements,
    ...((await isTaken(services, email, userId))
      ? []
      : [writeTo({ id: userId, email, name }, link, `email_change:${change.id}`, now)]),
  ];
}

/** Sends the link of a change that waits once more, to the same address. The earlier link stops working. */
export async function sendEmailChangeAgain(
  services: SignInServices,
  userId: string,
): Promise<{ ok: true } | { ok: false; code: "gone" | "often" }> {
  const {
    waiting: [waiting],
    profile: [profile],
  } = await read(services.db, {
    waiting: waitingEmailChange(userId, services.now()),
    profile: build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, userId)),
  });
  if (!waiting) return { ok: false, code: "gone" };
  if (!(await mayAsk(services, userId, waiting.email))) return { ok: false, code: "often" };
  const statements = await linkTo(services, { userId, email: waiting.email, name: profile?.name ?? "" });
  // It may have been made or cancelled meanwhile.
  const isWaiting = hasRow(
    emailTokens,
    and(
      eq(emailTokens.userId, userId),
      eq(emailTokens.purpose, "email_change"),
      eq(emailTokens.email, waiting.email),
      isNull(emailTokens.usedAt),
    ),
  );
  return (await tryWrite(services.db, [expectThat(isWaiting), ...statements]))
    ? { ok: true }
    : { ok: false, code: "gone" };
}

/** Nothing comes of a change that waits for its link. Safe to repeat. */
export async function cancelEmailChange({ db, now }: SignInServices, userId: string): Promise<void> {
  await write(db, [spendLinksOf(userId, now(), ["email_change"])]);
}

/** Whether somebody has this address, or an account that had it bars it for everybody else. */
async function isTaken(services: SignInServices, email: string, userId: string): Promise<boolean> {
  const [has, isBarred] = await Promise.all([
    services.db.select({ id: credentials.id }).from(credentials).where(eq(credentials.email, email)),
    isBarredEmail(services, email, userId),
  ]);
  return has.length > 0 || isBarred;
}

/** Whose address a link sets. Null for a link that is over. */
export interface EmailLink {
  userId: string;
  /** The address that the link sets. */
  email: string;
}

/** Reads a link without using it up, because mail scanners open links too. */
export async function findEmailLink(services: SignInServices, token: string): Promise<EmailLink | null> {
  const found = await findEmailToken(services, { token, purpose: "email_change" });
  return found.ok && found.token.newEmail !== null ? { userId: found.token.userId, email: found.token.newEmail } : null;
}

export type LinkRefusal = "over" | "taken" | "barred" | "admin";

/** done: this link has made the change already, perhaps by a press whose answer was lost. */
export type EmailChange = { ok: true; epoch: number; email: string } | { ok: false; code: LinkRefusal | "done" };

/**
 * Makes the change of a link that was pressed by `userId`, who is logged in. Every session ends; `epoch` is for the new
 * session of this browser. Both addresses are told. What is verified by the address follows the new one. A
 * link of somebody else's account is `over`.
 */
export async function changeEmail(services: SignInServices, userId: string, token: string): Promise<EmailChange> {
  const changed = await tryChange(services, userId, token);
  const isOver = !changed.ok && changed.code === "over";
  return isOver && (await isEmailChanged(services, userId, token)) ? { ok: false, code: "done" } : changed;
}

/** Whether a link has been used, and the account has its address now. */
export function isEmailChanged({ db }: SignInServices, userId: string, token: string): Promise<boolean> {
  return holds(db, hasSetAddress(userId, token));
}

async function tryChange(services: SignInServices, userId: string, token: string): Promise<EmailChange> {
  const found = await findEmailToken(services, { token, purpose: "email_change" });
  if (!found.ok || found.token.userId !== userId || found.token.newEmail === null) return { ok: false, code: "over" };
  const { id, email: old, newEmail } = found.token;
  const now = services.now();
  const [profile] = await services.db.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, userId));
  const data = { newEmail: maskEmail(newEmail) };
  const toNew = { kind: "email_changed", data: { ...data, at: now, undo: null } } as const;
  try {
    const writes = [
      ...tellAccountChange(services, userId, { kind: "email_changed", data }),
      expectThat(not(hasAdminRole(userId))),
      ...spendEmailToken(services, id),
      ...setEmail(services, userId, { from: old, to: newEmail }, now),
      ...noteAccessChange(userId, now),
      writeTo({ id: userId, email: newEmail, name: profile?.name ?? "" }, toNew, `email_changed:${id}:new`, now),
    ];
    const {
      account: [account],
    } = await write(services.db, { writes, account: epochOf(userId) });
    return account ? { ok: true, epoch: account.epoch, email: newEmail } : { ok: false, code: "over" };
  } catch (error) {
    return whyNot(services, userId, newEmail, error);
  }
}

/**
 * Why the batch of a change failed with `error`. An address that was free when it was asked for may be barred by now.
 */
export async function whyNot(
  services: SignInServices,
  userId: string,
  email: string,
  error: unknown,
): Promise<{ ok: false; code: LinkRefusal }> {
  if (error instanceof UniqueViolation) return { ok: false, code: "taken" };
  if (!(error instanceof PreconditionFailed)) throw error;
  if (await isBarredEmail(services, email, userId)) return { ok: false, code: "barred" };
  return { ok: false, code: (await holds(services.db, hasAdminRole(userId))) ? "admin" : "over" };
}

/**
 * Statements that set a confirmed address and end every session. Links that were sent to the address before stop
 * working.
 */
export function setEmail(
  services: SignInServices,
  userId: string,
  { from, to }: { from: string; to: string },
  now: number,
): Statement[] {
  return [
    expectThat(not(barred(services, to, userId))),
    ...rememberFormerEmail(services, userId, { from, to }, now),
    keepBlocks(services, userId, to, now),
    build
      .update(credentials)
      .set({
        email: to,
        emailConfirmedAt: sql`COALESCE(${credentials.emailConfirmedAt}, ${now})`,
        sessionEpoch: sql`${credentials.sessionEpoch} + 1`,
        updatedAt: now,
      })
      .where(and(eq(credentials.id, userId), eq(credentials.email, from))),
    expectOneChange(),
    // They chose to show the other address.
    build.update(profiles).set({ email: to, showsEmail: false, updatedAt: now }).where(eq(profiles.id, userId)),
    noteStudentProof(userId, "address", now),
    ...afterVerifiedChanged(idList(userId), now),
    build.update(wholesalerCodes).set({ usedBy: to }).where(eq(wholesalerCodes.usedBy, from)),
    spendLinksOf(userId, now, ["password_reset", "confirmation"]),
  ];
}
