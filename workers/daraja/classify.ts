/**
 * The one place that decides what an HTTP answer of Safaricom means. There are three cases: yes, a clear no before
 * M-PESA acts, and everything else, which is unknown. Messages are read only when one code has several meanings.
 */
import type {
  FailureReason,
  PayoutAnswer,
  PayoutLookupAnswer,
  PushAnswer,
  PushOutcome,
  ReversalAnswer,
} from "#app/payments/gateway.ts";
import { isJsonObject, readJsonObject, readText, type JsonObject } from "./json-reading.ts";
import { scrubCode, scrubMessage } from "./privacy.ts";
import { payoutResult, pushResult, reversalResult } from "./result-codes.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/**
 * What an answer holds. `result`: an object without an error. `error`: errorCode and errorMessage. `fault`: from the
 * gateway in front. `page`: anything that isn't such an object. `empty`: nothing.
 */
export const SHAPES = ["result", "error", "fault", "page", "empty"] as const;
type Shape = (typeof SHAPES)[number];

/** An HTTP answer, read as text first and as JSON second. */
export interface ProviderAnswer {
  status: number;
  shape: Shape;
  code: string;
  message: string;
  requestId: string | null;
  body: JsonObject;
}

/** Why nothing was done. No money could move. */
interface Refusal {
  reason: FailureReason;
  pausesChannel: boolean;
  retryAfterMs: number | null;
}

/** The answer of the token endpoint. `refused`: our keys are wrong. `unknown`: no token this time. */
export type TokenAnswer =
  | { kind: "minted"; accessToken: string; lifeMs: number }
  | { kind: "refused"; code: string; message: string }
  | { kind: "unknown"; code: string; message: string };

type Api = "push" | "payout" | "lookup" | "reversal";

const MAX_ID = 128;
/** Assumed when a token's lifetime is unreadable. It is short, so a wrong guess corrects itself. */
const UNREADABLE_TOKEN_LIFE_MS = 5 * MINUTE_MS;

/** The sandbox's spike arrest allows one call in 12 s (docs/m-pesa.md, "Facts that shape the design"). */
const AFTER_SPIKE_MS = 12_000;
const AFTER_BUSY_MS = 60_000;

const busy: Refusal = { reason: "provider_busy", pausesChannel: false, retryAfterMs: AFTER_BUSY_MS };
const spike: Refusal = { reason: "provider_busy", pausesChannel: false, retryAfterMs: AFTER_SPIKE_MS };
const misconfigured: Refusal = { reason: "our_configuration", pausesChannel: true, retryAfterMs: null };
/** Turned away before M-Pesa, as every other request would be. */
const blocked: Refusal = { reason: "provider_blocked", pausesChannel: false, retryAfterMs: AFTER_BUSY_MS };
/** M-Pesa doesn't take this one request as it is. */
const badRequest: Refusal = { reason: "other", pausesChannel: false, retryAfterMs: null };
const payerBusy: Refusal = { reason: "payer_busy", pausesChannel: false, retryAfterMs: AFTER_BUSY_MS };
const badPhone: Refusal = { reason: "invalid_phone", pausesChannel: false, retryAfterMs: null };
const badAmount: Refusal = { reason: "amount_limit", pausesChannel: false, retryAfterMs: null };

const INVALID_TOKEN_CODE = /^(401\.|404\.001\.03$|400\.003\.01$)/;
const INVALID_TOKEN_TEXT = /invalid[_ ]?access[_ ]?token|access[_ ]?token[_ ]?expired/i;
const NO_PRODUCT = /no ?api ?product ?match/i;

const ONE_PAYOUTS_FIELDS = /invalid (remarks|occass?ion|originatorconversationid)\b/i;
const SYSTEM_BUSY = /system is busy/i;

/**
 * What each error code means (docs/m-pesa.md, "Answers to a prompt" and "Payouts"). The first match wins. A row without
 * `message` matches every message under that code.
 */
