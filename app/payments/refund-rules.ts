/** A refund to a buyer: its states, its method and its times. See docs/states.md and docs/m-pesa.md, "Reversals". */
import type { RefundMethod, RefundState, RefundWaitReason } from "#app/db/states/refund.ts";
import { type AmountRefusal, refusePayoutAmount } from "./payout-rules.ts";

export type RefundEvent =
  /** One worker is sending it. */
  | "claimed"
  | "accepted"
  /** Refused before money moved. It is sent again later. */
  | "postponed"
  /** Refused or failed for good. Somebody must fix the cause. */
  | "blocked"
  /** The answer or the result was lost, or M-Pesa has this transfer already. */
  | "lost"
  /** A reversal without a result is asked for again, because M-Pesa reverses a payment only once. */
  | "asked_again"
  /** M-Pesa has no record of the transfer. A person checks before it is sent again. */
  | "not_found"
  | "done"
  | "retried"
  /** An admin will send it by hand. */
  | "reserved";

/**
 * As for payouts, an uncertain refund never goes out twice: a transfer is looked up under its id, and a reversal is
 * asked for again. A success overrides everything.
 */
export const REFUND_TRANSITIONS: Record<RefundState, Partial<Record<RefundEvent, RefundState>>> = {
  due: { claimed: "sending", blocked: "parked", done: "done" },
  sending: { accepted: "sent", postponed: "due", blocked: "parked", lost: "unknown", done: "done" },
  sent: { lost: "unknown", blocked: "parked", done: "done" },
  unknown: {
    lost: "unknown",
    accepted: "sent",
    asked_again: "due",
    blocked: "parked",
    not_found: "parked",
    done: "done",
    reserved: "parked",
  },
  parked: { retried: "due", done: "done", reserved: "parked" },
  done: {},
};

/** The state after `event`; null when the event changes nothing. */
export function nextRefundState(state: RefundState, event: RefundEvent): RefundState | null {
  return REFUND_TRANSITIONS[state][event] ?? null;
}

/** Whether an admin sends this refund by hand. Then only that admin's receipt, or M-Pesa's own success, ends it. */
export function isReservedRefund({
  state,
  waitReason,
}: {
  state: RefundState;
  waitReason: RefundWaitReason | null;
}): boolean {
  return state === "parked" && waitReason === "sending_by_hand";
}

/**
 * How a refund of `amount` KES is sent: M-Pesa reverses only whole payments, and finds them by their receipt. It is
 * chosen when the refund is first sent, and never changes.
 */
export function refundMethod(amount: number, payment: { amount: number; receipt: string | null }): RefundMethod {
  return payment.receipt !== null && amount === payment.amount ? "reversal" : "transfer";
}

/** Why `amount` (KES) can't be sent by this method; null when it can. A payment of any size can be reversed. */
export function refuseRefundAmount(method: RefundMethod, amount: number): AmountRefusal | null {
  return method === "reversal" ? null : refusePayoutAmount(amount);
}
