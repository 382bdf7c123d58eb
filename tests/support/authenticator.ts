/** A device with a passkey, for tests. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { ORIGIN } from "./accounts.ts";

/** An authenticator as browsers speak with it. */
export function openAuthenticator(kind: "ec" | "ed25519" | "rsa" = "ec") {
  const { publicKey, privateKey } = makeKeys(kind);
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
  let count = 0;
  function dataFor(origin: string, attested: Buffer): Buffer {
    const head = Buffer.alloc(37);
    createHash("sha256").update(new URL(origin).hostname).digest().copy(head);
    head[32] = attested.length > 0 ? 0x41 : 0x01;
    head.writeUInt32BE(count, 33);
    return Buffer.concat([head, attested]);
  }
  const clientOf = (type: string, challenge: string, origin: string, more: object = {}) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...more }));
  const text = (bytes: Buffer) => bytes.toString("base64url");
  return {
    make(challenge: string, origin = ORIGIN) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, Buffer.from("cose key")]);
      return {
        id: text(id),
        clientData: text(clientOf("webauthn.create", challenge, origin)),
        authenticatorData: text(dataFor(origin, attested)),
        publicKey: text(publicKey.export({ format: "der", type: "spki" })),
      };
    },
    use(
      challenge: string,
      { origin = ORIGIN, type = "webauthn.get", counts = true, client: more = {}, flags = 1 } = {},
    ) {
      if (counts) count += 1;
      const client = clientOf(type, challenge, origin, more);
      const authenticator = dataFor(origin, Buffer.alloc(0));
      authenticator[32] = flags;
      const signed = Buffer.concat([authenticator, createHash("sha256").update(client).digest()]);
      const signature = sign(kind === "ed25519" ? null : "sha256", signed, privateKey);
      return {
        id: text(id),
        clientData: text(client),
        authenticatorData: text(authenticator),
        signature: text(Buffer.from(signature)),
      };
    },
  };
}

function makeKeys(kind: "ec" | "ed25519" | "rsa"): { publicKey: KeyObject; privateKey: KeyObject } {
  if (kind === "ec") return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return kind === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("ed25519");
}
