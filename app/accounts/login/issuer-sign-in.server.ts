import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { and, eq, getTableColumns, gte, isNull, lt, or, sql } from "drizzle-orm";
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
import { credentials, emailTokens, profiles } from "#app/accounts/tables.server.ts";
import { type CookieOptions, createSignedCookie, type SignedCookie } from "#app/platform/signed-cookie.server.ts";
import type { Issuer, IssuerIdentity, IssuerPending } from "./issuer.ts";
import { vouchRefusal } from "./issuer-rules.ts";
import { noteInvitation } from "#app/accounts/invitations/invitations.server.ts";
import { isBarredEmail, keepBlocks } from "./remembered-emails.server.ts";
import { spendLinksOf } from "./email-tokens.server.ts";
import { forgetSignUp } from "./forget-sign-up.server.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { normalizeEmail } from "./account-rules.ts";
import { tellLoginLinked } from "./tell-security.server.ts";
import { completeSignIn, type SignedIn, type SignInServices } from "./sign-in.server.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";
import { afterVerifiedChanged, noteStudentProof } from "#app/accounts/trust/verified-effects.server.ts";

export type IssuerResult =
  | ({ ok: true; email: string } & SignedIn)
  /**
   * suspended: also where the email is barred. unverified, other_domain: the issuer doesn't vouch for the email. taken:
   * another login of the issuer is linked to it. moved: the linked account has an address elsewhere now. admin: a
   * university's login opens no account that decides about others.
   */
  | { ok: false; code: "suspended" | "unverified" | "other_domain" | "taken" | "moved" | "admin" };

type Account = typeof credentials.$inferSelect;

const MAX_TRIES = 3;

/**
 * Logs in a person that an issuer has identified: by the issuer's own id, else by an email that it vouches for, else
 * with a new account, which goes on at `to`. Somebody else may have signed up with that email without confirming it.
 * Then their password, sessions and details (`forgetSignUp`) are deleted before the owner of the email gets in. A
 * university opens only accounts whose address is its own, and none of admins: whoever runs its login could open any
 * that it may.
 */
export function signInWithIssuer(
  services: SignInServices,
  issuer: Issuer,
  identity: IssuerIdentity,
  to: string | null = null,
): Promise<IssuerResult> {
  // Two windows may return at once. The second one finds the account that the first one made.
  return retryOnConflict(
    MAX_TRIES,
    () => signInOnce(services, issuer, { ...identity, email: normalizeEmail(identity.email) }, to),
    [PreconditionFailed, UniqueViolation],
  );
}

async function signInOnce(
  services: SignInServices,
  issuer: Issuer,
  identity: IssuerIdentity,
  to: string | null,
): Promise<IssuerResult> {
  const { email } = identity;
  const own = subjectAt(issuer, identity.subject);
  const found = await services.db
    .select({ ...getTableColumns(credentials), adminRole: profiles.adminRole })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(or(eq(credentials[own.column], own.subject), eq(credentials.email, email)));
  const linked = found.find((account) => account[own.column] === own.subject);
  const refusal = vouchRefusal(issuer, linked ? { email: linked.email, emailVerified: true } : identity);
  if (refusal) return { ok: false, code: linked ? "moved" : refusal };
  const account = linked ?? found[0];
  const isAdmin = (account?.adminRole ?? null) !== null || services.adminEmails.includes(account?.email ?? email);
  if (issuer.domain !== null && isAdmin) return { ok: false, code: "admin" };
  if (linked) return enter(services, linked, proof(issuer, linked.id, services.now()));

  if (account?.[own.column]?.startsWith(own.prefix)) return { ok: false, code: "taken" };
  if (account) return enter(services, endingEarlierSessions(account), link(services, issuer, account, identity, to));
  if (await isBarredEmail(services, email)) return { ok: false, code: "suspended" };
  return create(services, issuer, identity, to);
}

/**
 * Where the issuer's id of a person is kept, and as what. Google's and a university's have a column each, because an
 * account may be opened by both. Those of all universities have one: an account's address is at one university.
 */
function subjectAt({ key, domain }: Issuer, subject: string) {
  return domain === null
    ? ({ column: "googleSubject", prefix: "", subject } as const)
    : ({ column: "issuerSubject", prefix: `${key}:`, subject: `${key}:${subject}` } as const);
}

async function enter(services: SignInServices, account: Account, before: Statement[] = []): Promise<IssuerResult> {
  if (account.suspendedAt !== null) return { ok: false, code: "suspended" };
  return { ok: true, email: account.email, ...(await completeSignIn(services, account, before)) };
}

/** Whoever a university knows is its student still. Google says only that the mailbox was theirs once. */
function proof({ domain }: Issuer, userId: string, now: number): Statement[] {
  return [
    ...(domain === null ? [] : [noteStudentProof(userId, "address", now)]),
    ...afterVerifiedChanged(idList(userId), now),
  ];
}

