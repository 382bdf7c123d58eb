import { eq, sql } from "drizzle-orm";
import { commitBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { verificationDocuments } from "#app/db/schema.ts";
import { withoutMetadata } from "#app/platform/picture-privacy.ts";
import {
  cleanFileName,
  type DocumentType,
  FILE_KINDS,
  type FileKind,
  isAccepted,
  sniffFile,
  UPLOAD_ERRORS,
  UPLOAD_MAX_BYTES,
  wrongTypeError,
} from "#app/platform/upload-rules.ts";

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
 * approved; the daily sweep deletes that file. The key consists of the user, the time and a random part, and contains
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
  await services.db.run(
    sql`INSERT INTO uploads (key, owner_id, bucket, created_at) VALUES (${key}, ${userId}, 'documents', ${now})`,
  );
  await services.documents.put(key, document.bytes, { httpMetadata: { contentType } });
  const earlier = sql`user_id = ${userId} AND document_type = ${document.documentType} AND verification_status IN ('pending', 'rejected')`;
  await commitBatch(services.db, [
    sql`UPDATE uploads SET attached_at = NULL WHERE key IN (SELECT document_url FROM verification_documents WHERE ${earlier})`,
    sql`UPDATE verification_documents SET verification_status = 'replaced' WHERE ${earlier}`,
    services.db.insert(verificationDocuments).values({
      id: documentId,
      userId,
      documentType: document.documentType,
      documentUrl: key,
      fileName: document.fileName,
      contentType,
      sizeBytes: document.bytes.length,
      createdAt: now,
    }),
    sql`UPDATE uploads SET attached_at = ${now} WHERE key = ${key}`,
    sql`UPDATE profiles SET verification_status = 'pending', updated_at = ${now} WHERE id = ${userId} AND verification_status = 'rejected'`,
    sql`UPDATE wholesaler_details SET verification_status = 'pending', updated_at = ${now} WHERE user_id = ${userId} AND verification_status = 'rejected'`,
  ]);
  return { documentId, key };
}

const DAY_MS = 24 * 60 * 60_000;
/** How many documents one account may upload in a day, accepted or not. */
const DOCUMENTS_A_DAY = 10;

/** Counts one more document of an account; false when the day's limit is reached. Call it before reading the file. */
export function maySendDocument(store: Store, userId: string): Promise<boolean> {
  return takeAllowance(store, [{ key: `documents:${userId}`, max: DOCUMENTS_A_DAY, windowMs: DAY_MS }]);
}

/** A document's storage key and owner; null when there is none. The caller checks who may see it. */
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
    .where(eq(verificationDocuments.id, id));
  return document ?? null;
}
