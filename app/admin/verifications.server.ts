import { sql } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { expectOneChange, expectThat, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import {
  performAdminAction,
  type Admin,
  adminCounts,
  type AdminCounts,
  type ListPage,
  pageClause,
  readAdminCounts,
  toListPage,
} from "./admin-pages.server.ts";

/** A document that waits for a decision or has one, with what its owner entered. */
export interface Verification {
  id: string;
  userId: string;
  documentType: "student_id" | "business_license";
  fileName: string;
  contentType: string;
  sizeBytes: number;
  status: "pending" | "approved" | "rejected";
  reason: string | null;
  /** The admin who decided. */
  reviewer: string | null;
  /** Ms since 1970. */
  reviewedAt: number | null;
  createdAt: number;
  fullName: string;
  email: string;
  campusLocation: string | null;
  accountType: "student" | "wholesaler";
  memberSince: number;
  businessName: string | null;
  businessLicenseNumber: string | null;
  taxId: string | null;
  businessAddress: string | null;
  businessPhone: string | null;
  businessEmail: string | null;
  businessDescription: string | null;
  businessWebsite: string | null;
}

export type VerificationFilter = Verification["status"];

/** One page of documents: pending ones oldest first, decided ones newest first. One round trip. */
export async function listVerifications(
  db: Database,
  filter: VerificationFilter,
  after: string | null,
): Promise<ListPage<Verification> & { counts: AdminCounts }> {
  const order = filter === "pending" ? "oldest" : "newest";
  const [documents, counts] = await runBatch(db, [
    sql`SELECT d.id, d.user_id AS userId, d.document_type AS documentType, d.file_name AS fileName, d.content_type AS contentType,
        d.size_bytes AS sizeBytes, d.verification_status AS status, d.review_reason AS reason, d.reviewed_at AS reviewedAt,
        (SELECT full_name FROM profiles WHERE id = d.reviewed_by) AS reviewer, d.created_at AS createdAt,
        p.full_name AS fullName, p.email, p.campus_location AS campusLocation, p.account_type AS accountType, p.created_at AS memberSince,
        w.business_name AS businessName, w.business_license_number AS businessLicenseNumber, w.tax_id AS taxId, w.business_address AS businessAddress,
        w.business_phone AS businessPhone, w.business_email AS businessEmail, w.business_description AS businessDescription, w.business_website AS businessWebsite
      FROM verification_documents d JOIN profiles p ON p.id = d.user_id LEFT JOIN wholesaler_details w ON w.user_id = d.user_id
      ${pageClause(sql`d.verification_status = ${filter}`, sql`d.created_at`, sql`d.id`, order, readCursor(after))}`,
    adminCounts(),
  ]);
  return { ...toListPage<Verification>(documents), counts: readAdminCounts(counts) };
}

interface VerificationServices extends Store {
  notifier: Notifier;
}

/**
 * Approves or rejects a pending document. The document, its owner's profile and their business change together, and an
 * email to the owner is queued. An earlier approval survives the rejection of a newer document. Returns false if the
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
  const [owner] = await services.db.all<{ id: string; email: string; name: string }>(
    sql`SELECT p.id, p.email, p.full_name AS name FROM verification_documents d JOIN profiles p ON p.id = d.user_id WHERE d.id = ${documentId}`,
  );
  if (!owner) return false;
  const standing = sql`CASE WHEN EXISTS (SELECT 1 FROM verification_documents WHERE user_id = ${owner.id} AND verification_status = 'approved') THEN 'approved' ELSE 'rejected' END`;
  const mail: Mail = {
    to: owner.email,
    template: "verification_decided",
    data: { name: owner.name, approved: decision.approve, reason: reason ?? "" },
  };
  const done = await performAdminAction(
    services,
    admin,
    { action: `document_${status}`, subject: `document:${documentId}`, detail: reason },
    [
      sql`UPDATE verification_documents SET verification_status = ${status}, review_reason = ${reason}, reviewed_by = ${admin.id}, reviewed_at = ${now}
      WHERE id = ${documentId} AND verification_status = 'pending' AND user_id <> ${admin.id}`,
      expectOneChange(),
      ...(decision.approve && decision.seen !== undefined
        ? [expectThat(sql`(SELECT full_name FROM profiles WHERE id = ${owner.id}) = ${decision.seen}`)]
        : []),
      sql`UPDATE profiles SET verification_status = ${standing}, updated_at = ${now} WHERE id = ${owner.id}`,
      sql`UPDATE wholesaler_details SET verification_status = ${standing}, updated_at = ${now} WHERE user_id = ${owner.id}`,
      queueEffect("mail", `verification:${documentId}:${status}:${now}`, mail, now),
    ],
  );
  if (done)
    await services.notifier.notify(owner.id, {
      type: "account",
      notice: decision.approve
        ? "Your document was approved. You're verified."
        : "We couldn't accept your document. The reason is in your settings.",
    });
  return done;
}
