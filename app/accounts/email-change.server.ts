/** Changing the address that somebody logs in with (docs/product-rules.md, "Email"). */
import { and, desc, eq, gt, isNull, min, ne, not, sql } from "drizzle-orm";
import {
  expectOneChange,
  expectThat,
  PreconditionFailed,
  commitAndRead,
  commitBatch,
  holds,
  runBatch,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, emailTokens, profiles, wholesalerCodes } from "#app/db/schema.ts";
import { writeTo } from "#app/notifications/notify.server.ts";
import { normaliseEmail } from "./account-rules.ts";
import { hasAdminRole } from "./admin-role.server.ts";
import { dropSignUp } from "./erase.server.ts";
import { barred, isBarredEmail, keepBlocks, rememberFormerEmail } from "./deleted-accounts.server.ts";
import { accountKey } from "./devices.server.ts";
import type { DocumentServices } from "./documents.server.ts";
import {
  findEmailToken,
  issueEmailToken,
  spendEmailToken,
  spendLinksOf,
  spendUndoToken,
} from "./email-tokens.server.ts";
import { resetLink } from "./password-reset.server.ts";
import { checkOwnPassword, epochOf, type PasswordRefusal } from "./settings.server.ts";
import type { SignInServices } from "./sign-in.server.ts";
import { maskEmail } from "./sign-up-rules.ts";
import { removeStepsSince } from "./two-step/two-step.server.ts";

const DAY_MS = 24 * 60 * 60_000;
/** How long the link to the new address works, ms. */
const CHANGE_LIFE_MS = DAY_MS;
/** How long the old address can undo a change after it was made, ms. */
const UNDO_LIFE_MS = 7 * DAY_MS;
/** A second step that was set up so long before a change was asked for, or later, goes with its undoing, ms. */
const NEW_STEP_MS = DAY_MS;
/** How often one account may ask in a day, and how often one address may be asked for. */
const ASKS_A_DAY = 5;

/** admin: an admin keeps the address that made them one. */
export type EmailChangeRefusal = PasswordRefusal | "same" | "often" | "admin";

/**
 * Asks for another address. It counts once its owner has pressed the link that is sent to it, logged in to this account.
 * The old address is told at once, with a link that stops it. The answer is the same for an address that has an account
 * already: its owner gets no link.
 */
export async function askForEmailChange(
  services: SignInServices,
  userId: string,
  input: { email: string; currentPassword: string },
): Promise<{ ok: true } | { ok: false; code: EmailChangeRefusal }> {
  const email = normaliseEmail(input.email);
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
  const allowances = [`email-change:${userId}`, `email-change:to:${accountKey(email, services.passwordPepper)}`];
  const allowed = await takeAllowance(
    services,
    allowances.map((key) => ({ key, max: ASKS_A_DAY, windowMs: DAY_MS })),
  );
  if (!allowed) return { ok: false, code: "often" };
  const now = services.now();
  const change = issueEmailToken(services, { userId, purpose: "email_change", lifeMs: CHANGE_LIFE_MS, email });
  const undo = issueEmailToken(services, {
    userId,
    purpose: "email_undo",
    lifeMs: CHANGE_LIFE_MS + UNDO_LIFE_MS,
    email: account.email,
  });
  const name = account.name;
  const link = { kind: "email_change", data: { tokenId: change.id } } as const;
  const notice = { kind: "email_changing", data: { newEmail: maskEmail(email), tokenId: undo.id } } as const;
  await runBatch(services.db, [
    // Only the newest link works.
    spendLinksOf(userId, now, ["email_change"]),
    ...change.statements,
    ...undo.statements,
    ...((await isTaken(services, email, userId))
      ? []
      : [writeTo({ id: userId, email, name }, link, `email_change:${change.id}`, now)]),
    writeTo({ id: userId, email: account.email, name }, notice, `email_changing:${undo.id}`, now),
  ]);
  return { ok: true };
}

/** Whether somebody has this address, or an account that had it bars it for everybody else. */
async function isTaken(services: SignInServices, email: string, userId: string): Promise<boolean> {
  const [has, isBarred] = await Promise.all([
    services.db.select({ id: credentials.id }).from(credentials).where(eq(credentials.email, email)),
    isBarredEmail(services, email, userId),
  ]);
  return has.length > 0 || isBarred;
}

/** Whose address a link sets: the new one of a change, or the old one of its undoing. Null for a link that is over. */
export interface EmailLink {
  userId: string;
  /** The address that the link sets. */
  email: string;
}

/** Reads a link without using it up, because mail scanners open links too. */
export async function findEmailLink(
  services: SignInServices,
  input: { token: string; purpose: "email_change" | "email_undo" },
): Promise<EmailLink | null> {
  const found = await findEmailToken(services, input);
  return found.ok && found.token.newEmail !== null ? { userId: found.token.userId, email: found.token.newEmail } : null;
}

type LinkRefusal = "over" | "taken" | "barred" | "admin";

export type EmailChange = { ok: true; epoch: number; email: string } | { ok: false; code: LinkRefusal };

/**
 * Makes the change of a link that was pressed by `userId`, who is logged in. Every session ends; `epoch` is for the new
 * session of this browser. Both addresses are told. What is verified by the address follows the new one (triggers). A
 * link of somebody else's account is `over`.
 */
