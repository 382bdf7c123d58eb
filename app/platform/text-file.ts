/** Text files that people send. */

const TEXT_FILE_TEXTS = {
  workbook: "This is an Excel workbook. In Excel, choose “Save As” and then “CSV UTF-8”, and send that file.",
  no_text: "This isn't a CSV file. Please save your table as CSV and send that file.",
} as const;

/** The text in UTF-8, UTF-16 or, as older versions of Excel write it, Windows-1252. `error` is for the sender. */
export function readTextFile(bytes: Uint8Array): { ok: true; text: string } | { ok: false; error: string } {
  const [first, second] = bytes;
  if ((first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf))
    return { ok: false, error: TEXT_FILE_TEXTS.workbook };
  const text = first === 0xff && second === 0xfe ? new TextDecoder("utf-16le").decode(bytes) : decodeBytes(bytes);
  return text.includes("\0") ? { ok: false, error: TEXT_FILE_TEXTS.no_text } : { ok: true, text };
}

function decodeBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
