/** The SHA-256 of a text or of bytes, in hexadecimal. */
export async function sha256Hex(of: string | BufferSource): Promise<string> {
  const bytes = typeof of === "string" ? new TextEncoder().encode(of) : of;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
