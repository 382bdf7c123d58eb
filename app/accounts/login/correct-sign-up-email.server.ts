import { and, eq, isNull, not, sql } from "drizzle-orm";
import { PreconditionFailed, UniqueViolation, expectOneChange, expectThat, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles, wholesalerCodes } from "#app/accounts/tables.server.ts";
import { normalizeEmail } from "./account-rules.ts";
import { confirmationMail, countLink, mayAskForConfirmation } from "./confirmation.server.ts";
import { barred, keepBlocks } from "./remembered-emails.server.ts";
import { spendLinksOf } from "./email-tokens.server.ts";
import type { SignInServices } from "./sign-in.server.ts";
import { emailError } from "./sign-up-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

const CORRECTIONS_A_DAY = 5;

/**
 * Mends the address of a sign-up that isn't confirmed yet, and mails the link there. Links that were sent to the
 * mistyped address stop working. Only for the browser that signed up. The answer is the same for an address that has an
 * account, or was sent too many links today: then nothing changes and nothing is sent.
 */
export async function correctSignUpEmail(
  services: SignInServices,
  input: { userId: string; email: string; address: string | null },
): Promise<{ ok: true; email: string } | { ok: false; code: "busy" | "confirmed" } | { ok: false; error: string }> {
  const { userId } = input;
  const email = normalizeEmail(input.email);
  const error = emailError(email);
  if (error !== null) return { ok: false, error };
  const allowed =
    (await takeAllowance(services, [{ key: `correct-email:${userId}`, max: CORRECTIONS_A_DAY, windowMs: DAY_MS }])) &&
    (await mayAskForConfirmation(services, email, input.address));
  if (!allowed) return { ok: false, code: "busy" };

  const [person] = await services.db
    .select({ name: profiles.fullName })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(isUnconfirmed(userId));
  if (!person) return { ok: false, code: "confirmed" };
  const now = services.now();
  // Another correction may have changed it since.
  const addressNow = sql`${build.select({ email: credentials.email }).from(credentials).where(isUnconfirmed(userId))}`;
  try {
    await write(services.db, [
      ...countLink(services, email),
      expectThat(not(barred(services, email, userId))),
      build.update(wholesalerCodes).set({ usedBy: email }).where(eq(wholesalerCodes.usedBy, addressNow)),
      build.update(credentials).set({ email, updatedAt: now }).where(isUnconfirmed(userId)),
      expectOneChange(),
      build.update(profiles).set({ email, updatedAt: now }).where(eq(profiles.id, userId)),
      keepBlocks(services, userId, email, now),
      spendLinksOf(userId, now),
      ...confirmationMail(services, { userId, email, name: person.name }).statements,
    ]);
  } catch (failure) {
    if (failure instanceof PreconditionFailed && !(await isStillUnconfirmed(services, userId)))
      return { ok: false, code: "confirmed" };
    if (!(failure instanceof PreconditionFailed || failure instanceof UniqueViolation)) throw failure;
  }
  return { ok: true, email };
}

function isUnconfirmed(userId: string) {
  return and(eq(credentials.id, userId), isNull(credentials.emailConfirmedAt), isNull(credentials.suspendedAt));
}

async function isStillUnconfirmed({ db }: SignInServices, userId: string): Promise<boolean> {
  return (await db.select({ id: credentials.id }).from(credentials).where(isUnconfirmed(userId))).length > 0;
}
