/** Files that people upload: what they are, how large they may be, and what they are called. */

/** The type of a file, from its content and never from its name. */
export type FileKind = "jpeg" | "png" | "webp" | "gif" | "pdf" | "doc" | "docx";

/** 10 MB. */
export const UPLOAD_MAX_BYTES = 10 * 1024 * 1024;

/** How long after our team's decision the file of a student ID or business document is kept. */
export const CHECKED_FILE_DAYS = 30;

export const FILE_KINDS = {
  jpeg: { extension: "jpg", contentType: "image/jpeg" },
  png: { extension: "png", contentType: "image/png" },
  webp: { extension: "webp", contentType: "image/webp" },
  gif: { extension: "gif", contentType: "image/gif" },
  pdf: { extension: "pdf", contentType: "application/pdf" },
  doc: { extension: "doc", contentType: "application/msword" },
  docx: { extension: "docx", contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document" },
} as const satisfies Record<FileKind, { extension: string; contentType: string }>;

export const UPLOAD_ERRORS = {
  too_large: "The file is larger than 10 MB",
  empty: "The file is empty",
  unreadable: "We couldn't read the picture. Please choose another file",
} as const;

/** A file's size such as "0.42 MB", at least "0.01 MB". */
export function sizeInMb(bytes: number): string {
  return `${Math.max(0.01, bytes / (1024 * 1024)).toFixed(2)} MB`;
}

/** The type of the bytes; null for an unknown type. */
export function sniffFile(bytes: Uint8Array): FileKind | null {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return "jpeg";
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "png";
  if (startsWith(bytes, latin("RIFF")) && startsWith(bytes.subarray(8), latin("WEBP"))) return "webp";
  if (startsWith(bytes, latin("GIF87a")) || startsWith(bytes, latin("GIF89a"))) return "gif";
  if (startsWith(bytes, latin("%PDF-"))) return "pdf";
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) return isPlainWordFile(bytes) ? "doc" : null;
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return isWordArchive(bytes) ? "docx" : null;
  return null;
}

/** An old Word file without macros, embedded files or controls. The names are those of the file's inner folders. */
function isPlainWordFile(bytes: Uint8Array): boolean {
  return (
    includes(bytes, wide("WordDocument")) &&
    !["Macros", "_VBA_PROJECT", "ObjectPool", "Ole10Native"].some((name) => includes(bytes, wide(name)))
  );
}

/** A DOCX without macros, embedded files or controls. Other archives begin the same way. */
function isWordArchive(bytes: Uint8Array): boolean {
  return (
    includes(bytes, latin("[Content_Types].xml")) &&
    includes(bytes, latin("word/document.xml")) &&
    !["vbaProject.bin", "word/embeddings/", "word/activeX/"].some((name) => includes(bytes, latin(name)))
  );
}

/**
 * A file's name, made safe to show and send: no path, no control or direction characters, at most 100 characters, and
 * the extension of its real type.
 */
export function cleanFileName(name: string, kind: FileKind): string {
  const base = name.split(/[\\/]/).at(-1) ?? "";
  const plain = base
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}"<>|?*:]/gu, "")
    .replaceAll(/\s+/g, " ")
    .replace(/^[.\s]+/, "")
    .trim();
  const { extension } = FILE_KINDS[kind];
  const endings = kind === "jpeg" ? ["jpg", "jpeg"] : [extension];
  const ending = endings.find((known) => plain.toLowerCase().endsWith(`.${known}`));
  const stem = ending ? plain.slice(0, -ending.length - 1) : plain;
  return `${[...stem].slice(0, 90).join("").trim() || "document"}.${ending ?? extension}`;
}

function startsWith(bytes: Uint8Array, prefix: readonly number[], from = 0): boolean {
  return prefix.every((byte, at) => bytes[from + at] === byte);
}

function includes(bytes: Uint8Array, needle: readonly number[]): boolean {
  const first = needle[0] ?? 0;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (bytes[at + 1] === needle[1] && startsWith(bytes, needle, at)) return true;
  }
  return false;
}

function latin(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

/** UTF-16, little endian, as old Word files keep names. */
function wide(text: string): number[] {
  return latin(text).flatMap((byte) => [byte, 0]);
}
