import { createECDH } from "node:crypto";

/** The public half of a private key, both as base64url. Throws if it is no private key of P-256. */
export function publicKeyOf(privateKey: string): string {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(Buffer.from(privateKey, "base64url"));
  return pair.getPublicKey("base64url");
}
