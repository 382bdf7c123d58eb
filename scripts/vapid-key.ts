/** Prints a new key for Web Push, for the secret VAPID_PRIVATE_KEY: `npm run --silent vapid-key`. */
import { createECDH } from "node:crypto";
import { pathToFileURL } from "node:url";

/** A private key of P-256 as base64url. The public key follows from it. */
export function newVapidKey(): string {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  // The number without the zeros it may begin with, which the key needs.
  return Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(newVapidKey());
