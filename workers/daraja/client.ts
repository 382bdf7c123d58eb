/** Safaricom's Daraja as a payment gateway: the requests of `PaymentGateway` in its wire protocol (docs/m-pesa.md). */
import { compactTime, spacedTime } from "#app/platform/east-africa-time.ts";
import type {
  PaymentGateway,
  PayoutAnswer,
  PayoutLookupAnswer,
  PayoutLookupRequest,
  PayoutRequest,
  PullAnswer,
  PullRequest,
  PushAnswer,
  PushOutcome,
  PushRequest,
  ReceiptLookupRequest,
  ReceiptReport,
  ReversalAnswer,
  ReversalRequest,
} from "#app/payments/gateway.ts";
import type { CallbackKind } from "#app/payments/answers/callbacks.server.ts";
import {
  readPayoutLookup,
  readPayoutResult,
  readPushCallback,
  readReceiptLookup,
  readReversalResult,
} from "./callbacks.ts";
import { callbackUrl, isCallbackToken } from "./callback-urls.ts";
import { classifyLookup, classifyPayout, classifyPush, classifyQuery, classifyReversal } from "./classify.ts";
import { requireDarajaConfig, type DarajaConfig } from "./config.ts";
import { classifyPull, classifyRegistration } from "./pull.ts";
import { badToken, findPayoutFault, findPushFault, findReversalFault, plainWords } from "./request-checks.ts";
import type { Daraja, DarajaDeps } from "./calls.ts";
import { READING_TRIES, base64, call, logCallback, refusalWithoutToken } from "./calls.ts";

const TIMEOUT_MS = 30_000;

/**
 * The gateway. It is cheap to make and keeps no state; make it where payments are used, not at the start of every
 * request.
 * @throws DarajaConfigurationError in production mode if the configuration can't work
 */
export function createDarajaGateway(config: DarajaConfig, deps: DarajaDeps): PaymentGateway {
  requireDarajaConfig(config);
  const daraja: Daraja = {
    config,
    deps,
    wait: deps.wait ?? ((ms) => scheduler.wait(ms)),
    timeoutMs: config.timeoutMs ?? TIMEOUT_MS,
  };
  return {
    push: (request) => push(daraja, request),
    queryPush: (checkoutRequestId) => queryPush(daraja, checkoutRequestId),
    payOut: (request) => payOut(daraja, request),
    lookUpPayout: (request) => lookUpPayout(daraja, request),
    lookUpReceipt: (request) => lookUpReceipt(daraja, request),
    reverse: (request) => reverse(daraja, request),
    registerPull: (phone) => registerPull(daraja, phone),
    pull: (request) => pull(daraja, request),
    readPushCallback: (body) => logCallback(daraja, "push", readPushCallback(body)),
    readPayoutResult: (body) => logCallback(daraja, "payout", readPayoutResult(body)),
    readPayoutLookup: (body) => logCallback(daraja, "lookup", readPayoutLookup(body)),
    readReceiptLookup: (body) => readReceipt(daraja, body),
    readReversalResult: (body) => logCallback(daraja, "reversal", readReversalResult(body)),
  };
}

function urlFor({ config }: Daraja, kind: CallbackKind, token: string): string {
  return callbackUrl(config.callbackOrigin, kind, token);
}

/** The password, and the timestamp that it was made with (docs/m-pesa.md, "Prompts"). */
function signed(daraja: Daraja): { BusinessShortCode: number; Password: string; Timestamp: string } {
  const timestamp = compactTime(daraja.deps.now());
  return {
    BusinessShortCode: Number(daraja.config.shortcode),
    Password: base64(daraja.config.shortcode + daraja.config.passkey + timestamp),
    Timestamp: timestamp,
  };
}

async function push(daraja: Daraja, request: PushRequest): Promise<PushAnswer> {
  const fault = findPushFault(request);
  if (fault !== null) return { kind: "refused", ...fault, retryAfterMs: null };
  return call<PushAnswer>(daraja, {
    api: "push",
    body: {
      ...signed(daraja),
      TransactionType: daraja.config.kind === "till" ? "CustomerBuyGoodsOnline" : "CustomerPayBillOnline",
      Amount: request.amount,
      PartyA: Number(request.phone),
      PartyB: Number(daraja.config.kind === "till" ? daraja.config.till : daraja.config.shortcode),
      PhoneNumber: Number(request.phone),
      CallBackURL: urlFor(daraja, "push", request.callbackToken),
      AccountReference: request.accountReference,
      TransactionDesc: plainWords(request.description, 13, "Payment"),
    },
    tries: 1,
    classify: classifyPush,
    withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure) }),
  });
}

async function queryPush(daraja: Daraja, checkoutRequestId: string): Promise<PushOutcome> {
  return call<PushOutcome>(daraja, {
    api: "query",
    body: { ...signed(daraja), CheckoutRequestID: checkoutRequestId },
    tries: READING_TRIES,
    classify: (answer) => classifyQuery(answer, checkoutRequestId),
    withoutToken: ({ code, message }) => ({ kind: "unknown", code, message }),
  });
}

