/** Safaricom's Daraja as a payment gateway: the requests of `PaymentGateway` in its wire protocol (docs/m-pesa.md). */
import { compactTime, spacedTime } from "#app/platform/east-africa-time.ts";
import type {
  PaymentGateway,
  PayoutAnswer,
  PayoutLookupAnswer,
  PayoutLookupRequest,
  PayoutOutcome,
  PayoutRequest,
  PullAnswer,
  PullRequest,
  PushAnswer,
  PushOutcome,
  PushRequest,
  ReceiptLookupRequest,
  ReceiptReport,
  ReversalAnswer,
  ReversalFailure,
  ReversalOutcome,
  ReversalRequest,
} from "#app/payments/gateway.ts";
import type { CallbackKind } from "#app/payments/callbacks.server.ts";
import {
  readPayoutLookup,
  readPayoutResult,
  readPushCallback,
  readReceiptLookup,
  readReversalResult,
} from "./callbacks.ts";
import { callbackUrl, isCallbackToken } from "./callback-urls.ts";
import {
  classifyLookup,
  classifyPayout,
  classifyPush,
  classifyQuery,
  classifyReversal,
  classifyToken,
  readAnswer,
  refusesToken,
  type ProviderAnswer,
} from "./classify.ts";
import { requireDarajaConfig, type DarajaConfig } from "./config.ts";
import { scrubCode, scrubRequestId } from "./privacy.ts";
import { classifyPull, classifyRegistration } from "./pull.ts";
import { badToken, findPayoutFault, findPushFault, findReversalFault, plainWords } from "./request-checks.ts";
import type { HeldToken, MintToken, TokenFailure, TokenHolder } from "./token-holder.ts";
import { exchange, type Fetch } from "./transport.ts";

export interface DarajaDeps {
  fetch: Fetch;
  tokens: TokenHolder;
  /** Milliseconds since 1970. */
  now(): number;
  log(event: DarajaLogEvent): void;
  /** Waits for that many milliseconds between two attempts. */
  wait?(ms: number): Promise<void>;
}

/** One call or one callback. Contains no token, phone number, name or body. */
export type DarajaLogEvent = {
  event: "daraja.call" | "daraja.callback";
  /** `error`: our configuration or float is the cause, and somebody must act. `warn`: the result is unknown. */
  level: "info" | "warn" | "error";
  api: "token" | "push" | "query" | "payout" | "lookup" | "reversal" | "register" | "pull";
  /** The HTTP status; null when no answer came, or for a callback. */
  status: number | null;
  /** How we classified it: accepted, refused, unknown, … */
  classification: string;
  code: string | null;
  ms: number | null;
  /** The provider's own request id, for its support. */
  safaricomRequestId: string | null;
};

const PATHS = {
  token: "/oauth/v1/generate?grant_type=client_credentials",
  push: "/mpesa/stkpush/v1/processrequest",
  query: "/mpesa/stkpushquery/v1/query",
  payout: "/mpesa/b2c/v3/paymentrequest",
  lookup: "/mpesa/transactionstatus/v1/query",
  reversal: "/mpesa/reversal/v1/request",
  register: "/pulltransactions/v1/register",
  pull: "/pulltransactions/v1/query",
} as const;

/** A call that only reads is tried up to four times. A call that moves money is sent once. */
const READING_TRIES = 4;
/** The time limit for all attempts to get a token, in ms. It is shorter than the token holder's lease. */
const TOKEN_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;
const WITHOUT_TOKEN_RETRY_MS = 60_000;

/** Reasons that customers can't fix. Our team must look. */
const ALARMING: ReadonlySet<ReversalFailure> = new Set([
  "our_configuration",
  "our_float",
  "our_limit",
  "provider_blocked",
]);

interface Call<Answer> {
  api: Exclude<DarajaLogEvent["api"], "token">;
  body: Record<string, string | number>;
  tries: number;
  classify(answer: ProviderAnswer): Answer;
  /** The answer when nothing was sent because there is no token. */
  withoutToken(failure: TokenFailure): Answer;
}

type AnyOutcome =
  | PushAnswer
  | PushOutcome
  | PayoutAnswer
  | PayoutOutcome
  | PayoutLookupAnswer
  | ReversalAnswer
  | PullAnswer;
type PushRefusal = Extract<PushAnswer, { kind: "refused" }>;
type Unknown = { kind: "unknown"; code: string; message: string };

