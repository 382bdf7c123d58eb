import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { and, eq, isNull, or, sql } from "drizzle-orm";
import { z } from "zod";
import {
  PreconditionFailed,
  type Statement,
  UniqueViolation,
  expectOneChange,
  retryOnConflict,
  write,
} from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { type CookieOptions, createSignedCookie, type SignedCookie } from "#app/platform/signed-cookie.server.ts";
import type { GoogleIdentity, GooglePending } from "./google.ts";
import { noteInvitation } from "#app/accounts/invitations/invitations.server.ts";
import { isBarredEmail, keepBlocks } from "./remembered-emails.server.ts";
import { spendLinksOf } from "./email-tokens.server.ts";
import { forgetSignUp } from "./forget-sign-up.server.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { normaliseEmail } from "./account-rules.ts";
import { tellGoogleLinked } from "./tell-security.server.ts";
import { completeSignIn, type SignedIn, type SignInServices } from "./sign-in.server.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";

export type GoogleResult =
  | ({ ok: true; email: string } & SignedIn)
  /**
   * suspended: also where the email is barred. unverified: Google has not verified the email; taken: another Google
   * account is linked to it.
   */
  | { ok: false; code: "suspended" | "unverified" | "taken" };

type Account = typeof credentials.$inferSelect;

const MAX_TRIES = 3;

/**
 * Logs in a person that Google has identified: by Google's own id, else by an email that Google has verified, else with
 * a new account, which goes on at `to`. Somebody else may have signed up with that email without confirming it. Then
 * their password, sessions and details (`forgetSignUp`) are deleted before the owner of the email gets in.
 */
export function signInWithGoogle(
  services: SignInServices,
  identity: GoogleIdentity,
  to: string | null = null,
): Promise<GoogleResult> {
  // Two windows may return at once. The second one finds the account that the first one made.
  return retryOnConflict(MAX_TRIES, () => signInOnce(services, identity, to), [PreconditionFailed, UniqueViolation]);
}

async function signInOnce(
  services: SignInServices,
  identity: GoogleIdentity,
  to: string | null,
): Promise<GoogleResult> {
  const email = normaliseEmail(identity.email);
  const found = await services.db
    .select()
    .from(credentials)
    .where(or(eq(credentials.googleSubject, identity.subject), eq(credentials.email, email)));
  const linked = found.find((account) => account.googleSubject === identity.subject);
  if (linked) return enter(services, linked);
  if (!identity.emailVerified) return { ok: false, code: "unverified" };

  const [namesake] = found;
  if (namesake?.googleSubject) return { ok: false, code: "taken" };
  if (namesake) return enter(services, endingEarlierSessions(namesake), link(services, namesake, identity, to));
  if (await isBarredEmail(services, email)) return { ok: false, code: "suspended" };
  return create(services, { ...identity, email }, to);
}

async function enter(services: SignInServices, account: Account, before: Statement[] = []): Promise<GoogleResult> {
  if (account.suspendedAt !== null) return { ok: false, code: "suspended" };
  return { ok: true, email: account.email, ...(await completeSignIn(services, account, before)) };
}

/** The account after linking. Sessions from before its email was confirmed have ended. */
function endingEarlierSessions(account: Account): Account {
  return account.emailConfirmedAt === null ? { ...account, sessionEpoch: account.sessionEpoch + 1 } : account;
}

function link(services: SignInServices, account: Account, identity: GoogleIdentity, to: string | null): Statement[] {
  const now = services.now();
  const unconfirmed = account.emailConfirmedAt === null;
  const takeOver = unconfirmed
    ? { emailConfirmedAt: now, passwordHash: null, sessionEpoch: account.sessionEpoch + 1 }
    : {};
  return [
    ...(unconfirmed ? forgetSignUp(account.id, now) : tellGoogleLinked(services, account.id)),
    build
      .update(credentials)
      .set({ googleSubject: identity.subject, ...takeOver, updatedAt: now })
      .where(
        and(
          eq(credentials.id, account.id),
          // Google vouches for this address alone. A sign-up's may be corrected at the same moment.
          eq(credentials.email, account.email),
          isNull(credentials.googleSubject),
          eq(credentials.sessionEpoch, account.sessionEpoch),
          isNull(credentials.suspendedAt),
          sql`${credentials.emailConfirmedAt} IS ${account.emailConfirmedAt}`,
        ),
      ),
    expectOneChange(),
    ...(unconfirmed ? [spendLinksOf(account.id, now), ...noteInvitation(account.id, to, now)] : []),
    build
      .update(profiles)
      .set({ isGoogleUser: true, ...(unconfirmed ? nameColumns(nameOf(identity)) : {}), updatedAt: now })
      .where(eq(profiles.id, account.id)),
    ...afterVerifiedChanged(idList(account.id)),
    copyEdited(PERSON_COPY, idList(account.id), now),
  ];
}

/** The name from Google. If our rules refuse it, the profile form asks for another one. */
function nameOf({ name }: GoogleIdentity): string {
  const named = visibleText(name).trim().slice(0, 120);
  return nameError(named, "person") === null ? named : "";
}

async function create(services: SignInServices, identity: GoogleIdentity, to: string | null): Promise<GoogleResult> {
  const id = crypto.randomUUID();
  const now = services.now();
  const { email, subject } = identity;
  const name = nameColumns(nameOf(identity));
  await write(services.db, [
    build
      .insert(credentials)
      .values({ id, email, googleSubject: subject, emailConfirmedAt: now, createdAt: now, updatedAt: now }),
    build.insert(profiles).values({ id, email, ...name, isGoogleUser: true, createdAt: now, updatedAt: now }),
    ...afterVerifiedChanged(idList(id)),
    keepBlocks(services, id, email, now),
    ...noteInvitation(id, to, now),
  ]);
  return { ok: true, email, ...(await completeSignIn(services, { id, email, sessionEpoch: 1 })) };
}

const pendingSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  to: z.string().nullable(),
});

/** The signed cookie between leaving for Google and coming back. It lives for ten minutes and is deleted on return. */
export type GoogleCookie = SignedCookie<GooglePending & { to: string | null }>;

export function createGoogleCookie(options: CookieOptions): GoogleCookie {
  return createSignedCookie(options.secure ? "__Host-google" : "google", pendingSchema, 600, options);
}