const ERROR_REFUSALS: { api?: Api; code: RegExp; message?: RegExp; refusal: Refusal }[] = [
  { api: "push", code: /^400\./, message: /invalid (phonenumber|partya)\b/i, refusal: badPhone },
  { api: "payout", code: /^400\./, message: /invalid partyb\b/i, refusal: badPhone },
  { code: /^400\./, message: /invalid amount\b/i, refusal: badAmount },
  // What differs from payout to payout: the next one may be fine.
  { api: "payout", code: /^400\./, message: ONE_PAYOUTS_FIELDS, refusal: badRequest },
  { api: "reversal", code: /^400\./, message: ONE_PAYOUTS_FIELDS, refusal: badRequest },
  { code: /^40[045]\./, refusal: misconfigured },
  {
    api: "push",
    code: /^500\.001\.1001$/,
    message: /merchant does not exist|wrong credentials/i,
    refusal: misconfigured,
  },
  {
    api: "push",
    code: /^500\.001\.1001$/,
    message: /unable to lock subscriber|already in process/i,
    refusal: payerBusy,
  },
  { code: /^500\.003\.02$/, message: /spike arrest/i, refusal: spike },
  { code: /^500\.003\.0[23]$/, refusal: busy },
  { code: /./, message: SYSTEM_BUSY, refusal: busy },
];

const FAULT_REFUSALS: { text: RegExp; refusal: Refusal }[] = [
  { text: SYSTEM_BUSY, refusal: busy },
  { text: /spike ?arrest/i, refusal: spike },
  { text: /quota ?violation/i, refusal: busy },
  { text: NO_PRODUCT, refusal: misconfigured },
];

/** The groups of statuses that answers without a known code fall into. */
export type StatusGroup = "2xx" | "3xx" | "4xx" | "blocked" | "limited" | "timed_out" | "5xx";

const STATUS_GROUP: Readonly<Record<number, StatusGroup>> = {
  403: "blocked",
  406: "blocked",
  451: "blocked",
  408: "timed_out",
  429: "limited",
  499: "timed_out",
};

/** The group of a status. An unheard-of one counts as 5xx, after which anything may have happened. */
function statusGroupOf(status: number): StatusGroup {
  const group = STATUS_GROUP[status];
  if (group) return group;
  if (status >= 200 && status < 300) return "2xx";
  if (status >= 300 && status < 400) return "3xx";
  return status >= 400 && status < 500 ? "4xx" : "5xx";
}

/**
 * An answer whose code tells nothing. A refusal: what stands in front of M-Pesa has turned the request away, so that
 * M-Pesa never had it. Null: M-Pesa may have it.
 */
const WITHOUT_KNOWN_CODE = {
  // Somebody in front answers "fine" with a page of their own, and may have passed the request on.
  "2xx": { result: null, error: null, fault: null, page: null, empty: null },
  "3xx": { result: null, error: null, fault: null, page: null, empty: null },
  // A JSON error with an unlisted code comes from M-Pesa's side. A page doesn't: firewalls and proxies write those.
  "4xx": { result: null, error: null, fault: blocked, page: blocked, empty: null },
  blocked: { result: null, error: blocked, fault: blocked, page: blocked, empty: blocked },
  limited: { result: spike, error: spike, fault: spike, page: spike, empty: spike },
  timed_out: { result: null, error: null, fault: null, page: null, empty: null },
  "5xx": { result: null, error: null, fault: null, page: null, empty: null },
} satisfies Record<StatusGroup, Record<Shape, Refusal | null>>;

/** Reads any answer. Never throws. Codes and messages are returned without personal data. */
export function readAnswer(status: number, text: string): ProviderAnswer {
  const body = readJsonObject(text);
  if (body === null) {
    const shape = text.trim() === "" ? "empty" : "page";
    // Of a page nothing is kept but this, because it may hold anything.
    const message = SYSTEM_BUSY.test(text) ? "System is busy" : "";
    return { status, shape, code: `http_${status}`, message, requestId: null, body: {} };
  }
  const requestId = readText(body.requestId, MAX_ID);
  const errorCode = readText(body.errorCode, MAX_ID);
  if (errorCode !== null) {
    const message = typeof body.errorMessage === "string" ? body.errorMessage : "";
    return { status, shape: "error", code: scrubCode(errorCode), message: scrubMessage(message), requestId, body };
  }
  if (isJsonObject(body.fault)) {
    const detail = isJsonObject(body.fault.detail) ? body.fault.detail : {};
    const code = readText(detail.errorcode, MAX_ID) ?? `http_${status}`;
    const message = typeof body.fault.faultstring === "string" ? body.fault.faultstring : "";
    return { status, shape: "fault", code: scrubCode(code), message: scrubMessage(message), requestId, body };
  }
  const code = readText(body.ResponseCode, MAX_ID) ?? `http_${status}`;
  const message = readText(body.ResponseDescription, 1000) ?? "";
  return { status, shape: "result", code: scrubCode(code), message: scrubMessage(message), requestId, body };
}

