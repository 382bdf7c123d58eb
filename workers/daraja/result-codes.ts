/**
 * The meaning of Safaricom's result codes. These are closed lists: a code that isn't here decides nothing
 * (docs/m-pesa.md, "Facts that shape the design"). The same code has different meanings in different APIs. 2001, for
 * example, is a wrong PIN for a prompt, and our own password for a payout.
 */
import type { FailureReason, ReversalFailure } from "#app/payments/gateway.ts";

export type ResultMeaning =
  | { kind: "done" }
  | { kind: "pending" }
  /** `pausesChannel`: our configuration or float is the cause, so the next one would fail, too. */
  | { kind: "failed"; reason: FailureReason; pausesChannel: boolean }
  | { kind: "unknown" };

/** Result codes of a prompt. See docs/m-pesa.md, "Result codes of a prompt". */
const PUSH_RESULTS = new Map<string, ResultMeaning>([
  ["0", { kind: "done" }],
  ["1", failed("insufficient_funds")],
  ["2", failed("amount_limit")],
  ["3", failed("amount_limit")],
  ["4", failed("payer_limit")],
  // Our paybill or till has reached its limit.
  ["8", stopping("our_limit")],
  ["11", failed("account_inactive")],
  ["17", failed("duplicate_request")],
  ["26", failed("provider_busy")],
  ["1001", failed("payer_busy")],
  ["1019", failed("expired")],
  ["1025", failed("other")],
  ["1031", failed("no_answer")],
  ["1032", failed("cancelled")],
  ["1036", failed("no_answer")],
  ["1037", failed("no_answer")],
  ["2001", failed("wrong_pin")],
  ["2026", failed("expired")],
  ["2028", stopping("our_configuration")],
  ["2029", failed("other")],
  ["4999", { kind: "pending" }],
  ["8006", failed("pin_locked")],
  ["9999", failed("other")],
  ["E3008", failed("other")],
  ["SFC_IC0003", stopping("our_configuration")],
]);

/**
 * Result codes of a payout (docs/m-pesa.md, "Results of a payout"). These are left out on purpose, so that the payout
 * is looked up: 15 (a duplicate: the first may have paid), 17 (internal failure), 22, 24, 25, 26 (busy) and 29.
 */
const PAYOUT_RESULTS = new Map<string, ResultMeaning>([
  ["0", { kind: "done" }],
  ["1", stopping("our_float")],
  ["2", failed("amount_limit")],
  ["3", failed("amount_limit")],
  ["4", failed("receiver_limit")],
  ["8", failed("receiver_limit")],
  ["11", stopping("our_configuration")],
  ["18", stopping("our_configuration")],
  ["20", stopping("our_configuration")],
  ["21", stopping("our_configuration")],
  ["2001", stopping("our_configuration")],
  ["2006", stopping("our_configuration")],
  ["2028", stopping("our_configuration")],
  ["2040", failed("not_registered")],
  ["8006", stopping("our_configuration")],
  ["SFC_IC0003", failed("invalid_phone")],
]);

/** What the result code of a reversal means. */
export type ReversalMeaning =
  | { kind: "done" }
  | { kind: "already_reversed" }
  | { kind: "failed"; reason: ReversalFailure; pausesChannel: boolean }
  | { kind: "unknown" };

/** Result codes of a reversal (docs/m-pesa.md, "Reversals"). After any other code the reversal is asked for again. */
const REVERSAL_RESULTS = new Map<string, ReversalMeaning>([
  ["0", { kind: "done" }],
  ["R000001", { kind: "already_reversed" }],
  ["R000002", { kind: "failed", reason: "receipt_invalid", pausesChannel: false }],
  ["1", stopping("our_float")],
  ["11", stopping("our_configuration")],
  ["18", stopping("our_configuration")],
  ["20", stopping("our_configuration")],
  ["21", stopping("our_configuration")],
  ["2001", stopping("our_configuration")],
  ["2006", stopping("our_configuration")],
  ["2028", stopping("our_configuration")],
  ["8006", stopping("our_configuration")],
]);

/** Result codes of a look-up that pass by themselves: an internal failure of M-Pesa, and busy. */
const PASSING_LOOKUPS: ReadonlySet<string> = new Set(["17", "26"]);

/** `TransactionStatus` of a looked-up transaction (docs/m-pesa.md, "Transaction Status"), in lower case. */
const TRANSACTION_STATUSES = new Map<string, ResultMeaning>([
  ["completed", { kind: "done" }],
  ["cancelled", failed("other")],
  ["declined", failed("other")],
  ["expired", failed("expired")],
  ["failed", failed("other")],
  // The money went out and came back.
  ["reversed", failed("other")],
  ["initiated", { kind: "pending" }],
  ["authorized", { kind: "pending" }],
]);

/** What a push's result code means (docs/m-pesa.md, "Result codes of a prompt"). */
export function pushResult(code: string): ResultMeaning {
  return PUSH_RESULTS.get(code) ?? { kind: "unknown" };
}

/** What a payout's result code means (docs/m-pesa.md, "Results of a payout"). */
export function payoutResult(code: string): ResultMeaning {
  return PAYOUT_RESULTS.get(code) ?? { kind: "unknown" };
}

/** What a reversal's result code means (docs/m-pesa.md, "Reversals"). */
export function reversalResult(code: string): ReversalMeaning {
  return REVERSAL_RESULTS.get(code) ?? { kind: "unknown" };
}

/** Whether a look-up failed only for now. */
export function isPassingLookup(code: string): boolean {
  return PASSING_LOOKUPS.has(code);
}

/** What the `TransactionStatus` of a looked-up transaction means (docs/m-pesa.md, "Transaction Status"). */
export function transactionStatus(status: string): ResultMeaning {
  return TRANSACTION_STATUSES.get(status.trim().toLowerCase()) ?? { kind: "unknown" };
}

function failed(reason: FailureReason): ResultMeaning {
  return { kind: "failed", reason, pausesChannel: false };
}

function stopping(reason: FailureReason): Extract<ResultMeaning, { kind: "failed" }> {
  return { kind: "failed", reason, pausesChannel: true };
}