/** The account after linking. Sessions from before its email was confirmed have ended. */
function endingEarlierSessions(account: Account): Account {
  return account.emailConfirmedAt === null ? { ...account, sessionEpoch: account.sessionEpoch + 1 } : account;
}

function link(
  services: SignInServices,
  issuer: Issuer,
  account: Account,
  identity: IssuerIdentity,
  to: string | null,
): Statement[] {
  const now = services.now();
  const unconfirmed = account.emailConfirmedAt === null;
  const takeOver = unconfirmed
    ? { emailConfirmedAt: now, passwordHash: null, sessionEpoch: account.sessionEpoch + 1 }
    : {};
  const { column, subject } = subjectAt(issuer, identity.subject);
  return [
    ...(unconfirmed ? forgetSignUp(account.id, now) : tellLoginLinked(services, account.id, issuer)),
    build
      .update(credentials)
      .set({ [column]: subject, ...takeOver, updatedAt: now })
      .where(
        and(
          eq(credentials.id, account.id),
          // The issuer vouches for this address alone. A sign-up's may be corrected at the same moment.
          eq(credentials.email, account.email),
          sql`${credentials[column]} IS ${account[column]}`,
          eq(credentials.sessionEpoch, account.sessionEpoch),
          isNull(credentials.suspendedAt),
          sql`${credentials.emailConfirmedAt} IS ${account.emailConfirmedAt}`,
        ),
      ),
    expectOneChange(),
    ...(unconfirmed ? [spendLinksOf(account.id, now), ...noteInvitation(account.id, to, now)] : []),
    build
      .update(profiles)
      .set({ ...(unconfirmed ? firstDetails(issuer, identity) : {}), ...googleMark(issuer), updatedAt: now })
      .where(eq(profiles.id, account.id)),
    ...proof(issuer, account.id, now),
    copyEdited(PERSON_COPY, idList(account.id), now),
  ];
}

/** What the issuer tells of them. If our rules refuse the name, the profile form asks for another one. */
function firstDetails({ campus }: Issuer, { name }: IssuerIdentity) {
  const named = visibleText(name).trim().slice(0, 120);
  return {
    ...nameColumns(nameError(named, "person") === null ? named : ""),
    campusLocation: campus?.name ?? null,
    campusLocationId: campus?.id ?? null,
  };
}

function googleMark({ domain }: Issuer) {
  return domain === null ? { isGoogleUser: true } : {};
}

async function create(
  services: SignInServices,
  issuer: Issuer,
  identity: IssuerIdentity,
  to: string | null,
): Promise<IssuerResult> {
  const id = crypto.randomUUID();
  const now = services.now();
  const { email } = identity;
  const { column, subject } = subjectAt(issuer, identity.subject);
  await write(services.db, [
    build
      .insert(credentials)
      .values({ id, email, [column]: subject, emailConfirmedAt: now, createdAt: now, updatedAt: now }),
    build
      .insert(profiles)
      .values({ id, email, ...firstDetails(issuer, identity), ...googleMark(issuer), createdAt: now, updatedAt: now }),
    ...proof(issuer, id, now),
    keepBlocks(services, id, email, now),
    ...noteInvitation(id, to, now),
  ]);
  return { ok: true, email, ...(await completeSignIn(services, { id, email, sessionEpoch: 1 })) };
}

/** A university's login goes, and with it what it linked: its successor may give the same ids to others. */
export function unlinkIssuer(domain: string): Statement[] {
  const subject = credentials.issuerSubject;
  const undone = sql`${emailTokens.accountBefore} ->> '$.issuerSubject'`;
  return [
    build
      .update(credentials)
      .set({ issuerSubject: null })
      // Each begins with the domain and ":", and ";" is what follows ":".
      .where(and(gte(subject, `${domain}:`), lt(subject, `${domain};`))),
    // Nor does a link that undoes a change bring it back.
    build
      .update(emailTokens)
      .set({ accountBefore: sql`json_set(${emailTokens.accountBefore}, '$.issuerSubject', NULL)` })
      .where(sql`${undone} >= ${`${domain}:`} AND ${undone} < ${`${domain};`}`),
  ];
}

const pendingSchema = z.object({
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  to: z.string().nullable(),
});

/** The signed cookie between leaving for an issuer and coming back. It lives for ten minutes, or until the return. */
export type IssuerCookie = SignedCookie<IssuerPending & { issuer: string; to: string | null }>;

export function createIssuerCookie(options: CookieOptions): IssuerCookie {
  return createSignedCookie(options.secure ? "__Host-issuer" : "issuer", pendingSchema, 600, options);
}