/** Whether the answer refuses our access token, so that a fresh one may help (docs/m-pesa.md, "Access tokens"). */
export function refusesToken(answer: ProviderAnswer): boolean {
  const words = `${answer.code} ${answer.message}`;
  if (answer.shape === "error")
    return INVALID_TOKEN_CODE.test(answer.code) || (/^40\d\./.test(answer.code) && INVALID_TOKEN_TEXT.test(words));
  if (answer.shape === "fault")
    return !NO_PRODUCT.test(words) && (answer.status === 401 || INVALID_TOKEN_TEXT.test(words));
  return answer.status === 401 && answer.shape !== "page";
}

/**
 * Reads the answer of the token endpoint (docs/m-pesa.md, "Access tokens"). Wrong keys get 400, sometimes with an empty
 * body.
 */
export function classifyToken(answer: ProviderAnswer): TokenAnswer {
  const { status, code, message } = answer;
  if (status === 200 && answer.shape === "result") {
    const accessToken = readText(answer.body.access_token, 4096);
    if (accessToken !== null) return { kind: "minted", accessToken, lifeMs: readLife(answer.body.expires_in) };
  }
  // A page comes from whatever stands in front, and says nothing about our keys.
  const isAboutKeys = answer.shape === "result" || answer.shape === "empty";
  const isRefused =
    (isAboutKeys && (status === 400 || status === 401)) || (answer.shape === "error" && /^40[01]\./.test(code));
  return { kind: isRefused ? "refused" : "unknown", code, message };
}

/** Reads the answer to a prompt request (docs/m-pesa.md, "Answers to a prompt"). */
export function classifyPush(answer: ProviderAnswer): PushAnswer {
  const { code, message } = answer;
  const refusal = findRefusal("push", answer);
  if (refusal !== null)
    return { kind: "refused", code, message, reason: refusal.reason, retryAfterMs: refusal.retryAfterMs };
  const checkoutRequestId = readText(answer.body.CheckoutRequestID, MAX_ID);
  if (!isAcknowledged(answer) || checkoutRequestId === null) return { kind: "unknown", code, message };
  return {
    kind: "accepted",
    checkoutRequestId,
    merchantRequestId: readText(answer.body.MerchantRequestID, MAX_ID) ?? "",
  };
}

/**
 * The answer to an STK query about `checkoutRequestId` (docs/m-pesa.md, "Queries"). Only a result code from the closed
 * list settles anything; `500.001.1001` in all its meanings never does (docs/m-pesa.md, "Facts that shape the design").
 */
export function classifyQuery(answer: ProviderAnswer, checkoutRequestId: string): PushOutcome {
  const { code, message } = answer;
  if (answer.shape === "error") return isInFlight(answer) ? { kind: "pending" } : { kind: "unknown", code, message };
  const echoed = readText(answer.body.CheckoutRequestID, MAX_ID);
  if (!isAcknowledged(answer) || (echoed !== null && echoed !== checkoutRequestId))
    return { kind: "unknown", code, message };
  const resultCode = readText(answer.body.ResultCode, 32);
  if (resultCode === null) return { kind: "unknown", code, message };
  return pushOutcome(resultCode, readText(answer.body.ResultDesc, 1000) ?? "");
}

/** A prompt's result code and message as an outcome. Both are returned without personal data. */
export function pushOutcome(resultCode: string, resultDesc: string): PushOutcome {
  const meaning = pushResult(resultCode);
  const code = scrubCode(resultCode);
  const message = scrubMessage(resultDesc);
  if (meaning.kind === "failed") return { kind: "failed", code, message, reason: meaning.reason };
  if (meaning.kind === "unknown") return { kind: "unknown", code, message };
  return { kind: meaning.kind };
}

/** Reads the answer to a payout request with our `conversationId` (docs/m-pesa.md, "Payouts"). */
export function classifyPayout(answer: ProviderAnswer, conversationId: string): PayoutAnswer {
  const { code, message } = answer;
  const refusal = findRefusal("payout", answer);
  if (refusal !== null) return { kind: "refused", code, message, ...refusal };
  if (answer.shape === "error" && code === "500.002.1001" && /duplicate/i.test(message)) return { kind: "duplicate" };
  if (answer.shape !== "result" || !isOk(answer.status)) return { kind: "unknown", code, message };
  const responseCode = readText(answer.body.ResponseCode, 32);
  if (responseCode === null) return { kind: "unknown", code, message };
  if (responseCode !== "0") return refusedByResponseCode(responseCode, message);
  const providerConversationId = readText(answer.body.ConversationID, MAX_ID);
  const echoed = readText(answer.body.OriginatorConversationID, MAX_ID);
  if (providerConversationId === null || (echoed !== null && echoed !== conversationId))
    return { kind: "unknown", code, message };
  return { kind: "accepted", providerConversationId };
}