/**
 * The gateway. It is cheap to make and keeps no state; make it where payments are used, not at the start of every
 * request.
 * @throws DarajaConfigurationError in production mode if the configuration can't work
 */
export function createDarajaGateway(config: DarajaConfig, deps: DarajaDeps): PaymentGateway {
  requireDarajaConfig(config);
  const wait = deps.wait ?? ((ms) => scheduler.wait(ms));
  const timeoutMs = config.timeoutMs ?? TIMEOUT_MS;
  const urlFor = (kind: CallbackKind, token: string) => callbackUrl(config.callbackOrigin, kind, token);

  const mint: MintToken = async () => {
    const startedAt = deps.now();
    const keys = base64(`${config.consumerKey}:${config.consumerSecret}`);
    const init = { method: "GET", headers: { Authorization: `Basic ${keys}` } };
    const asking = {
      url: config.baseUrl + PATHS.token,
      init,
      timeoutMs: Math.min(timeoutMs, TOKEN_TIMEOUT_MS),
      tries: READING_TRIES,
    };
    const sent = await exchange(asking, deps.fetch, wait);
    if (sent.kind === "lost") {
      logCall("token", null, lost(sent.code), startedAt);
      return { kind: "none", code: sent.code, message: "No access token: no answer", isOurs: false };
    }
    const answer = readAnswer(sent.status, sent.text);
    const token = classifyToken(answer);
    logCall("token", answer, token, startedAt, token.kind === "refused");
    if (token.kind === "minted") return token;
    return { kind: "none", code: token.code, message: token.message, isOurs: token.kind === "refused" };
  };

  /** Errors of the store are caught, because nothing was sent, and the caller must know that. */
  async function holdToken(ask: () => Promise<HeldToken | TokenFailure>): Promise<HeldToken | TokenFailure> {
    const startedAt = deps.now();
    try {
      return await ask();
    } catch {
      const failure: TokenFailure = {
        kind: "none",
        code: "token_store",
        message: "The access token could not be read",
        isOurs: false,
      };
      logCall("token", null, failure, startedAt, true);
      return failure;
    }
  }

  async function call<Answer extends AnyOutcome>(calling: Call<Answer>): Promise<Answer | Unknown> {
    const held = await holdToken(() => deps.tokens.current(mint));
    if (held.kind === "none") return calling.withoutToken(held);
    const first = await send(calling, held);
    if (first.kind === "settled") return first.answer;
    // The token was refused, so nothing was done yet. This is the one case in which a prompt or a payout is sent again.
    const renewed = await holdToken(() => deps.tokens.renew(held.generation, mint));
    if (renewed.kind === "none") return calling.withoutToken(renewed);
    const second = await send(calling, renewed);
    return second.answer;
  }

  async function send<Answer extends AnyOutcome>(
    calling: Call<Answer>,
    held: HeldToken,
  ): Promise<{ kind: "settled" | "token_refused"; answer: Answer | Unknown }> {
    const startedAt = deps.now();
    const init = {
      method: "POST",
      headers: { Authorization: `Bearer ${held.accessToken}`, "Content-Type": "application/json" },
      body: JSON.stringify(calling.body),
    };
    const sending = { url: config.baseUrl + PATHS[calling.api], init, timeoutMs, tries: calling.tries };
    const sent = await exchange(sending, deps.fetch, wait);
    if (sent.kind === "lost") {
      const answer = lost(sent.code);
      logCall(calling.api, null, answer, startedAt);
      return { kind: "settled", answer };
    }
    const provider = readAnswer(sent.status, sent.text);
    const answer = calling.classify(provider);
    logCall(calling.api, provider, answer, startedAt);
    return { kind: refusesToken(provider) ? "token_refused" : "settled", answer };
  }

  function logCall(
    api: DarajaLogEvent["api"],
    answer: ProviderAnswer | null,
    outcome: AnyOutcome | { kind: string; code?: string },
    startedAt: number,
    isAlarming = needsSomebody(outcome),
  ): void {
    deps.log({
      event: "daraja.call",
      level: levelOf(outcome.kind, isAlarming),
      api,
      status: answer?.status ?? null,
      classification: outcome.kind,
      code: "code" in outcome && outcome.code !== undefined ? scrubCode(outcome.code) : (answer?.code ?? null),
      ms: deps.now() - startedAt,
      safaricomRequestId: scrubRequestId(answer?.requestId ?? null),
    });
  }

  function logCallback<Report extends { outcome: PushOutcome | PayoutOutcome | ReversalOutcome; code: string }>(
    api: DarajaLogEvent["api"],
    report: Report | null,
  ): Report | null {
    const kind = report?.outcome.kind ?? "unreadable";
    const level = levelOf(kind, report !== null && needsSomebody(report.outcome));
    deps.log({
      event: "daraja.callback",
      level,
      api,
      status: null,
      classification: kind,
      code: report?.code ?? null,
      ms: null,
      safaricomRequestId: null,
    });
    return report;
  }

  /** The password, and the timestamp that it was made with (docs/m-pesa.md, "Prompts"). */
  function signed(): { BusinessShortCode: number; Password: string; Timestamp: string } {
    const timestamp = compactTime(deps.now());
    return {
      BusinessShortCode: Number(config.shortcode),
      Password: base64(config.shortcode + config.passkey + timestamp),
      Timestamp: timestamp,
    };
  }

  async function push(request: PushRequest): Promise<PushAnswer> {
    const fault = findPushFault(request);
    if (fault !== null) return { kind: "refused", ...fault, retryAfterMs: null };
    return call<PushAnswer>({
      api: "push",
      body: {
        ...signed(),
        TransactionType: config.kind === "till" ? "CustomerBuyGoodsOnline" : "CustomerPayBillOnline",
        Amount: request.amount,
        PartyA: Number(request.phone),
        PartyB: Number(config.kind === "till" ? config.till : config.shortcode),
        PhoneNumber: Number(request.phone),
        CallBackURL: urlFor("push", request.callbackToken),
        AccountReference: request.accountReference,
        TransactionDesc: plainWords(request.description, 13, "Payment"),
      },
      tries: 1,
      classify: classifyPush,
      withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure) }),
    });
  }

  async function queryPush(checkoutRequestId: string): Promise<PushOutcome> {
    return call<PushOutcome>({
      api: "query",
      body: { ...signed(), CheckoutRequestID: checkoutRequestId },
      tries: READING_TRIES,
      classify: (answer) => classifyQuery(answer, checkoutRequestId),
      withoutToken: ({ code, message }) => ({ kind: "unknown", code, message }),
    });
  }

  async function payOut(request: PayoutRequest): Promise<PayoutAnswer> {
    const fault = findPayoutFault(request);
    if (fault !== null)
      return { kind: "refused", ...fault, pausesChannel: fault.reason === "our_configuration", retryAfterMs: null };
    return call<PayoutAnswer>({
      api: "payout",
      body: {
        OriginatorConversationID: request.conversationId,
        InitiatorName: config.initiator,
        SecurityCredential: config.securityCredential,
        CommandID: "BusinessPayment",
        Amount: String(request.amount),
        PartyA: config.payoutShortcode,
        PartyB: request.phone,
        Remarks: plainWords(request.remarks, 100, "Payout"),
        QueueTimeOutURL: urlFor("payout_timeout", request.callbackToken),
        ResultURL: urlFor("payout", request.callbackToken),
        // Version 3 of the API has this spelling (docs/m-pesa.md, "Payouts").
        Occassion: "Payout",
      },
      tries: 1,
      classify: (answer) => classifyPayout(answer, request.conversationId),
      withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure), pausesChannel: failure.isOurs }),
    });
  }

  async function lookUpPayout(request: PayoutLookupRequest): Promise<PayoutLookupAnswer> {
    if (!isCallbackToken(request.callbackToken)) return { kind: "refused", ...badToken, retryAfterMs: null };
    return call<PayoutLookupAnswer>({
      api: "lookup",
      body: {
        Initiator: config.initiator,
        SecurityCredential: config.securityCredential,
        CommandID: "TransactionStatusQuery",
        OriginalConversationID: request.conversationId,
        PartyA: config.payoutShortcode,
        IdentifierType: "4",
        ResultURL: urlFor("lookup", request.callbackToken),
        QueueTimeOutURL: urlFor("lookup_timeout", request.callbackToken),
        Remarks: "Payout",
        Occasion: "Payout",
      },
      tries: 1,
      classify: classifyLookup,
      withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure) }),
    });
  }

  async function lookUpReceipt({ receipt, callbackToken, account }: ReceiptLookupRequest): Promise<PayoutLookupAnswer> {
    if (!isCallbackToken(callbackToken)) return { kind: "refused", ...badToken, retryAfterMs: null };
    return call<PayoutLookupAnswer>({
      api: "lookup",
      body: {
        Initiator: config.initiator,
        SecurityCredential: config.securityCredential,
        CommandID: "TransactionStatusQuery",
        TransactionID: receipt,
        PartyA: account === "payouts" ? config.payoutShortcode : config.shortcode,
        IdentifierType: "4",
        ResultURL: urlFor("receipt", callbackToken),
        QueueTimeOutURL: urlFor("lookup_timeout", callbackToken),
        Remarks: "Payment",
        Occasion: "Payment",
      },
      tries: 1,
      classify: classifyLookup,
      withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure) }),
    });
  }

  async function reverse(request: ReversalRequest): Promise<ReversalAnswer> {
    const fault = findReversalFault(request);
    if (fault !== null)
      return { kind: "refused", ...fault, pausesChannel: fault.reason === "our_configuration", retryAfterMs: null };
    return call<ReversalAnswer>({
      api: "reversal",
      body: {
        Initiator: config.initiator,
        SecurityCredential: config.securityCredential,
        CommandID: "TransactionReversal",
        TransactionID: request.receipt,
        Amount: String(request.amount),
        ReceiverParty: config.shortcode,
        // The API has this spelling (docs/m-pesa.md, "Reversals").
        RecieverIdentifierType: "11",
        ResultURL: urlFor("reversal", request.callbackToken),
        QueueTimeOutURL: urlFor("reversal_timeout", request.callbackToken),
        Remarks: plainWords(request.remarks, 100, "Refund"),
        Occasion: "Refund",
      },
      tries: 1,
      classify: classifyReversal,
      withoutToken: (failure) => ({ kind: "refused", ...refusalWithoutToken(failure), pausesChannel: failure.isOurs }),
    });
  }

  async function registerPull(phone: string): Promise<{ kind: "accepted" } | Exclude<PullAnswer, { kind: "listed" }>> {
    return call<{ kind: "accepted" } | Exclude<PullAnswer, { kind: "listed" }>>({
      api: "register",
      body: {
        ShortCode: config.shortcode,
        RequestType: "Pull",
        NominatedNumber: phone,
        // What M-Pesa would send there isn't documented. No request of ours has this token.
        CallBackURL: urlFor("push", "0".repeat(64)),
      },
      tries: READING_TRIES,
      classify: classifyRegistration,
      withoutToken: ({ code, message }) => ({ kind: "unknown", code, message }),
    });
  }

  async function pull({ from, until, offset }: PullRequest): Promise<PullAnswer> {
    return call<PullAnswer>({
      api: "pull",
      body: {
        ShortCode: config.shortcode,
        StartDate: spacedTime(from),
        EndDate: spacedTime(until),
        OffSetValue: String(offset),
      },
      tries: READING_TRIES,
      classify: classifyPull,
      withoutToken: ({ code, message }) => ({ kind: "unknown", code, message }),
    });
  }

  function readReceipt(body: string): ReceiptReport | null {
    const collecting = config.kind === "till" ? [config.till, config.shortcode] : [config.shortcode];
    const report = readReceiptLookup(body, { collecting, own: [...collecting, config.payoutShortcode] });
    deps.log({
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

  return {
    push,
    queryPush,
    payOut,
    lookUpPayout,
    lookUpReceipt,
    readReceiptLookup: readReceipt,
    readPushCallback: (body) => logCallback("push", readPushCallback(body)),
    readPayoutResult: (body) => logCallback("payout", readPayoutResult(body)),
    readPayoutLookup: (body) => logCallback("lookup", readPayoutLookup(body)),
    reverse,
    readReversalResult: (body) => logCallback("reversal", readReversalResult(body)),
    registerPull,
    pull,
  };
}

function refusalWithoutToken({ code, message, isOurs }: TokenFailure): Omit<PushRefusal, "kind"> {
  if (isOurs) return { code, message, reason: "our_configuration", retryAfterMs: null };
  return { code, message, reason: "provider_busy", retryAfterMs: WITHOUT_TOKEN_RETRY_MS };
}

function lost(code: "timeout" | "network"): Unknown {
  return { kind: "unknown", code, message: "No answer" };
}

function needsSomebody(outcome: { kind: string; reason?: ReversalFailure; pausesChannel?: boolean }): boolean {
  return outcome.pausesChannel === true || (outcome.reason !== undefined && ALARMING.has(outcome.reason));
}

function levelOf(kind: string, isAlarming: boolean): DarajaLogEvent["level"] {
  if (isAlarming) return "error";
  return kind === "unknown" || kind === "unreadable" ? "warn" : "info";
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
