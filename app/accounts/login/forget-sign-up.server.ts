import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { and, eq, isNull } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import {
  credentials,
  profiles,
  uploads,
  verificationDocuments,
  wholesalerDetails,
} from "#app/accounts/tables.server.ts";
import { freeAccessCode } from "#app/accounts/erase.server.ts";
import { forgetInvitation } from "#app/accounts/invitations/invitations.server.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";

/**
 * Erases what was entered at a sign-up whose email isn't confirmed yet. It belongs in the batch in which the owner of
 * the email gets in without the sign-up's link, because somebody else may have signed up with that email. The owner
 * must not see or use their details, business and documents, and completes the profile of a student instead. The access
 * code of a wholesaler is free again. Does nothing if the email was confirmed before. The hourly sweep deletes the
 * files.
 */
export function forgetSignUp(userId: string, now: number): Statement[] {
  const isUnconfirmed = and(eq(credentials.id, userId), isNull(credentials.emailConfirmedAt));
  const unconfirmed = hasRow(credentials, isUnconfirmed);
  return [
    build
      .update(uploads)
      .set({ attachedAt: null })
      .where(and(eq(uploads.ownerId, userId), eq(uploads.bucket, "documents"), unconfirmed)),
    build.delete(verificationDocuments).where(and(eq(verificationDocuments.userId, userId), unconfirmed)),
    build.delete(wholesalerDetails).where(and(eq(wholesalerDetails.userId, userId), unconfirmed)),
    freeAccessCode(userId, unconfirmed),
    forgetInvitation(userId, unconfirmed),
    build
      .update(profiles)
      .set({
        ...nameColumns(""),
        phone: null,
        campusLocation: null,
        campusLocationId: null,
        accountType: "student",
        isSeller: false,
        verificationStatus: "pending",
        updatedAt: now,
      })
      .where(and(eq(profiles.id, userId), unconfirmed)),
    copyEdited(PERSON_COPY, idList(userId), now),
    build.update(credentials).set({ metadata: "{}", updatedAt: now }).where(isUnconfirmed),
  ];
}
