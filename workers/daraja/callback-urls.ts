/** The addresses that Safaricom posts to, and Safaricom's rules for them (docs/m-pesa.md, "Callback addresses"). */
import type { CallbackKind } from "#app/payments/answers/callbacks.server.ts";

/** Thrown when M-Pesa is first used and the configuration can't work. The message names the setting. */
export class DarajaConfigurationError extends Error {
  override name = "DarajaConfigurationError";
}

/** The part of the path that says what a callback reports. It avoids the words that Safaricom refuses. */
export const CALLBACK_SEGMENTS: Record<CallbackKind, string> = {
  push: "s",
  payout: "o",
  payout_timeout: "q",
  lookup: "l",
  lookup_timeout: "t",
  receipt: "r",
  reversal: "v",
  reversal_timeout: "w",
};

/** "mpesa" with anything between its letters, and the rest of Safaricom's list, in upper or lower case. */
const FORBIDDEN = [
  /m[^a-z0-9]*pesa/i,
  /safaricom/i,
  /exe/i,
  /cmd/i,
  /sql/i,
  /query/i,
  /ngrok/i,
  /mockbin/i,
  /requestbin/i,
];
const LOCAL_HOST = /^(localhost|.*\.localhost|.*\.local|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|\[.*\])$/;
/** Hexadecimal digits and hyphens can't spell a forbidden word. */
const TOKEN = /^[0-9a-f-]{16,64}$/;

/** The callback address of `kind` for one attempt's `token`, below `origin` (scheme, host and port). */
export function callbackUrl(origin: string, kind: CallbackKind, token: string): string {
  return `${origin}/hooks/pay/${CALLBACK_SEGMENTS[kind]}/${token}`;
}

/** What a callback to this part of the path reports; undefined where none comes. */
export function callbackKindOf(segment: string): CallbackKind | undefined {
  return (Object.keys(CALLBACK_SEGMENTS) as CallbackKind[]).find((kind) => CALLBACK_SEGMENTS[kind] === segment);
}

/** Whether a token is safe in a callback address: 16 to 64 lower-case hexadecimal digits and hyphens. */
export function isCallbackToken(token: string): boolean {
  return TOKEN.test(token);
}

/**
 * What Safaricom would refuse about `url`, in words. Empty when nothing is wrong (docs/m-pesa.md, "Callback
 * addresses").
 */
export function findCallbackUrlFaults(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return ["is not an address"];
  const faults: string[] = [];
  if (parsed.protocol !== "https:") faults.push("is not https");
  if (LOCAL_HOST.test(parsed.hostname)) faults.push("is not reachable from outside");
  if (url !== url.toLowerCase()) faults.push("has upper-case letters");
  if (parsed.search !== "" || parsed.hash !== "" || parsed.username !== "")
    faults.push("has more than a host and a path");
  for (const word of FORBIDDEN) {
    const match = word.exec(url);
    if (match !== null) faults.push(`contains "${match[0]}", a word Safaricom refuses`);
  }
  return faults;
}

/**
 * What Safaricom would refuse about callbacks below `origin` (scheme and host), in words. Empty when nothing is wrong.
 */
export function findCallbackOriginFaults(origin: string): string[] {
  if (URL.parse(origin)?.origin !== origin.toLowerCase())
    return [`callbackOrigin ${origin} is not just a scheme and a host`];
  return findCallbackUrlFaults(callbackUrl(origin, "push", "0".repeat(32))).map(
    (fault) => `callbackOrigin ${origin} ${fault}`,
  );
}
