/**
 * What becomes of a payment request or a payout, and the tables that decide it by the last two digits of the phone.
 * Pure.
 */

/**
 * All delays, in ms. Real payments take 8 to 24 s (docs/m-pesa.md, "Callbacks of a prompt"), which is too long for a
 * demo.
 */
export const DELAYS_MS = {
  /** The time until a scripted payer decides. */
  payerDecides: 2_000,
  /** The time until Safaricom gives up on a scripted payer who never answers (26 s in reality). */
  payerNeverAnswers: 5_000,
  /** How long the handset rings before it counts as no answer. */
  handsetRings: 60_000,
  /** Phones ending in 07: the time until a query says 1037 … */
  wronglyGivenUp: 500,
  /** … and the time until the success arrives all the same. */
  lateSuccess: 10_000,
  /** Phones ending in 06: the time until the second callback. */
  secondCallback: 1_500,
  /** The time until a payout is done. */
  payoutSettles: 1_000,
  /** Phones ending in 13: how long the payout waits in the queue. */
  payoutTimesOut: 3_000,
  /** The time until the answer to a status request. */
  lookUpAnswers: 800,
} as const;

export interface CallbackPlan {
  /** How long after its step it is sent, in ms. */
  afterMs: number;
  /** Added to the amount that it reports, in whole KES. */
  amountOff: number;
  /** The code that it reports, if that isn't the step's. */
  code?: string;
  /** It reports no receipt, or that of the first payment of all. */
  receipt?: "none" | "first";
}

/** From this moment on, M-PESA reports `code` for the payment, and sends these callbacks. */
export interface PushStep {
  /** How long after the request, in ms. */
  afterMs: number;
  code: string;
  callbacks: readonly CallbackPlan[];
}

export interface PushScript {
  /** Whether the caller receives the answer to the request. */
  answer: "sent" | "lost";
  /** Whether a person should decide on the handset page. */
  waitsForHandset: boolean;
  steps: readonly PushStep[];
}

/** For people: what an outcome is. */
interface Told {
  story: string;
}

const ONE_CALLBACK: readonly CallbackPlan[] = [{ afterMs: 0, amountOff: 0 }];

function decides(code: string, story: string, callbacks: readonly CallbackPlan[] = ONE_CALLBACK): PushScript & Told {
  return {
    answer: "sent",
    waitsForHandset: false,
    story,
    steps: [{ afterMs: DELAYS_MS.payerDecides, code, callbacks }],
  };
}

const PAYS = decides("0", "pays after about 2 seconds");

/** Payers by the last two digits of their phone; any other number pays. */
export const PUSH_SCRIPTS: Readonly<Record<string, PushScript & Told>> = {
  "00": {
    answer: "sent",
    waitsForHandset: true,
    story: "waits for you on the handset, up to a minute",
    steps: [{ afterMs: DELAYS_MS.handsetRings, code: "1037", callbacks: ONE_CALLBACK }],
  },
  "01": decides("1032", "cancels the request"),
  "02": decides("1", "has too little money"),
  "03": {
    answer: "sent",
    waitsForHandset: false,
    story: "never answers",
    steps: [{ afterMs: DELAYS_MS.payerNeverAnswers, code: "1037", callbacks: ONE_CALLBACK }],
  },
  "04": decides("2001", "types a wrong PIN"),
  "05": decides("0", "pays, but the callback is lost", []),
  "06": decides("0", "pays, and the callback comes twice", [
    { afterMs: 0, amountOff: 0 },
    { afterMs: DELAYS_MS.secondCallback, amountOff: 0 },
  ]),
  "07": {
    answer: "sent",
    waitsForHandset: false,
    story: "pays late: the query says no answer first, the callback says paid after 10 seconds",
    steps: [
      { afterMs: DELAYS_MS.wronglyGivenUp, code: "1037", callbacks: [] },
      { afterMs: DELAYS_MS.lateSuccess, code: "0", callbacks: ONE_CALLBACK },
    ],
  },
  "08": decides("0", "pays, but the callback reports a wrong amount", [{ afterMs: 0, amountOff: 1 }]),
  "09": { ...PAYS, answer: "lost", story: "pays, but the answer to the request is lost on the way" },
};

/** The script for a payer's phone. */
export function pushScriptFor(phone: string): PushScript & Told {
  return PUSH_SCRIPTS[phone.slice(-2)] ?? PAYS;
}

/** What a person can answer to a prompt, on the handset page or by `POST /sandbox/prompts/{CheckoutRequestID}`. */
export const HANDSET_CODES = {
  pay: "0",
  cancel: "1032",
  wrong_pin: "2001",
  timeout: "1037",
  insufficient: "1",
} as const satisfies Record<string, string>;

