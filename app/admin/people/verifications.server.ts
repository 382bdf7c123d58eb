import { and, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { afterVerifiedChanged, noteStudentProof } from "#app/accounts/trust/verified-effects.server.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { expectOneChange, expectThat, read } from "#app/db/batch.ts";
import { build, hasRow, idList, named, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { profiles, verificationDocuments, wholesalerDetails } from "#app/accounts/tables.server.ts";
import { adminCounts, PAGE_SIZE, pageOf, readAdminCounts, toListPage } from "#app/team/admin-pages.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";

const documents = verificationDocuments;
const reviewers = alias(profiles, "reviewers");

export type VerificationFilter = "pending" | "approved" | "rejected";

/** One page of documents: pending ones oldest first, decided ones newest first. One round trip. */
export async function listVerifications(db: Database, filter: VerificationFilter, after: string | null) {
  const order = filter === "pending" ? "oldest" : "newest";
  const { beyond, sorted } = pageOf(documents.createdAt, documents.id, order, readCursor(after));
  const reviewer = build
    .select({ name: reviewers.fullName })
    .from(reviewers)
    .where(eq(reviewers.id, documents.reviewedBy));
  const { found, counts } = await read(db, {
    found: build
      .select({
        ...pick(documents, "id", "userId", "documentType", "fileName", "contentType", "sizeBytes"),
        status: sql<VerificationFilter>`${documents.verificationStatus}`,
        reason: documents.reviewReason,
        ...pick(documents, "reviewedAt", "fileDeletedAt"),
        reviewer: sql<string | null>`${reviewer}`.as("reviewer"),
        createdAt: documents.createdAt,
        ...pick(profiles, "fullName", "email", "campusLocation", "accountType"),
        ...named({ memberSince: profiles.createdAt }),
        ...pick(wholesalerDetails, "businessName", "businessLicenseNumber", "taxId", "businessAddress"),
        ...pick(wholesalerDetails, "businessPhone", "businessEmail", "businessDescription", "businessWebsite"),
      })
      .from(documents)
      .innerJoin(profiles, eq(profiles.id, documents.userId))
      .leftJoin(wholesalerDetails, eq(wholesalerDetails.userId, documents.userId))
      .where(and(eq(documents.verificationStatus, filter), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
    counts: adminCounts(),
  });
  return { ...toListPage(found), counts: readAdminCounts(counts) };
}

/** A document that waits for a decision or has one, with what its owner entered. Times in ms since 1970. */
export type Verification = Awaited<ReturnType<typeof listVerifications>>["rows"][number];

interface VerificationServices extends Store {
  notifier: Notifier;
}

/**
 * Approves or rejects a pending document. The document, its owner's profile and their business change together, and the
 * owner is told. An earlier approval survives the rejection of a newer document. Returns false if the
 * document is no longer pending, or if its owner's name is no longer `seen`.
 */
export async function decideVerification(
  services: VerificationServices,
  admin: Admin,
  documentId: string,
  decision: { approve: true; seen?: string } | { approve: false; reason: string },
): Promise<boolean> {
  const now = services.now();
  const status = decision.approve ? "approved" : "rejected";
  const reason = decision.approve ? null : decision.reason;
  const [owner] = await services.db
    .select({ id: profiles.id, email: profiles.email, name: profiles.fullName })
    .from(documents)
    .innerJoin(profiles, eq(profiles.id, documents.userId))
    .where(eq(documents.id, documentId));
  if (!owner) return false;
  const isApproved = hasRow(
    documents,
    and(eq(documents.userId, owner.id), eq(documents.verificationStatus, "approved")),
  );
  const standing = {
    verificationStatus: sql`CASE WHEN ${isApproved} THEN 'approved' ELSE 'rejected' END`,
    updatedAt: now,
  };
  const data = { approved: decision.approve, reason: reason ?? "" };
  const key = `verification:${documentId}:${status}:${now}`;
  const done = await performAdminAction(
    services,
    admin,
    { action: `document_${status}`, subject: `document:${documentId}`, detail: reason },
    [
      build
        .update(documents)
        .set({ verificationStatus: status, reviewReason: reason, reviewedBy: admin.id, reviewedAt: now })
        .where(
          and(
            eq(documents.id, documentId),
            eq(documents.verificationStatus, "pending"),
            ne(documents.userId, admin.id),
          ),
        ),
      expectOneChange(),
      ...(decision.approve && decision.seen !== undefined
        ? [expectThat(hasRow(profiles, and(eq(profiles.id, owner.id), eq(profiles.fullName, decision.seen))))]
        : []),
      build.update(profiles).set(standing).where(eq(profiles.id, owner.id)),
      ...(decision.approve ? [noteStudentProof(owner.id, "document", now)] : []),
      ...afterVerifiedChanged(idList(owner.id), now),
      build.update(wholesalerDetails).set(standing).where(eq(wholesalerDetails.userId, owner.id)),
      ...notify(openParty(owner), { kind: "verification_decided", data }, key, now),
    ],
  );
  if (done)
    await services.notifier.send(owner.id, {
      type: "account",
      notice: decision.approve
        ? "Your document was approved. You're verified."
        : "We couldn't accept your document. The reason is in your settings.",
    });
  return done;
}
