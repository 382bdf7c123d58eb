/** What may be uploaded as a verification document. */
import { FILE_KINDS, type FileKind } from "#app/platform/upload-rules.ts";

export type DocumentType = "student_id" | "business_license";

/** What an account is verified by. */
export function documentTypeOf(accountType: "student" | "wholesaler"): DocumentType {
  return accountType === "wholesaler" ? "business_license" : "student_id";
}

const PICTURES_AND_PDF: readonly FileKind[] = ["jpeg", "png", "webp", "gif", "pdf"];

/** Students send pictures and PDF; wholesalers may also send Word files. */
const ACCEPTED: Record<DocumentType, readonly FileKind[]> = {
  student_id: PICTURES_AND_PDF,
  business_license: [...PICTURES_AND_PDF, "doc", "docx"],
};

/** In words, for the hint and the error. */
export const ACCEPTED_WORDS: Record<DocumentType, string> = {
  student_id: "a picture (JPG, PNG, WebP, GIF) or a PDF",
  business_license: "a picture (JPG, PNG, WebP, GIF), a PDF or a Word file (DOC, DOCX) without macros",
};

export function wrongTypeError(documentType: DocumentType): string {
  return `Please choose ${ACCEPTED_WORDS[documentType]}`;
}

export function isAccepted(documentType: DocumentType, kind: FileKind | null): kind is FileKind {
  return kind !== null && ACCEPTED[documentType].includes(kind);
}

/** For the file input's `accept`. With it, phones offer the camera and convert pictures that we don't accept. */
export function acceptAttribute(documentType: DocumentType): string {
  return ACCEPTED[documentType]
    .flatMap((kind) => [FILE_KINDS[kind].contentType, `.${FILE_KINDS[kind].extension}`])
    .join(",");
}
