/** Codes that open wholesale listings: pure rules and texts. */
import { ACCESS_CODE_ALPHABET } from "#app/accounts/login/access-code-rules.ts";

const CODE_LENGTH = 8;

export const CODES_MAX = 50;

export const CODE_TEXTS = {
  load_failed: "Failed to load codes",
  signed_out: "You must be logged in to generate codes",
  failed: "Failed to generate codes",
  count: `Enter a number from 1 to ${CODES_MAX}`,
  empty: "No codes found. Generate some using the button above.",
} as const;

export function generatedText(count: number): string {
  return `Generated ${count} new access code(s)`;
}

/** A code made from `CODE_LENGTH` random bytes. */
export function codeOf(bytes: Uint8Array): string {
  return Array.from(
    bytes.subarray(0, CODE_LENGTH),
    (byte) => ACCESS_CODE_ALPHABET[byte % ACCESS_CODE_ALPHABET.length],
  ).join("");
}

/** The codes as a CSV file. */
export function codesAsCsv(codes: readonly string[]): string {
  return ["Code", ...codes].join("\r\n");
}
