/**
 * What deleting an account erases of the folder accounts. The other folders have an `erase.server.ts` of their own, and
 * `screens/actions/delete-account.server.ts` puts them together.
 */
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Statement, expectOneChange, expectThat, read, tryWrite, write } from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import {
  authenticators,
  blocks,
  credentials,
  emailTokens,
  passkeys,
  profiles,
  uploads,
  verificationDocuments,
  wholesalerCodes,
  wholesalerDetails,
} from "./tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { eraseInvitations } from "#app/accounts/invitations/invitations.server.ts";
import { eraseNotifications } from "#app/notifications/erase.server.ts";
import type { Kind } from "#app/notifications/kinds.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { DELETED_NAME } from "#app/accounts/login/account-rules.ts";
import { forgetEmails, rememberAccount } from "#app/accounts/login/remembered-emails.server.ts";
import type { DocumentServices } from "#app/accounts/trust/documents.server.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";

export interface DeletionServices extends DocumentServices {
  passwordPepper: string;
}

/** An account that may be deleted. */
interface Erasable {
  userId: string;
  email: string;
  /** The files to delete from the private bucket once it is deleted. */
  documentKeys: string[];
}

/** Null when there is no such account. One round trip. */
export async function findErasable({ db }: Store, userId: string): Promise<Erasable | null> {
  const {
    account: [account],
    documents,
  } = await read(db, {
    account: emailOf(userId),
    documents: build
      .select({ key: verificationDocuments.documentUrl })
      .from(verificationDocuments)
      .where(eq(verificationDocuments.userId, userId)),
  });
  return account ? { userId, ...account, documentKeys: documents.map(({ key }) => key) } : null;
}

/** The email of an account, as part of a statement. */
function emailOf(userId: string) {
  return build.select({ email: credentials.email }).from(credentials).where(eq(credentials.id, userId));
}

/**
 * Erases the account itself: its person, documents and emails. Its row stays, because orders and messages refer to it,
 * but nobody can log in to it again. Aborts the batch if its email has changed, or if it was deleted in the meantime.
 */
export function eraseAccount(services: DeletionServices, { userId, email }: Erasable): Statement[] {
  const now = services.now();
  return [
    expectThat(sql`${emailOf(userId)} = ${email}`),
    // Those of others stay: they also hold for a new account with the same email.
    build.delete(blocks).where(eq(blocks.userId, userId)),
    build
      .update(outbox)
      .set({ payload: "{}", doneAt: sql`COALESCE(${outbox.doneAt}, ${outbox.createdAt})` })
      .where(
        or(
          sql`json_extract(${outbox.payload}, '$.to') = ${emailOf(userId)}`,
          sql`json_extract(${outbox.payload}, '$.reader') = ${userId}`,
          and(
            or(
              sql`json_extract(${outbox.payload}, '$.template') = ${"new_messages" satisfies Mail["template"]}`,
              sql`json_extract(${outbox.payload}, '$.kind') = ${"message" satisfies Kind}`,
            ),
            sql`json_extract(${outbox.payload}, '$.data.otherId') = ${userId}`,
          ),
          and(
            sql`json_extract(${outbox.payload}, '$.template') = ${"team_question" satisfies Mail["template"]}`,
            // Also what they asked as a visitor.
            or(
              sql`json_extract(${outbox.payload}, '$.data.userId') = ${userId}`,
              sql`json_extract(${outbox.payload}, '$.data.email') = ${emailOf(userId)}`,
            ),
          ),
        ),
      ),
    build
      .update(wholesalerCodes)
      .set({ usedBy: null })
      .where(eq(wholesalerCodes.usedBy, emailOf(userId))),
    build.update(wholesalerCodes).set({ creatorEmail: null }).where(eq(wholesalerCodes.createdBy, userId)),
    rememberAccount(services, userId, email, now),
    forgetEmails([userId], now),
    ...erasePerson(userId, now),
  ];
}

function erasePerson(userId: string, now: number): Statement[] {
  const email = `deleted-${userId}@deleted.invalid`;
  return [
    // The hourly sweep deletes files without an owner. The caller deletes these right away.
    build
      .update(uploads)
      .set({ attachedAt: null })
      .where(and(eq(uploads.ownerId, userId), eq(uploads.bucket, "documents"))),
    // The sweep of photos keeps what an order still shows.
    build
      .update(uploads)
      .set({ attachedAt: null, createdAt: now })
      .where(and(eq(uploads.ownerId, userId), eq(uploads.bucket, "media"))),
    build.delete(verificationDocuments).where(eq(verificationDocuments.userId, userId)),
    build.delete(wholesalerDetails).where(eq(wholesalerDetails.userId, userId)),
    ...eraseNotifications(userId),
    ...eraseInvitations(userId),
    build.delete(emailTokens).where(eq(emailTokens.userId, userId)),
    build.delete(authenticators).where(eq(authenticators.userId, userId)),
    build.delete(passkeys).where(eq(passkeys.userId, userId)),
    build
      .update(profiles)
      .set({
        ...nameColumns(DELETED_NAME),
        email,
        phone: null,
        payingPhone: null,
        photoUrl: null,
        campusLocation: null,
        campusLocationId: null,
        isSeller: false,
        showsEmail: false,
        isGoogleUser: false,
        isPro: false,
        proUntil: null,
        adminRole: null,
        studentUntil: null,
        studentToldAt: null,
        deletedAt: now,
        updatedAt: now,
      })
      .where(eq(profiles.id, userId)),
    build
      .update(credentials)
      .set({
        email,
        passwordHash: null,
        googleSubject: null,
        issuerSubject: null,
        emailConfirmedAt: null,
        recoveryCodes: null,
        recoveryCodesAt: null,
        metadata: "{}",
        sessionEpoch: sql`${credentials.sessionEpoch} + 1`,
        suspendedAt: now,
        updatedAt: now,
      })
      .where(and(eq(credentials.id, userId), isNull(credentials.suspendedAt))),
    expectOneChange(),
    ...afterVerifiedChanged(idList(userId), now),
  ];
}

/**
 * Deletes a sign-up with an unconfirmed email, because the owner of the email never signed up. Nobody has logged in to
 * it, so it has nothing in other folders. A wholesaler code that it used becomes free again. Not ok if the email was
 * confirmed in the meantime.
 */
export async function dropSignUp(
  services: DeletionServices,
  userId: string,
): Promise<{ ok: true; documentKeys: string[] } | { ok: false }> {
  const account = await findErasable(services, userId);
  if (!account) return { ok: false };
  const isDone = await tryWrite(services.db, [
    expectThat(hasRow(credentials, and(eq(credentials.id, userId), isNull(credentials.emailConfirmedAt)))),
    freeAccessCode(userId),
    ...eraseAccount(services, account),
  ]);
  return isDone ? { ok: true, documentKeys: account.documentKeys } : { ok: false };
}

/** Makes the access code free again that an account's sign-up used, where the condition `only` holds. */
export function freeAccessCode(userId: string, only?: SQL): Statement {
  return build
    .update(wholesalerCodes)
    .set({ isUsed: false, usedBy: null, usedAt: null })
    .where(and(eq(wholesalerCodes.usedBy, emailOf(userId)), only));
}

/** Deletes the files of a deleted account. The hourly sweep retries those that can't be deleted now. */
export async function removeDocuments(services: DocumentServices, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await services.documents.delete(keys);
  const isKey = sql`${uploads.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
  await write(services.db, [build.delete(uploads).where(and(eq(uploads.bucket, "documents"), isKey))]);
}
