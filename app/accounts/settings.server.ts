import { sql } from "drizzle-orm";
import {
  changesOf,
  commitAndRead,
  expectOneChange,
  PreconditionFailed,
  rowOf,
  rowsOf,
  runBatch,
  type Statement,
} from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import type { Campus } from "./campuses.server.ts";
import { type Member, memberRow, readMember, reviewNewName } from "./member.server.ts";
import { moneyComing, type PhoneRefusal, removePhone, savePhone } from "./payout-phone.server.ts";
import { hashPassword, verifyPassword } from "./passwords.server.ts";
import { passwordChangedMail } from "./security-mails.server.ts";
import { PASSWORD_MAX_LENGTH, SIGN_IN_PAUSE_MS, SIGN_IN_TRIES } from "./account-rules.ts";
import type { SignInServices } from "./sign-in.server.ts";

/** A verification document as its owner sees it. */
export interface OwnDocument {
  id: string;
  documentType: "student_id" | "business_license";
  fileName: string;
  sizeBytes: number;
  status: "pending" | "approved" | "rejected";
  /** Why it was rejected. */
  reason: string | null;
  /** Ms since 1970. */
  createdAt: number;
}

export interface Settings {
  member: Member;
  email: string;
  phone: string | null;
  accountType: "student" | "wholesaler";
  verificationStatus: "pending" | "approved" | "rejected";
  /** False for users who log in with Google only. */
  hasPassword: boolean;
  hasGoogle: boolean;
  isAdmin: boolean;
  /** Something is sold and its money hasn't arrived, so changing the phone needs the password. */
  moneyComing: boolean;
  documents: OwnDocument[];
  campuses: Campus[];
}

interface SettingsRow {
  email: string;
  phone: string | null;
  accountType: Settings["accountType"];
  verificationStatus: Settings["verificationStatus"];
  hasPassword: number;
  hasGoogle: number;
  isAdmin: number;
  moneyComing: number;
}

/** All data of the settings screen; null when the user has no profile. One round trip. */
export async function findSettings(db: Database, userId: string): Promise<Settings | null> {
  const [head, profile, documents, campuses] = await runBatch(db, [
    memberRow(db, userId),
    sql`SELECT c.email, p.phone, p.account_type AS accountType, p.verification_status AS verificationStatus,
        c.password_hash IS NOT NULL AS hasPassword, c.google_subject IS NOT NULL AS hasGoogle, p.is_admin AS isAdmin, ${moneyComing(userId)} AS moneyComing
      FROM credentials c JOIN profiles p ON p.id = c.id WHERE c.id = ${userId}`,
    sql`SELECT id, document_type AS documentType, file_name AS fileName, size_bytes AS sizeBytes, verification_status AS status,
        review_reason AS reason, created_at AS createdAt
      FROM verification_documents WHERE user_id = ${userId} AND verification_status <> 'replaced' ORDER BY created_at DESC LIMIT 20`,
    sql`SELECT id, name FROM campus_locations ORDER BY name COLLATE NOCASE`,
  ]);
  const row = rowOf<SettingsRow>(profile);
  const member = readMember(head);
  if (!row || !member) return null;
  const { email, phone, accountType, verificationStatus } = row;
  return {
    member,
    email,
    phone,
    accountType,
    verificationStatus,
    hasPassword: row.hasPassword === 1,
    hasGoogle: row.hasGoogle === 1,
    isAdmin: row.isAdmin === 1,
    moneyComing: row.moneyComing === 1,
    documents: rowsOf<OwnDocument>(documents),
    campuses: rowsOf<Campus>(campuses),
  };
}

/**
 * Saves what users may change about themselves. `phone` as 254XXXXXXXXX. If a new number needs the password,
 * `currentPassword` is checked. `underReview`: the new name of a verified person has to be checked first.
 */
