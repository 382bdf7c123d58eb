import { PERSON_COPY } from "./person-copy.server.ts";
import { and, desc, eq, isNotNull, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { PreconditionFailed, type Statement, expectOneChange, expectThat, holds, read, write } from "#app/db/batch.ts";
import { asBoolean, build, idList, pick } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles, verificationDocuments } from "#app/accounts/tables.server.ts";
import { rateCounters } from "#app/db/tables.server.ts";
import type { AdminRole } from "#app/db/states/admin.ts";
import { type Campus, campusRows, listCampuses, matchCampus } from "./campuses.server.ts";
import { spendLinksOf } from "#app/accounts/login/email-tokens.server.ts";
import {
  hasPendingDocument,
  isVerifiedByOtherName,
  type Member,
  memberRow,
  readMember,
  reviewNewName,
} from "#app/accounts/member.server.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { isAsRead, type OwnDetails } from "./own-details.server.ts";
import { moneyComing, type PhoneRefusal, removePhone, savePhone } from "./payout-phone.server.ts";
import { hashPassword, verifyPassword } from "#app/accounts/login/passwords.server.ts";
import { tellPasswordChanged } from "#app/accounts/login/tell-security.server.ts";
import { PASSWORD_MAX_LENGTH, SIGN_IN_PAUSE_MS, SIGN_IN_TRIES } from "#app/accounts/login/account-rules.ts";
import type { SignInServices } from "#app/accounts/login/sign-in.server.ts";
import { waitingEmailChange } from "#app/accounts/login/waiting-email-change.server.ts";
import { hasSecondStep } from "#app/accounts/two-step/has-second-step.server.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";
import { type StudentStand, studentStand } from "#app/accounts/trust/student-end-rules.ts";
import { afterVerifiedChanged, hasStudentAddress } from "#app/accounts/trust/verified-effects.server.ts";

/** A verification document as its owner sees it. */
export interface OwnDocument {
  id: string;
  documentType: "student_id" | "business_license";
  fileName: string;
  sizeBytes: number;
  status: "pending" | "approved" | "rejected";
  /** Why it was rejected. */
  reason: string | null;
  /** Since when its file is gone, ms since 1970; null while it can be opened. */
  fileDeletedAt: number | null;
  /** Ms since 1970. */
  createdAt: number;
}

export interface Settings {
  member: Member;
  email: string;
  phone: string | null;
  accountType: "student" | "wholesaler";
  verificationStatus: "pending" | "approved" | "rejected";
  /** Until when they are a verified student, where that stands, and whether their address is at a university. */
  until: number | null;
  stand: StudentStand;
  byAddress: boolean;
  /** False for users who log in with an issuer only. */
  hasPassword: boolean;
  adminRole: AdminRole | null;
  /** Members read the email on their seller page. */
  showsEmail: boolean;
  /** Something is sold and its money hasn't arrived, so changing the phone needs the password. */
  moneyComing: boolean;
  /** The new address that has a link to open, and until when the link works, ms; null without one. */
  waitingEmail: { email: string; until: number } | null;
  documents: OwnDocument[];
  campuses: Campus[];
}

/**
 * All data of the settings screen; null when the user has no profile. `listings`: how many listings they have
 * (`listedBy`). One round trip.
 */
export async function findSettings(
  { db, now }: Store,
  userId: string,
  listings: SQL<number>,
): Promise<Settings | null> {
  const {
    head,
    account: [account],
    documents,
    campuses,
    waitingEmail: [waitingEmail = null],
  } = await read(db, {
    head: memberRow(db, userId, listings),
    account: build
      .select({
        email: credentials.email,
        ...pick(profiles, "phone", "accountType", "verificationStatus"),
        until: profiles.studentUntil,
        byAddress: asBoolean(hasStudentAddress),
        hasPassword: asBoolean(isNotNull(credentials.passwordHash)),
        ...pick(profiles, "adminRole", "showsEmail"),
        moneyComing: asBoolean(moneyComing(userId)),
      })
      .from(credentials)
      .innerJoin(profiles, eq(profiles.id, credentials.id))
      .where(eq(credentials.id, userId)),
    documents: ownDocuments(userId),
    campuses: campusRows(),
    waitingEmail: waitingEmailChange(userId, now()),
  });
  const member = readMember(head);
  if (!account || !member) return null;
  const stand = studentStand(account.until, now());
  return { member, ...account, stand, waitingEmail, documents, campuses };
}

