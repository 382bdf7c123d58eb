import { and, eq, inArray, isNull } from "drizzle-orm";
import { expectThat, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { profiles, uploads, verificationDocuments, wholesalerDetails } from "#app/accounts/tables.server.ts";
import { withoutMetadata } from "#app/platform/picture-privacy.ts";
import {
  cleanFileName,
  FILE_KINDS,
  type FileKind,
  sniffFile,
  UPLOAD_ERRORS,
  UPLOAD_MAX_BYTES,
} from "#app/platform/upload-rules.ts";
import { type DocumentType, isAccepted, wrongTypeError } from "./document-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

export interface DocumentServices extends Store {
  /** The private bucket. It is never served to the public. */
  documents: R2Bucket;
}

/** A document that passed all checks and may be stored. */
export interface CheckedDocument {
  documentType: DocumentType;
  fileName: string;
  kind: FileKind;
  bytes: Uint8Array;
}

/**
 * Checks the size and content of a file. `error` is shown at its field. Place, time and camera are removed from
 * pictures.
 */
export async function checkDocument(
  file: File,
  documentType: DocumentType,
): Promise<{ ok: true; document: CheckedDocument } | { ok: false; error: string }> {
  if (file.size > UPLOAD_MAX_BYTES) return { ok: false, error: UPLOAD_ERRORS.too_large };
  if (file.size === 0) return { ok: false, error: UPLOAD_ERRORS.empty };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = sniffFile(bytes);
  if (!isAccepted(documentType, kind)) return { ok: false, error: wrongTypeError(documentType) };
  const clean = kind === "pdf" || kind === "doc" || kind === "docx" ? bytes : withoutMetadata(kind, bytes);
  if (!clean) return { ok: false, error: UPLOAD_ERRORS.unreadable };
  return { ok: true, document: { documentType, fileName: cleanFileName(file.name, kind), kind, bytes: clean } };
}

/**
 * Stores a document in the private bucket and lists it as pending. It replaces an earlier one of its type that wasn't
 * approved; the hourly sweep deletes that file. The key consists of the user, the time and a random part, and contains
 * nothing that a person typed. Throws when the bucket or the database fails; then nothing is listed.
 */
export async function storeDocument(
  services: DocumentServices,
  userId: string,
  document: CheckedDocument,
): Promise<{ documentId: string; key: string }> {
  const now = services.now();
  const { extension, contentType } = FILE_KINDS[document.kind];
  const key = `verification-documents/${userId}/${now}-${crypto.randomUUID().slice(0, 8)}.${extension}`;
  const documentId = crypto.randomUUID();
  // Recorded before the file is stored, so that the sweep finds a file whose document row failed.
  await write(services.db, [
    build.insert(uploads).values({ key, ownerId: userId, bucket: "documents", createdAt: now }),
  ]);
  await services.documents.put(key, document.bytes, { httpMetadata: { contentType } });
  const { documentType } = document;
  const isEarlier = and(
    eq(verificationDocuments.userId, userId),
    eq(verificationDocuments.documentType, documentType),
    inArray(verificationDocuments.verificationStatus, ["pending", "rejected"]),
  );
  const earlier = build.select({ key: verificationDocuments.documentUrl }).from(verificationDocuments).where(isEarlier);
  const underReview = { verificationStatus: "pending", updatedAt: now } as const;
  await write(services.db, [
    expectThat(isOpenAccount(userId)),
    build.update(uploads).set({ attachedAt: null }).where(inArray(uploads.key, earlier)),
    build.update(verificationDocuments).set({ verificationStatus: "replaced" }).where(isEarlier),
    build.insert(verificationDocuments).values({
      id: documentId,
      userId,
      documentType,
      documentUrl: key,
      fileName: document.fileName,
      contentType,
      sizeBytes: document.bytes.length,
      createdAt: now,
    }),
    build.update(uploads).set({ attachedAt: now }).where(eq(uploads.key, key)),
    build
      .update(profiles)
      .set(underReview)
      .where(and(eq(profiles.id, userId), eq(profiles.verificationStatus, "rejected"))),
    build
      .update(wholesalerDetails)
      .set(underReview)
      .where(and(eq(wholesalerDetails.userId, userId), eq(wholesalerDetails.verificationStatus, "rejected"))),
  ]);
  return { documentId, key };
}

/** How many documents one account may upload in a day, accepted or not. */
const DOCUMENTS_A_DAY = 10;

/** Counts one more document of an account; false when the day's limit is reached. Call it before reading the file. */
export function maySendDocument(store: Store, userId: string): Promise<boolean> {
  return takeAllowance(store, [{ key: `documents:${userId}`, max: DOCUMENTS_A_DAY, windowMs: DAY_MS }]);
}

/**
 * A document's storage key and owner; null when there is none, or its file is deleted. The caller checks who may see
 * it.
 */
export async function findDocument(
  db: Database,
  id: string,
): Promise<{ userId: string; key: string; fileName: string; contentType: string } | null> {
  const [document] = await db
    .select({
      userId: verificationDocuments.userId,
      key: verificationDocuments.documentUrl,
      fileName: verificationDocuments.fileName,
      contentType: verificationDocuments.contentType,
    })
    .from(verificationDocuments)
    .where(and(eq(verificationDocuments.id, id), isNull(verificationDocuments.fileDeletedAt)));
  return document ?? null;
}
