/** Web Push: whom we send to, and the encryption against the RFCs' own examples. */
import { encryptNotification } from "@block65/webcrypto-web-push";
import { afterEach, expect, test, vi } from "vitest";
import { deviceName, isPushService, lockScreenText, PUSH_SERVICES } from "#app/notifications/push/push-rules.ts";
import { publicKeyOf } from "#workers/push/vapid-key.ts";
import { isVapid, readMessage } from "#workers/sandbox/push-reading.ts";

afterEach(() => vi.restoreAllMocks());

/** RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  text: "When I grow up, I want to be a watermelon",
  senderPrivate: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  senderPublic: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  browserPrivate: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  browserPublic: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  message:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

const CURVE = { name: "ECDH", namedCurve: "P-256" };

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}

function jwk(privateKey: string, publicKey: string): JsonWebKey {
  const point = bytes(publicKey);
  const half = (from: number) => Buffer.from(point.slice(from, from + 32)).toString("base64url");
  return { kty: "EC", crv: "P-256", x: half(1), y: half(33), d: privateKey };
}

const browser = {
  privateKey: jwk(EXAMPLE.browserPrivate, EXAMPLE.browserPublic),
  p256dh: EXAMPLE.browserPublic,
  auth: EXAMPLE.auth,
};

test("a message with the keys and the salt of RFC 8291 is the one that stands there", async () => {
  const subtle = crypto.subtle;
  const pair = {
    privateKey: await subtle.importKey("jwk", jwk(EXAMPLE.senderPrivate, EXAMPLE.senderPublic), CURVE, false, [
      "deriveBits",
    ]),
    publicKey: await subtle.importKey("raw", bytes(EXAMPLE.senderPublic), CURVE, true, []),
  };
  vi.spyOn(subtle, "generateKey").mockResolvedValue(pair as never);
  vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    (array as Uint8Array).set(bytes(EXAMPLE.salt));
    return array;
  });
  const message = await encryptNotification(
    { endpoint: "https://push.example.net/", expirationTime: null, keys: browser },
    new TextEncoder().encode(EXAMPLE.text),
    { pad: false },
  );
  expect(Buffer.from(message).toString("base64url")).toBe(EXAMPLE.message);
});

test("the sandbox's browser reads the message of RFC 8291, and no changed one", async () => {
  expect(await readMessage(bytes(EXAMPLE.message), browser)).toBe(EXAMPLE.text);
  const changed = bytes(EXAMPLE.message);
  changed[changed.length - 1]! ^= 1;
  await expect(readMessage(changed, browser)).rejects.toThrow("operation-specific");
  await expect(readMessage(bytes(EXAMPLE.message), { ...browser, auth: EXAMPLE.salt })).rejects.toThrow(
    "operation-specific",
  );
});

/** RFC 8292, section 2.4. */
const VAPID = {
  token:
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6" +
    "Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSS" +
    "HzvoD1oA",
  publicKey: "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs",
  origin: "https://push.example.net",
  /** An hour before it ends. */
  now: (1453523768 - 3600) * 1000,
};

test("the sandbox's push service knows the sender of RFC 8292, and refuses every other", async () => {
  const header = `vapid t=${VAPID.token}, k=${VAPID.publicKey}`;
  expect(await isVapid(header, VAPID)).toBe(true);
  expect(await isVapid(undefined, VAPID)).toBe(false);
  expect(await isVapid(header.replace("D1oA,", "D2oA,"), VAPID)).toBe(false);
  expect(await isVapid(header, { ...VAPID, origin: "https://push.example.com" })).toBe(false);
  expect(await isVapid(header, { ...VAPID, publicKey: EXAMPLE.senderPublic })).toBe(false);
  expect(await isVapid(header, { ...VAPID, now: VAPID.now + 3600_000 })).toBe(false);
  expect(await isVapid(header, { ...VAPID, now: VAPID.now - 24 * 3600_000 })).toBe(false);
});

test("the public key follows from the private one", () => {
  expect(publicKeyOf(EXAMPLE.senderPrivate)).toBe(EXAMPLE.senderPublic);
  expect(publicKeyOf(EXAMPLE.browserPrivate)).toBe(EXAMPLE.browserPublic);
});

test.for([
  ["https://fcm.googleapis.com/fcm/send/abc", true],
  ["https://updates.push.services.mozilla.com/wpush/v2/abc", true],
  ["https://web.push.apple.com/QAbc", true],
  ["https://db5p.notify.windows.com/w/?token=abc", true],
  ["http://fcm.googleapis.com/fcm/send/abc", false],
  ["https://fcm.googleapis.com:8443/fcm/send/abc", false],
  ["https://me@fcm.googleapis.com/fcm/send/abc", false],
  ["https://fcm.googleapis.com.evil.example/abc", false],
  ["https://evilpush.apple.com/abc", false],
  ["https://127.0.0.1/abc", false],
  ["https://[::1]/abc", false],
  ["https://169.254.169.254/latest/meta-data", false],
  ["https://localhost/abc", false],
  ["https://push.sandbox.internal/abc", false],
  ["not an address", false],
  ["", false],
] as const)("%s is the address of a push service: %s", ([endpoint, expected]) => {
  expect(isPushService(endpoint, PUSH_SERVICES)).toBe(expected);
});

test.for([
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0",
    "Opera on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "iPhone",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  ["curl/8.0", "A browser"],
  ["", "A browser"],
] as const)("%s is called %s", ([userAgent, name]) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.for([
  ["Casio fx-991ES Plus", "Casio fx-991ES Plus"],
  ["HP 15-dw3000, 8 GB, 256 GB", "HP 15-dw3000, 8 GB, 256 GB"],
  ["iPhone 13 at KES 45,000", "iPhone 13 at …"],
  ["Mattress Ksh.4500", "Mattress …"],
  ["Kettle 1500/=", "Kettle …"],
  ["Desk, call 0712 345 678", "Desk, call …"],
  ["Desk +254-712-345-678", "Desk …"],
  ["Code 482913", "Code …"],
  ["Namba ٠٧١٢٣٤٥٦٧٨", "Namba …"],
] as const)("a locked screen shows %s as %s", ([name, shown]) => {
  expect(lockScreenText(name)).toBe(shown);
});