function ownDocuments(userId: string) {
  const { verificationStatus } = verificationDocuments;
  return build
    .select({
      ...pick(verificationDocuments, "id", "documentType", "fileName", "sizeBytes"),
      status: sql<OwnDocument["status"]>`${verificationStatus}`,
      reason: verificationDocuments.reviewReason,
      ...pick(verificationDocuments, "fileDeletedAt", "createdAt"),
    })
    .from(verificationDocuments)
    .where(and(eq(verificationDocuments.userId, userId), ne(verificationStatus, "replaced")))
    .orderBy(desc(verificationDocuments.createdAt))
    .limit(20);
}

/**
 * Saves what users may change about themselves. `phone` as 254XXXXXXXXX. If a new number needs the password,
 * `currentPassword` is checked. `moveListings`: what the new campus changes besides, in the same batch. `mergedWith`:
 * what the change was merged with.
 * @throws PreconditionFailed where somebody changed the profile since `mergedWith` was read
 */
export async function changeDetails(
  services: SignInServices,
  userId: string,
  input: { fullName: string; phone: string | null; campusLocation: string; currentPassword: string },
  moveListings: (sellers: SQLWrapper, campus: string | null, now: number) => Statement[],
  mergedWith?: OwnDetails,
): Promise<
  | { ok: true; review: NameReview }
  | { ok: false; phone: PhoneRefusal; password: PasswordRefusal | null }
  | { ok: false; phone: "needed" }
> {
  const { phone, currentPassword } = input;
  const campus = matchCampus(await listCampuses(services.db), input.campusLocation);
  const isReviewed = await holds(services.db, isVerifiedByOtherName(userId, input.fullName));
  const saidOf = async () => ({ ok: true, review: isReviewed ? await reviewOfName(services, userId) : null }) as const;
  const now = services.now();
  const changes = [
    ...writeDetails(userId, { fullName: input.fullName, ...campus }, now),
    ...moveListings(idList(userId), campus.campusLocation, now),
  ];
  const guard = mergedWith === undefined ? undefined : isAsRead(userId, mergedWith);
  if (phone === null) {
    const isRemoved = await removePhone(services, userId, changes, guard);
    return isRemoved ? saidOf() : { ok: false, phone: "needed" };
  }
  let saved = await savePhone(services, { userId, phone, passwordHash: null, isAsRead: guard }, changes);
  if (!saved.ok) {
    const refused = saved.code;
    const check = await checkOwnPassword(services, userId, currentPassword);
    if (!check.ok) return { ok: false, phone: refused, password: check.code };
    saved = await savePhone(services, { userId, phone, passwordHash: check.hash, isAsRead: guard }, changes);
    if (!saved.ok) return { ok: false, phone: saved.code, password: saved.code === "money_coming" ? "wrong" : null };
  }
  return saidOf();
}

/**
 * What becomes of the new name of a verified person, who isn't verified until then; null for any other change. waits:
 * our team checks it. needs_document: the file that it would be compared with is deleted.
 */
type NameReview = "waits" | "needs_document" | null;

async function reviewOfName({ db }: Store, userId: string): Promise<NameReview> {
  return (await holds(db, hasPendingDocument(userId))) ? "waits" : "needs_document";
}

type Details = Pick<typeof profiles.$inferInsert, "campusLocation" | "campusLocationId"> & { fullName: string };

function writeDetails(userId: string, details: Details, now: number): Statement[] {
  return [
    expectThat(isOpenAccount(userId)),
    ...reviewNewName(userId, details.fullName),
    build
      .update(profiles)
      .set({ ...details, ...nameColumns(details.fullName), updatedAt: now })
      .where(eq(profiles.id, userId)),
    ...afterVerifiedChanged(idList(userId), now),
    copyEdited(PERSON_COPY, idList(userId), now),
  ];
}