async function payOut(daraja: Daraja, request: PayoutRequest): Promise<PayoutAnswer> {
  const fault = findPayoutFault(request);
  if (fault !== null)
    return { kind: "refused", ...fault, pausesChannel: fault.reason === "our_configuration", retryAfterMs: null };
  return call<PayoutAnswer>(daraja, {
    api: "payout",
    body: {
      OriginatorConversationID: request.conversationId,
      InitiatorName: daraja.config.initiator,
      SecurityCredential: daraja.config.securityCredential,
      CommandID: "BusinessPayment",
      Amount: String(request.amount),
      PartyA: daraja.config.payoutShortcode,
      PartyB: request.phone,
      Remarks: plainWords(request.remarks, 100, "Payout"),
      QueueTimeOutURL: urlFor(daraja, "payout_timeout", request.callbackToken),
      ResultURL: urlFor(daraja, "payout", request.callbackToken),
      // Version 3 of the API has this spelling (docs/m-pesa.md, "Payouts").
      Occassion: "Payout",
    },
    tries: 1,
    classify: (answer) => classifyPayout(answer, request.conversationId),
    withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure), pausesChannel: failure.isOurs }),
  });
}

async function lookUpPayout(daraja: Daraja, request: PayoutLookupRequest): Promise<PayoutLookupAnswer> {
  if (!isCallbackToken(request.callbackToken)) return { kind: "refused", ...badToken, retryAfterMs: null };
  return call<PayoutLookupAnswer>(daraja, {
    api: "lookup",
    body: {
      Initiator: daraja.config.initiator,
      SecurityCredential: daraja.config.securityCredential,
      CommandID: "TransactionStatusQuery",
      OriginalConversationID: request.conversationId,
      PartyA: daraja.config.payoutShortcode,
      IdentifierType: "4",
      ResultURL: urlFor(daraja, "lookup", request.callbackToken),
      QueueTimeOutURL: urlFor(daraja, "lookup_timeout", request.callbackToken),
      Remarks: "Payout",
      Occasion: "Payout",
    },
    tries: 1,
    classify: classifyLookup,
    withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure) }),
  });
}

async function lookUpReceipt(
  daraja: Daraja,
  { receipt, callbackToken, account }: ReceiptLookupRequest,
): Promise<PayoutLookupAnswer> {
  if (!isCallbackToken(callbackToken)) return { kind: "refused", ...badToken, retryAfterMs: null };
  return call<PayoutLookupAnswer>(daraja, {
    api: "lookup",
    body: {
      Initiator: daraja.config.initiator,
      SecurityCredential: daraja.config.securityCredential,
      CommandID: "TransactionStatusQuery",
      TransactionID: receipt,
      PartyA: account === "payouts" ? daraja.config.payoutShortcode : daraja.config.shortcode,
      IdentifierType: "4",
      ResultURL: urlFor(daraja, "receipt", callbackToken),
      QueueTimeOutURL: urlFor(daraja, "lookup_timeout", callbackToken),
      Remarks: "Payment",
      Occasion: "Payment",
    },
    tries: 1,
    classify: classifyLookup,
    withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure) }),
  });
}

async function reverse(daraja: Daraja, request: ReversalRequest): Promise<ReversalAnswer> {
  const fault = findReversalFault(request);
  if (fault !== null)
    return { kind: "refused", ...fault, pausesChannel: fault.reason === "our_configuration", retryAfterMs: null };
  return call<ReversalAnswer>(daraja, {
    api: "reversal",
    body: {
      Initiator: daraja.config.initiator,
      SecurityCredential: daraja.config.securityCredential,
      CommandID: "TransactionReversal",
      TransactionID: request.receipt,
      Amount: String(request.amount),
      ReceiverParty: daraja.config.shortcode,
      // The API has this spelling (docs/m-pesa.md, "Reversals").
      RecieverIdentifierType: "11",
      ResultURL: urlFor(daraja, "reversal", request.callbackToken),
      QueueTimeOutURL: urlFor(daraja, "reversal_timeout", request.callbackToken),
      Remarks: plainWords(request.remarks, 100, "Refund"),
      Occasion: "Refund",
    },
    tries: 1,
    classify: classifyReversal,
    withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure), pausesChannel: failure.isOurs }),
  });
}

async function registerPull(
  daraja: Daraja,
  phone: string,
): Promise<{ kind: "accepted" } | Exclude<PullAnswer, { kind: "listed" }>> {
  return call<{ kind: "accepted" } | Exclude<PullAnswer, { kind: "listed" }>>(daraja, {
    api: "register",
    body: {
      ShortCode: daraja.config.shortcode,
      RequestType: "Pull",
      NominatedNumber: phone,
      // What M-Pesa would send there isn't documented. No request of ours has this token.
      CallBackURL: urlFor(daraja, "push", "0".repeat(64)),
    },
    tries: READING_TRIES,
    classify: classifyRegistration,
    withoutToken: ({ code, message }) => ({ kind: "unknown", code, message }),
  });
}

async function pull(daraja: Daraja, { from, until, offset }: PullRequest): Promise<PullAnswer> {
  return call<PullAnswer>(daraja, {
    api: "pull",
    body: {
      ShortCode: daraja.config.shortcode,
      StartDate: spacedTime(from),
      EndDate: spacedTime(until),
      OffSetValue: String(offset),
    },
    tries: READING_TRIES,
    classify: classifyPull,
    withoutToken: ({ code, message }) => ({ kind: "unknown", code, message }),
  });
}

function readReceipt(daraja: Daraja, body: string): ReceiptReport | null {
  const collecting =
    daraja.config.kind === "till" ? [daraja.config.till, daraja.config.shortcode] : [daraja.config.shortcode];
  const report = readReceiptLookup(body, { collecting, own: [...collecting, daraja.config.payoutShortcode] });
  daraja.deps.log({
    event: "daraja.callback",
    level: report === null || report.outcome === "unknown" ? "warn" : "info",
    api: "lookup",
    status: null,
    classification: report?.outcome ?? "unreadable",
    code: report?.code ?? null,
    ms: null,
    safaricomRequestId: null,
  });
  return report;
}
