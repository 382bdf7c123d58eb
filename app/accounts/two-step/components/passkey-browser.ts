/** Asks the browser for passkeys. Bytes travel as base64url. */

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

function toText(bytes: ArrayBuffer | null): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function named(ids: readonly string[]): PublicKeyCredentialDescriptor[] {
  return ids.map((id) => ({ type: "public-key", id: toBytes(id) }));
}

/** What `usedPasskey` reads (passkey-checks.server.ts), as JSON. Throws where nobody answers. */
export async function askPasskey({ challenge, ids }: { challenge: string; ids: readonly string[] }): Promise<string> {
  const answer = (await navigator.credentials.get({
    publicKey: { challenge: toBytes(challenge), allowCredentials: named(ids), userVerification: "preferred" },
  })) as PublicKeyCredential; // never another kind, by its options
  const response = answer.response as AuthenticatorAssertionResponse;
  return JSON.stringify({
    id: toText(answer.rawId),
    clientData: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
  });
}

export interface NewPasskeyOptions {
  challenge: string;
  /** Those that the account has already. */
  ids: readonly string[];
  site: string;
  /** The account's, as the authenticator shows it. */
  email: string;
  /** An id of the account for the authenticator. */
  userId: string;
}

/** What `newPasskey` reads, as JSON. Throws where nobody answers. */
export async function makePasskey({ challenge, ids, site, email, userId }: NewPasskeyOptions): Promise<string> {
  const answer = (await navigator.credentials.create({
    publicKey: {
      challenge: toBytes(challenge),
      rp: { name: site },
      user: { id: new TextEncoder().encode(userId), name: email, displayName: email },
      // Ed25519, ECDSA P-256 and RSA: what our server checks, in this order.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: named(ids),
      authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
      attestation: "none",
    },
  })) as PublicKeyCredential; // never another kind, by its options
  const response = answer.response as AuthenticatorAttestationResponse;
  return JSON.stringify({
    id: toText(answer.rawId),
    clientData: toText(response.clientDataJSON),
    authenticatorData: toText(response.getAuthenticatorData()),
    publicKey: toText(response.getPublicKey()),
  });
}