/** Shows the email to members on the person's seller page, or hides it. */
export async function showEmail({ db, now }: Store, userId: string, isShown: boolean): Promise<void> {
  await write(db, [
    build.update(profiles).set({ showsEmail: isShown, updatedAt: now() }).where(eq(profiles.id, userId)),
  ]);
}

/** wrong: the password is wrong. busy: too many attempts. none: the account has no password. */
export type PasswordRefusal = "wrong" | "busy" | "none";
type PasswordCheck = { ok: true; hash: string } | { ok: false; code: PasswordRefusal };

/**
 * Checks the password before a change that a person who borrowed the phone must not make. Ten attempts in 15 minutes.
 */
export async function checkOwnPassword(
  services: SignInServices,
  userId: string,
  password: string,
): Promise<PasswordCheck> {
  const [account] = await services.db
    .select({ hash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.id, userId));
  if (!account || account.hash === null) return { ok: false, code: "none" };
  const allowed = await takeAllowance(services, [
    { key: `own-password:${userId}`, max: SIGN_IN_TRIES, windowMs: SIGN_IN_PAUSE_MS },
  ]);
  if (!allowed) return { ok: false, code: "busy" };
  const matches =
    password.length <= PASSWORD_MAX_LENGTH && (await verifyPassword(password, services.passwordPepper, account.hash));
  if (!matches) return { ok: false, code: "wrong" };
  await write(services.db, [build.delete(rateCounters).where(eq(rateCounters.key, `own-password:${userId}`))]);
  return { ok: true, hash: account.hash };
}

export async function hasPassword({ db }: SignInServices, userId: string): Promise<boolean> {
  const [account] = await db
    .select({ has: asBoolean(isNotNull(credentials.passwordHash)) })
    .from(credentials)
    .where(eq(credentials.id, userId));
  return account?.has === true;
}

/** Whether the password alone shows whose account it is: it has one, and no second step. */
export async function passwordIsEnough({ db }: SignInServices, userId: string): Promise<boolean> {
  const isEnough = sql`${credentials.passwordHash} IS NOT NULL AND NOT ${hasSecondStep(userId)}`;
  const [account] = await db
    .select({ isEnough: asBoolean(isEnough) })
    .from(credentials)
    .where(eq(credentials.id, userId));
  return account?.isEnough === true;
}

export type PasswordChange = { ok: true; epoch: number } | { ok: false; code: PasswordRefusal };

/**
 * Changes the password of a user who knows the current one. Every session ends; `epoch` is for the new session of this
 * browser. If two changes run at once, one succeeds and the other returns "wrong". The first password of an
 * account without one is set by an emailed link (`sendPasswordReset`), so that a borrowed session can't set it.
 */
export async function changePassword(
  services: SignInServices,
  userId: string,
  input: { currentPassword: string; newPassword: string },
): Promise<PasswordChange> {
  const check = await checkOwnPassword(services, userId, input.currentPassword);
  if (!check.ok) return check;
  const hash = await hashPassword(input.newPassword, services.passwordPepper);
  const now = services.now();
  try {
    const writes = [
      ...tellPasswordChanged(services, userId),
      build
        .update(credentials)
        .set({ passwordHash: hash, sessionEpoch: sql`${credentials.sessionEpoch} + 1`, updatedAt: now })
        .where(and(eq(credentials.id, userId), eq(credentials.passwordHash, check.hash))),
      expectOneChange(),
      spendLinksOf(userId, now, ["password_reset"]),
    ];
    const {
      account: [account],
    } = await write(services.db, { writes, account: epochOf(userId) });
    return account ? { ok: true, epoch: account.epoch } : { ok: false, code: "wrong" };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "wrong" };
    throw error;
  }
}

/** The query for the epoch that sessions of an account need now. */
export function epochOf(userId: string) {
  return build.select({ epoch: credentials.sessionEpoch }).from(credentials).where(eq(credentials.id, userId));
}