export async function changeEmail(services: SignInServices, userId: string, token: string): Promise<EmailChange> {
  const found = await findEmailToken(services, { token, purpose: "email_change" });
  if (!found.ok || found.token.userId !== userId || found.token.newEmail === null) return { ok: false, code: "over" };
  const { id, email: old, newEmail } = found.token;
  const now = services.now();
  const isUndo = and(eq(emailTokens.purpose, "email_undo"), eq(emailTokens.email, old), isNull(emailTokens.usedAt));
  const [undo] = await services.db
    .select({ id: emailTokens.id, name: profiles.fullName })
    .from(emailTokens)
    .innerJoin(profiles, eq(profiles.id, emailTokens.userId))
    .where(and(eq(emailTokens.userId, userId), isUndo))
    .orderBy(desc(emailTokens.createdAt))
    .limit(1);
  const tellAddress = (address: string, which: "old" | "new", tokenId: string | null) =>
    writeTo(
      { id: userId, email: address, name: undo?.name ?? "" },
      { kind: "email_changed", data: { newEmail: maskEmail(newEmail), tokenId } },
      `email_changed:${id}:${which}`,
      now,
    );
  try {
    const writes = [
      expectThat(not(hasAdminRole(userId))),
      ...spendEmailToken(services, id),
      ...setEmail(services, userId, { from: old, to: newEmail }, now),
      ...(undo
        ? [
            build
              .update(emailTokens)
              .set({ expiresAt: now + UNDO_LIFE_MS })
              .where(eq(emailTokens.id, undo.id)),
          ]
        : []),
      tellAddress(old, "old", undo?.id ?? null),
      tellAddress(newEmail, "new", null),
    ];
    const [[account]] = await commitAndRead(services.db, writes, [epochOf(userId)]);
    return account ? { ok: true, epoch: account.epoch, email: newEmail } : { ok: false, code: "over" };
  } catch (error) {
    return refusal(services, userId, newEmail, error);
  }
}

/** Why the batch of a change failed with `error`. An address that was free when it was asked for may be barred by now. */
async function refusal(
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

/** Statements that set a confirmed address and end every session. Links that were sent to the address before stop working. */
function setEmail(
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
    build.update(profiles).set({ email: to, updatedAt: now }).where(eq(profiles.id, userId)),
    build.update(wholesalerCodes).set({ usedBy: to }).where(eq(wholesalerCodes.usedBy, from)),
    spendLinksOf(userId, now, ["password_reset", "confirmation"]),
  ];
}

/**
 * The owner of the old address didn't ask for the change: the old address is back, every session ends, and the password
 * and the Google login that somebody else may know or have are removed, and so are the second steps that are no older than a
 * day before the change. Older ones stay: they are the owner's, and stop whoever has only their old mailbox. The old address
 * gets a link to choose a new password. It undoes all changes since, and leaves the older ways back, so the oldest link wins.
 * Whoever was made an admin by the new address is none any more. `taken`: another account with a confirmed email has the
 * address now. `barred`: nobody may use it any more.
 */
export async function undoEmailChange(
  services: SignInServices & DocumentServices,
  token: string,
): Promise<{ ok: true; userId: string; email: string; documentKeys: string[] } | { ok: false; code: LinkRefusal }> {
  const found = await findEmailToken(services, { token, purpose: "email_undo" });
  if (!found.ok || found.token.newEmail === null) return { ok: false, code: "over" };
  const { userId, email: current, newEmail: old } = found.token;
  const now = services.now();
  // Whoever took the account could sign up with the old address, which they can't confirm, to keep it away from its owner.
  const isUnconfirmed = and(ne(credentials.id, userId), isNull(credentials.emailConfirmedAt));
  const isUndo = and(eq(emailTokens.purpose, "email_undo"), eq(emailTokens.email, old));
  const [[unconfirmed], [profile], [first]] = await runBatch(services.db, [
    build
      .select({ id: credentials.id })
      .from(credentials)
      .where(and(eq(credentials.email, old), isUnconfirmed)),
    build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, userId)),
    // Whoever took the account may have asked for a change more than once.
    build
      .select({ issuedAt: min(emailTokens.createdAt).as("issued_at") })
      .from(emailTokens)
      .where(and(eq(emailTokens.userId, userId), isUndo, isNull(emailTokens.usedAt), gt(emailTokens.expiresAt, now))),
  ]);
  const dropped = unconfirmed ? await dropSignUp(services, unconfirmed.id) : null;
  try {
    await commitBatch(services.db, [
      ...spendUndoToken(services, found.token),
      ...setEmail(services, userId, { from: current, to: old }, now),
      build.update(credentials).set({ passwordHash: null, googleSubject: null }).where(eq(credentials.id, userId)),
      build.update(profiles).set({ isGoogleUser: false, adminRole: null }).where(eq(profiles.id, userId)),
      ...removeStepsSince(userId, (first?.issuedAt ?? now) - NEW_STEP_MS),
      ...resetLink(services, { id: userId, email: old, name: profile?.name ?? null }),
    ]);
  } catch (error) {
    return refusal(services, userId, old, error);
  }
  return { ok: true, userId, email: old, documentKeys: dropped?.ok ? dropped.documentKeys : [] };
}
