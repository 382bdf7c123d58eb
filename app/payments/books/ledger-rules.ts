/** The accounts of the books, and the entries of each kind of event. Amounts in KES. */
import type { TransferMethod } from "#app/db/states/transfer.ts";

export type LedgerAccount =
  /** Our paybill: what buyers have paid. */
  | "mpesa_collection"
  /** The account that pays the payouts, and the refunds that are sent as transfers. */
  | "mpesa_payout_float"
  /** Paid by buyers, not yet earned by sellers. */
  | "escrow"
  /** Earned by sellers, not yet paid out. */
  | "seller_payable"
  | "refunds_due"
  /** What sellers paid us for their plans. */
  | "plans"
  /** Service fees of deals that are over. */
  | "fees";
/** "hold" attributes to its item what was charged for a whole order, which is how payments were booked at first. */
export type LedgerKind = "charge" | "hold" | "release" | "fee" | "payout" | "refund_due" | "refund";

/** One entry of a transaction in KES. Debits are positive. */
export interface LedgerLeg {
  account: LedgerAccount;
  kind: LedgerKind;
  amount: number;
}

/** A buyer paid `amount` for an item. */
export function chargeLegs(amount: number): LedgerLeg[] {
  return transfer("charge", "mpesa_collection", "escrow", amount);
}
/** A seller paid `amount` for a plan. */
export function planLegs(amount: number): LedgerLeg[] {
  return transfer("charge", "mpesa_collection", "plans", amount);
}
/** The seller has earned `amount` of an item's price. */
export function releaseLegs(amount: number): LedgerLeg[] {
  return transfer("release", "escrow", "seller_payable", amount);
}
/** `amount` that the seller had earned, and that wasn't sent yet, is held again. */
export function reclaimLegs(amount: number): LedgerLeg[] {
  return transfer("release", "seller_payable", "escrow", amount);
}
/** We take a fee of `amount` out of what an item's buyer paid. */
export function feeLegs(amount: number): LedgerLeg[] {
  return transfer("fee", "escrow", "fees", amount);
}
/** A fee of `amount` is held again, because its item is. */
export function reclaimFeeLegs(amount: number): LedgerLeg[] {
  return transfer("fee", "fees", "escrow", amount);
}
/** The seller was paid `amount`. */
export function payoutLegs(amount: number): LedgerLeg[] {
  return transfer("payout", "seller_payable", "mpesa_payout_float", amount);
}
/** A payment of `amount` arrived that must be refunded. */
export function refundDueLegs(amount: number): LedgerLeg[] {
  return transfer("refund_due", "mpesa_collection", "refunds_due", amount);
}

/** `amount` of what an order's buyer paid goes back, after it was held for a while. */
export function heldRefundLegs(amount: number): LedgerLeg[] {
  return transfer("refund_due", "escrow", "refunds_due", amount);
}

/** The buyer got `amount` back: out of our paybill for a reversal, out of the payout account for a part. */
export function refundLegs(method: TransferMethod, amount: number): LedgerLeg[] {
  return transfer("refund", "refunds_due", method === "reversal" ? "mpesa_collection" : "mpesa_payout_float", amount);
}

function transfer(kind: LedgerKind, debit: LedgerAccount, credit: LedgerAccount, amount: number): LedgerLeg[] {
  if (amount === 0) return [];
  return [
    { account: debit, kind, amount },
    { account: credit, kind, amount: -amount },
  ];
}
