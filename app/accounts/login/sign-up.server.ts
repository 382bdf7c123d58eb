import type { Logging } from "#app/db/client.ts";
import { and, eq } from "drizzle-orm";
import { PreconditionFailed, type Statement, UniqueViolation, expectOneChange, read, write } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import { type Allowance, countOne, isUsedUp, takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles, wholesalerCodes, wholesalerDetails } from "#app/accounts/tables.server.ts";
import { ACCESS_CODE_ALPHABET } from "./access-code-rules.ts";
import { type Campus, listCampuses, matchCampus } from "#app/accounts/profile/campuses.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { confirmationMail } from "./confirmation.server.ts";
import { isBarredEmail, keepBlocks } from "./remembered-emails.server.ts";
import { accountKey } from "./devices.server.ts";
import {
  checkDocument,
  type CheckedDocument,
  type DocumentServices,
  storeDocument,
} from "#app/accounts/trust/documents.server.ts";
import { readCode } from "#app/platform/digit-rules.ts";
import { networkOf } from "#app/platform/network.ts";
import { documentTypeOf } from "#app/accounts/trust/document-rules.ts";
import { noteInvitation } from "#app/accounts/invitations/invitations.server.ts";
import { hashPassword } from "./passwords.server.ts";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { MAX_LENGTHS, normalizeEmail } from "./account-rules.ts";
import type { SignInServices } from "./sign-in.server.ts";
import {
  CODE_ERROR,
  COMMON_PASSWORD_ERROR,
  EMAIL_BARRED_ERROR,
  EMAIL_TAKEN_ERROR,
  type SignUpErrors,
  type SignUpValues,
  type SignUpWarning,
} from "./sign-up-rules.ts";
import { checkSignUp } from "./sign-up-checks.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

export interface SignUpServices extends SignInServices, DocumentServices, Logging {
  /**
   * Sends the email with this outbox key at once. Returns false if it wasn't sent within a few seconds; it is tried
   * again later.
   */
  sendMailNow(key: string): Promise<boolean>;
}

export interface SignUpInput {
  values: SignUpValues;
  document: File | null;
  /** Where the request came from. */
  address: string | null;
  /** Where it goes on: the link of who invited them, if somebody did. */
  to?: string | null;
}

export type SignUpResult =
  | { ok: true; userId: string; email: string; warnings: SignUpWarning[] }
  | { ok: false; code: "invalid"; errors: SignUpErrors }
  | { ok: false; code: "busy" };

/** Sign-ups in an hour. A whole campus shares one network address, and term begins for everybody on the same day. */
const PER_NETWORK = 300;
const PER_EMAIL = 10;
/**
 * How often one network gets "already registered" or "wrong code" in an hour. After that it gets "too many requests".
 */
const REFUSALS_PER_NETWORK = 40;

/**
 * Creates an account (docs/product-rules.md, "Sign-up"). The access code, account, profile, business and confirmation
 * email are written together or not at all, so a code is used exactly once. Storing the document and sending the email
 * follow. If they fail, the account stays and the result carries a warning.
 */
export async function signUp(services: SignUpServices, input: SignUpInput): Promise<SignUpResult> {
  const values = { ...input.values, email: normalizeEmail(input.values.email) };
  const errors = checkSignUp(values, input.document !== null);
  if (!errors.password && (await isCommonPassword(values.password))) errors.password = COMMON_PASSWORD_ERROR;
  // Checking the form is cheap. Everything that costs more is counted first.
  if (!input.document && hasErrors(errors)) return { ok: false, code: "invalid", errors };
  const refusals: Allowance = {
    key: `sign-up:refused:${networkOf(input.address)}`,
    max: REFUSALS_PER_NETWORK,
    windowMs: HOUR_MS,
  };
  if (!(await mayTry(services, values.email, input.address, refusals))) return { ok: false, code: "busy" };
  const document = input.document && (await checkDocument(input.document, documentTypeOf(values.accountType)));
  if (document?.ok === false) errors.document = document.error;
  if (hasErrors(errors)) return { ok: false, code: "invalid", errors };

  const known = await findKnown(services, values);
  const refused = refusal(values, known);
  if (refused) return refuse(services, refusals, refused);

  const userId = crypto.randomUUID();
  const { key, statements } = await accountStatements(services, userId, { ...input, values }, known);
  try {
    await write(services.db, statements);
  } catch (error) {
    if (error instanceof PreconditionFailed) {
      const found = refusal(values, await findKnown(services, values));
      return refuse(services, refusals, found ?? { wholesalerCode: CODE_ERROR });
    }
    if (error instanceof UniqueViolation) return refuse(services, refusals, { email: EMAIL_TAKEN_ERROR });
    throw error;
  }
  return {
    ok: true,
    userId,
    email: values.email,
    warnings: await finish(services, userId, document?.ok ? document.document : null, key),
  };
}

function hasErrors(errors: SignUpErrors): boolean {
  return Object.keys(errors).length > 0;
}

async function mayTry(
  services: SignUpServices,
  email: string,
  address: string | null,
  refusals: Allowance,
): Promise<boolean> {
  const allowances: Allowance[] = [
    { key: `sign-up:network:${networkOf(address)}`, max: PER_NETWORK, windowMs: HOUR_MS },
    {
      key: `sign-up:${accountKey(email.slice(0, MAX_LENGTHS.email), services.passwordPepper)}`,
      max: PER_EMAIL,
      windowMs: HOUR_MS,
    },
  ];
  return !(await isUsedUp(services, refusals)) && (await takeAllowance(services, allowances));
}

interface Known {
  campuses: Campus[];
  emailTaken: boolean;
  emailBarred: boolean;
  /** Of the access code, if it is free. */
  codeId: string | null;
  /** The account with this email has used the access code. */
  ownCode: boolean;
}