export async function changeDetails(
  services: SignInServices,
  userId: string,
  input: { fullName: string; phone: string | null; campusLocation: string; currentPassword: string },
): Promise<
  | { ok: true; underReview: boolean }
  | { ok: false; phone: PhoneRefusal; password: PasswordRefusal | null }
  | { ok: false; phone: "needed" }
> {
  const { phone, currentPassword } = input;
  const statements = writeDetails(userId, input, services.now());
  if (phone === null) {
    const removed = await removePhone(services, userId, statements);
    return removed.ok ? { ok: true, underReview: wasRenamed(removed.results) } : { ok: false, phone: "needed" };
  }
  let saved = await savePhone(services, { userId, phone, passwordHash: null }, statements);
  if (!saved.ok) {
    const refused = saved.code;
    const check = await checkOwnPassword(services, userId, currentPassword);
    if (!check.ok) return { ok: false, phone: refused, password: check.code };
    saved = await savePhone(services, { userId, phone, passwordHash: check.hash }, statements);
    if (!saved.ok) return { ok: false, phone: saved.code, password: saved.code === "money_coming" ? "wrong" : null };
  }
  return { ok: true, underReview: wasRenamed(saved.results) };
}

/** Whether the second statement of `writeDetails` put a verified person under review again. */
function wasRenamed(results: readonly unknown[]): boolean {
  return changesOf(results[1]) === 1;
}

function writeDetails(userId: string, input: { fullName: string; campusLocation: string }, now: number): Statement[] {
  return [
    ...reviewNewName(userId, input.fullName),
    sql`UPDATE profiles SET full_name = ${input.fullName},
        campus_location = COALESCE((SELECT name FROM campus_locations WHERE lower(name) = lower(${input.campusLocation})), NULLIF(${input.campusLocation}, '')),
        campus_location_id = (SELECT id FROM campus_locations WHERE lower(name) = lower(${input.campusLocation})), updated_at = ${now}
      WHERE id = ${userId}`,
  ];
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
  const [account] = await services.db.all<{ hash: string | null }>(
    sql`SELECT password_hash AS hash FROM credentials WHERE id = ${userId}`,
  );
  if (!account || account.hash === null) return { ok: false, code: "none" };
  const allowed = await takeAllowance(services, [
    { key: `own-password:${userId}`, max: SIGN_IN_TRIES, windowMs: SIGN_IN_PAUSE_MS },
  ]);
  if (!allowed) return { ok: false, code: "busy" };
  const matches =
    password.length <= PASSWORD_MAX_LENGTH && (await verifyPassword(password, services.passwordPepper, account.hash));
  if (!matches) return { ok: false, code: "wrong" };
  await services.db.run(sql`DELETE FROM rate_counters WHERE key = ${`own-password:${userId}`}`);
  return { ok: true, hash: account.hash };
}

export type PasswordChange = { ok: true; epoch: number } | { ok: false; code: PasswordRefusal };

/**
 * Changes the password of a user who knows the current one. Every session ends; `epoch` is for the new session of this
 * browser. If two changes run at once, one succeeds and the other returns "wrong". The first password of a Google
 * account is set by an emailed link (`sendPasswordReset`), so that a borrowed session can't set it.
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
      sql`UPDATE credentials SET password_hash = ${hash}, session_epoch = session_epoch + 1, updated_at = ${now}
        WHERE id = ${userId} AND password_hash = ${check.hash}`,
      expectOneChange(),
      sql`UPDATE email_tokens SET used_at = ${now} WHERE user_id = ${userId} AND purpose = 'password_reset' AND used_at IS NULL`,
      passwordChangedMail(userId, now),
    ];
    const [found] = await commitAndRead(services.db, writes, [
      sql`SELECT session_epoch AS epoch FROM credentials WHERE id = ${userId}`,
    ]);
    const epoch = rowOf<{ epoch: number }>(found)?.epoch;
    return epoch === undefined ? { ok: false, code: "wrong" } : { ok: true, epoch };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "wrong" };
    throw error;
  }
}
