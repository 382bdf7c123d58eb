/** One call to Daraja: its token, its tries, its line in the log. No token, phone number, name or body is logged. */
import type {
  PayoutAnswer,
  PayoutLookupAnswer,
  PayoutOutcome,
  PullAnswer,
  PushAnswer,
  PushOutcome,
  ReversalAnswer,
  ReversalFailure,
  ReversalOutcome,
} from "#app/payments/gateway.ts";
import { classifyToken, readAnswer, refusesToken, type ProviderAnswer } from "./classify.ts";
import { type DarajaConfig } from "./config.ts";
import { scrubCode, scrubRequestId } from "./privacy.ts";
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
export const READING_TRIES = 4;

/** The time limit for all attempts to get a token, in ms. It is shorter than the token holder's lease. */
const TOKEN_TIMEOUT_MS = 10_000;

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

/** What each request needs. */
export interface Daraja {
  config: DarajaConfig;
  deps: DarajaDeps;
  /** Waits for that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Of one call, in ms. */
  timeoutMs: number;
}

async function mint(daraja: Daraja): ReturnType<MintToken> {
  const startedAt = daraja.deps.now();
  const keys = base64(`${daraja.config.consumerKey}:${daraja.config.consumerSecret}`);
  const init = { method: "GET", headers: { Authorization: `Basic ${keys}` } };
  const asking = {
    url: daraja.config.baseUrl + PATHS.token,
    init,
    timeoutMs: Math.min(daraja.timeoutMs, TOKEN_TIMEOUT_MS),
    tries: READING_TRIES,
  };
  const sent = await exchange(asking, daraja.deps.fetch, daraja.wait);
  if (sent.kind === "lost") {
    logCall(daraja, "token", null, lost(sent.code), startedAt);
    return { kind: "none", code: sent.code, message: "No access token: no answer", isOurs: false };
  }
  const answer = readAnswer(sent.status, sent.text);
  const token = classifyToken(answer);
  logCall(daraja, "token", answer, token, startedAt, token.kind === "refused");
  if (token.kind === "minted") return token;
  return { kind: "none", code: token.code, message: token.message, isOurs: token.kind === "refused" };
}

/** Errors of the store are caught, because nothing was sent, and the caller must know that. */
async function holdToken(
  daraja: Daraja,
  ask: () => Promise<HeldToken | TokenFailure>,
): Promise<HeldToken | TokenFailure> {
  const startedAt = daraja.deps.now();
  try {
    return await ask();
  } catch {
    const failure: TokenFailure = {
      kind: "none",
      code: "token_store",
      message: "The access token could not be read",
      isOurs: false,
    };
    logCall(daraja, "token", null, failure, startedAt, true);
    return failure;
  }
}

export async function call<Answer extends AnyOutcome>(
  daraja: Daraja,
  calling: Call<Answer>,
): Promise<Answer | Unknown> {
  const held = await holdToken(daraja, () => daraja.deps.tokens.current(() => mint(daraja)));
  if (held.kind === "none") return calling.withoutToken(held);
  const first = await send(daraja, calling, held);
  if (first.kind === "settled") return first.answer;
  // The token was refused, so nothing was done yet. This is the one case in which a prompt or a payout is sent again.
  const renewed = await holdToken(daraja, () => daraja.deps.tokens.renew(held.generation, () => mint(daraja)));
  if (renewed.kind === "none") return calling.withoutToken(renewed);
  const second = await send(daraja, calling, renewed);
  return second.answer;
}

async function send<Answer extends AnyOutcome>(
  daraja: Daraja,
  calling: Call<Answer>,
  held: HeldToken,
): Promise<{ kind: "settled" | "token_refused"; answer: Answer | Unknown }> {
  const startedAt = daraja.deps.now();
  const init = {
    method: "POST",
    headers: { Authorization: `Bearer ${held.accessToken}`, "Content-Type": "application/json" },
    body: JSON.stringify(calling.body),
  };
  const sending = {
    url: daraja.config.baseUrl + PATHS[calling.api],
    init,
    timeoutMs: daraja.timeoutMs,
    tries: calling.tries,
  };
  const sent = await exchange(sending, daraja.deps.fetch, daraja.wait);
  if (sent.kind === "lost") {
    const answer = lost(sent.code);
    logCall(daraja, calling.api, null, answer, startedAt);
    return { kind: "settled", answer };
  }
  const provider = readAnswer(sent.status, sent.text);
  const answer = calling.classify(provider);
  logCall(daraja, calling.api, provider, answer, startedAt);
  return { kind: refusesToken(provider) ? "token_refused" : "settled", answer };
}

function logCall(
  daraja: Daraja,
  api: DarajaLogEvent["api"],
  answer: ProviderAnswer | null,
  outcome: AnyOutcome | { kind: string; code?: string },
  startedAt: number,
  isAlarming = needsSomebody(outcome),
): void {
  daraja.deps.log({
    event: "daraja.call",
    level: levelOf(outcome.kind, isAlarming),
    api,
    status: answer?.status ?? null,
    classification: outcome.kind,
    code: "code" in outcome && outcome.code !== undefined ? scrubCode(outcome.code) : (answer?.code ?? null),
    ms: daraja.deps.now() - startedAt,
    safaricomRequestId: scrubRequestId(answer?.requestId ?? null),
  });
}

export function logCallback<Report extends { outcome: PushOutcome | PayoutOutcome | ReversalOutcome; code: string }>(
  daraja: Daraja,
  api: DarajaLogEvent["api"],
  report: Report | null,
): Report | null {
  const kind = report?.outcome.kind ?? "unreadable";
  const level = levelOf(kind, report !== null && needsSomebody(report.outcome));
  daraja.deps.log({
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

export function refusalWithoutToken({ code, message, isOurs }: TokenFailure): Omit<PushRefusal, "kind"> {
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

export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