/**
 * Reads the answer to a look-up request of a payout (docs/m-pesa.md, "Transaction Status"). Asking again is always
 * safe.
 */
export function classifyLookup(answer: ProviderAnswer): PayoutLookupAnswer {
  const { code, message } = answer;
  const refusal = findRefusal("lookup", answer);
  if (refusal !== null) return { kind: "refused", code, message, retryAfterMs: refusal.retryAfterMs };
  return isAcknowledged(answer) ? { kind: "accepted" } : { kind: "unknown", code, message };
}

/** Reads the answer to a reversal request (docs/m-pesa.md, "Reversals"). */
export function classifyReversal(answer: ProviderAnswer): ReversalAnswer {
  const { code, message } = answer;
  if (answer.shape === "error" && code.startsWith("400.") && /invalid transactionid\b/i.test(message))
    return { kind: "refused", code, message, reason: "receipt_invalid", pausesChannel: false, retryAfterMs: null };
  const refusal = findRefusal("reversal", answer);
  if (refusal !== null) return { kind: "refused", code, message, ...refusal };
  if (answer.shape !== "result" || !isOk(answer.status)) return { kind: "unknown", code, message };
  const responseCode = readText(answer.body.ResponseCode, 32);
  const providerConversationId = readText(answer.body.ConversationID, MAX_ID);
  if (responseCode === "0")
    return providerConversationId === null
      ? { kind: "unknown", code, message }
      : { kind: "accepted", providerConversationId };
  const meaning = reversalResult(responseCode ?? "");
  if (meaning.kind === "already_reversed") return meaning;
  if (meaning.kind !== "failed") return { kind: "unknown", code, message };
  const { reason, pausesChannel } = meaning;
  return { kind: "refused", code, message, reason, pausesChannel, retryAfterMs: null };
}

function findRefusal(api: Api, answer: ProviderAnswer): Refusal | null {
  // Occurs only after a fresh token was refused as well: somebody else creates tokens with our keys, or the provider
  // has a problem.
  if (refusesToken(answer)) return busy;
  const unlisted = WITHOUT_KNOWN_CODE[statusGroupOf(answer.status)][answer.shape];
  if (answer.shape === "error") {
    const row = ERROR_REFUSALS.find((candidate) => isRowFor(candidate, api, answer));
    return row?.refusal ?? unlisted;
  }
  if (answer.shape === "fault") {
    const words = `${answer.code} ${answer.message}`;
    return FAULT_REFUSALS.find((candidate) => candidate.text.test(words))?.refusal ?? unlisted;
  }
  return answer.shape === "page" && answer.message !== "" ? busy : unlisted;
}

function isRowFor(row: (typeof ERROR_REFUSALS)[number], api: Api, answer: ProviderAnswer): boolean {
  if (row.api !== undefined && row.api !== api) return false;
  if (!row.code.test(answer.code)) return false;
  return row.message === undefined || row.message.test(answer.message);
}

/**
 * A `ResponseCode` other than 0 refuses a payout (docs/m-pesa.md, "Payouts"), except one that may mean "paid before".
 */
function refusedByResponseCode(code: string, message: string): PayoutAnswer {
  if (code === "15") return { kind: "duplicate" };
  const meaning = payoutResult(code);
  const { reason, pausesChannel } =
    meaning.kind === "failed" ? meaning : { reason: "other" as const, pausesChannel: false };
  return { kind: "refused", code: scrubCode(code), message, reason, pausesChannel, retryAfterMs: null };
}

function isAcknowledged(answer: ProviderAnswer): boolean {
  return answer.shape === "result" && isOk(answer.status) && readText(answer.body.ResponseCode, 32) === "0";
}

/**
 * The two in-flight shapes that come as errors (docs/m-pesa.md, "Facts that shape the design"); the third is result
 * code 4999.
 */
function isInFlight(answer: ProviderAnswer): boolean {
  if (answer.code !== "500.001.1001") return false;
  return /being processed/i.test(answer.message) || (answer.status === 200 && answer.message === "");
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** `expires_in` is seconds, as text or as a number (docs/m-pesa.md, "Access tokens"). */
function readLife(value: unknown): number {
  const seconds = Number(readText(value, 12) ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 && seconds <= 86_400 ? seconds * 1000 : UNREADABLE_TOKEN_LIFE_MS;
}