async function findKnown(services: SignUpServices, values: SignUpValues): Promise<Known> {
  const typedCode = readCode(values.wholesalerCode, ACCESS_CODE_ALPHABET);
  const {
    namesake: [namesake],
    code: [code],
  } = await read(services.db, {
    namesake: build.select({ id: credentials.id }).from(credentials).where(eq(credentials.email, values.email)),
    code: build
      .select(pick(wholesalerCodes, "id", "isUsed", "usedBy"))
      .from(wholesalerCodes)
      .where(eq(wholesalerCodes.code, typedCode)),
  });
  const [campuses, emailBarred] = await Promise.all([listCampuses(services.db), isBarredEmail(services, values.email)]);
  const emailTaken = namesake !== undefined;
  return {
    campuses,
    emailTaken,
    emailBarred,
    codeId: code && !code.isUsed ? code.id : null,
    ownCode: emailTaken && code?.usedBy === values.email,
  };
}

function refusal(values: SignUpValues, known: Known): SignUpErrors | null {
  // Whose answer was lost presses again, with a code that their own first press has used.
  if (values.accountType === "wholesaler" && known.codeId === null && !known.ownCode)
    return { wholesalerCode: CODE_ERROR };
  if (known.emailBarred) return { email: EMAIL_BARRED_ERROR };
  return known.emailTaken ? { email: EMAIL_TAKEN_ERROR } : null;
}

async function refuse(services: SignUpServices, refusals: Allowance, errors: SignUpErrors): Promise<SignUpResult> {
  await write(services.db, [countOne(refusals, services.now())]);
  return { ok: false, code: "invalid", errors };
}

async function accountStatements(
  services: SignUpServices,
  userId: string,
  { values, to = null }: SignUpInput,
  known: Known,
): Promise<{ key: string; statements: Statement[] }> {
  const now = services.now();
  const phone = readPhone(values.phone);
  const person = {
    ...nameColumns(values.fullName),
    phone: phone.ok ? phone.phone : null,
    ...matchCampus(known.campuses, values.campusLocation),
    accountType: values.accountType,
  };
  const mail = confirmationMail(services, { userId, email: values.email, name: values.fullName });
  const passwordHash = await hashPassword(values.password, services.passwordPepper);
  const account = {
    id: userId,
    email: values.email,
    passwordHash,
    metadata: JSON.stringify(metadataOf(person, values)),
    createdAt: now,
    updatedAt: now,
  };
  const profile = {
    id: userId,
    email: values.email,
    ...person,
    isSeller: values.accountType === "wholesaler",
    createdAt: now,
    updatedAt: now,
  };
  return {
    key: mail.key,
    statements: [
      ...(known.codeId === null || values.accountType === "student" ? [] : spendCode(known.codeId, values.email, now)),
      build.insert(credentials).values(account),
      build.insert(profiles).values(profile),
      keepBlocks(services, userId, values.email, now),
      ...noteInvitation(userId, to, now),
      ...(values.accountType === "wholesaler"
        ? [build.insert(wholesalerDetails).values({ userId, ...businessOf(values), createdAt: now, updatedAt: now })]
        : []),
      ...mail.statements,
    ],
  };
}

/** Two people used one code at once, and the other one was first. This whole batch is rolled back. */
function spendCode(codeId: string, email: string, now: number): Statement[] {
  return [
    build
      .update(wholesalerCodes)
      .set({ isUsed: true, usedBy: email, usedAt: now })
      .where(and(eq(wholesalerCodes.id, codeId), eq(wholesalerCodes.isUsed, false))),
    expectOneChange(),
  ];
}

function businessOf(values: SignUpValues) {
  return {
    businessName: values.businessName,
    businessLicenseNumber: values.businessLicenseNumber || null,
    taxId: values.taxId || null,
    businessAddress: values.businessAddress || null,
    businessPhone: values.businessPhone || null,
    businessEmail: values.businessEmail || null,
    businessDescription: values.businessDescription || null,
    businessWebsite: values.businessWebsite || null,
  };
}

/** The details from sign-up that the account keeps. */
function metadataOf(
  person: { fullName: string; phone: string | null; campusLocation: string | null; campusLocationId: number | null },
  values: SignUpValues,
): Record<string, unknown> {
  const common = {
    full_name: person.fullName,
    phone: person.phone,
    campus_location: person.campusLocation,
    campus_location_id: person.campusLocationId,
    account_type: values.accountType,
  };
  if (values.accountType === "student") return common;
  const business = businessOf(values);
  return {
    ...common,
    business_name: business.businessName,
    business_license_number: business.businessLicenseNumber,
    tax_id: business.taxId,
    business_address: business.businessAddress,
    business_phone: business.businessPhone,
    business_email: business.businessEmail,
    business_description: business.businessDescription,
    business_website: business.businessWebsite,
  };
}

/** The steps after the account exists. A failure here does not undo the account. */
async function finish(
  services: SignUpServices,
  userId: string,
  document: CheckedDocument | null,
  mailKey: string,
): Promise<SignUpWarning[]> {
  const [stored, sent] = await Promise.allSettled([
    document ? storeDocument(services, userId, document) : null,
    services.sendMailNow(mailKey),
  ]);
  const warnings: SignUpWarning[] = [];
  if (stored.status === "rejected") warnings.push("document");
  if (sent.status === "rejected") warnings.push("incomplete");
  else if (!sent.value) warnings.push("mail");
  for (const outcome of [stored, sent]) {
    if (outcome.status === "rejected")
      services.log({
        event: "sign_up_incomplete",
        level: "error",
        userId,
        error: String(outcome.reason).slice(0, 200),
      });
  }
  return warnings;
}