export type HandsetOutcome = keyof typeof HANDSET_CODES;

/** The step after a person's answer: immediate, with its callback. */
export function stepForHandset(outcome: HandsetOutcome): PushStep {
  return { afterMs: 0, code: HANDSET_CODES[outcome], callbacks: ONE_CALLBACK };
}

/** Which of the caller's addresses is told of a transfer, and how long after it is settled, in ms. */
export interface News {
  to: "result" | "timeout";
  afterMs: number;
}

export const RESULT: readonly News[] = [{ to: "result", afterMs: 0 }];
const TIMED_OUT: readonly News[] = [{ to: "timeout", afterMs: 0 }];

export interface RefundScript {
  /** "forgotten": the request is accepted, and nothing follows. */
  answer: "sent" | "lost" | "forgotten";
  afterMs: number;
  code: string;
  news: readonly News[];
}

export interface PayoutScript extends RefundScript {
  /** How long look-ups don't find it, in ms. */
  unseenMs: number;
}

const IS_PAID: PayoutScript & Told = {
  answer: "sent",
  afterMs: DELAYS_MS.payoutSettles,
  code: "0",
  news: RESULT,
  unseenMs: 0,
  story: "is paid after about 1 second",
};

/**
 * Sellers by the last two digits of their phone. Some endings of REFUND_SCRIPTS count, too; any other number is paid.
 */
export const PAYOUT_SCRIPTS: Readonly<Record<string, PayoutScript & Told>> = {
  "11": { ...IS_PAID, code: "1", story: "fails, because our float is empty" },
  "12": { ...IS_PAID, news: [], story: "is paid, but the result is lost" },
  "13": {
    ...IS_PAID,
    afterMs: DELAYS_MS.payoutTimesOut,
    news: TIMED_OUT,
    story: "is paid, but the time-out URL is called instead",
  },
  "14": { ...IS_PAID, code: "2040", story: "fails, because the seller is not on M-PESA" },
  "15": { ...IS_PAID, answer: "lost", story: "is paid, and the result comes, but the answer to the request is lost" },
};

const IS_SENT_BACK: RefundScript & Told = {
  answer: "sent",
  afterMs: DELAYS_MS.payoutSettles,
  code: "0",
  news: RESULT,
  story: "gets refunds after about 1 second",
};

/** What happens to refunds, by the last two digits of the phone that paid; any other number gets them. */
export const REFUND_SCRIPTS: Readonly<Record<string, RefundScript & Told>> = {
  "21": { ...IS_SENT_BACK, code: "1", story: "gets no refund, because our float is empty" },
  "22": { ...IS_SENT_BACK, news: [], story: "gets the refund, but the result is lost" },
  "23": { ...IS_SENT_BACK, code: "R000001", story: "got the money back before (whole payments only)" },
  "24": { ...IS_SENT_BACK, code: "R000002", story: "gets no refund: the receipt is invalid (whole payments only)" },
  "25": { ...IS_SENT_BACK, news: TIMED_OUT, story: "gets the refund, but the time-out URL is called instead" },
  "26": {
    ...IS_SENT_BACK,
    answer: "lost",
    story: "gets the refund and the result, but the answer to the request is lost",
  },
};

/** The script for a reversal of what this phone paid. */
export function reversalScriptFor(phone: string): RefundScript {
  return REFUND_SCRIPTS[phone.slice(-2)] ?? IS_SENT_BACK;
}

/**
 * The script for a transfer to this phone: a seller's payout, or a refund of a part. Codes of reversals don't apply.
 */
export function payoutScriptFor(phone: string): PayoutScript {
  const ending = phone.slice(-2);
  const refund = REFUND_SCRIPTS[ending];
  if (!refund || refund.code.startsWith("R")) return PAYOUT_SCRIPTS[ending] ?? IS_PAID;
  return { ...IS_PAID, ...refund };
}

export type PromptState =
  | "open"
  | "paid"
  | "reversed"
  | "cancelled"
  | "wrong_pin"
  | "timed_out"
  | "insufficient"
  | "failed";

const PROMPT_STATES: Readonly<Record<string, PromptState>> = {
  "0": "paid",
  "1": "insufficient",
  "1032": "cancelled",
  "1037": "timed_out",
  "2001": "wrong_pin",
};

/** The state of a prompt from its result code; null means that it is still open. */
export function promptStateOf(code: string | null): PromptState {
  if (code === null) return "open";
  return PROMPT_STATES[code] ?? "failed";
}

export type PayoutState = "accepted" | "paid" | "failed";

/** The state of a payout from its result code; null means that it isn't settled yet. */
export function payoutStateOf(code: string | null): PayoutState {
  if (code === null) return "accepted";
  return code === "0" ? "paid" : "failed";
}
