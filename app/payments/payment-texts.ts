/** What people read about a payment. Code decides by codes only; nothing may compare or store these sentences. */
import type { ClosedReason, PaymentFailure, PaymentReview } from "#app/db/states/order.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import type { TransferKind, WaitReason } from "#app/db/states/transfer.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { formatKes } from "#app/ui/money.ts";

export const AMOUNT_ERROR = "Invalid amount. Must be a positive number.";
export const AMOUNT_TOO_LARGE_ERROR = "M-Pesa takes at most KES 250,000 in one payment. Please split this order.";

export const ASKED_TOO_OFTEN_TEXT = "You've started too many payments today. Please try again tomorrow.";
export const PROMPTED_TOO_OFTEN_TEXT =
  "This number has already received several payment requests. Please use another number, or try again later.";
export const STRANGER_PROMPTED_TOO_OFTEN_TEXT = `${PROMPTED_TOO_OFTEN_TEXT} If it's yours, save it in Settings and try again.`;

/** For a buyer whose request can't reach M-Pesa at all. Our team has been told. */
export const PAYMENTS_DOWN_TEXT =
  "Payments are not working right now. Nothing was sent to your phone. We have been told.";

/** What the buyer reads when a payment failed. */
export const FAILURE_TEXTS: Record<PaymentFailure, string> = {
  cancelled: "You cancelled on your phone. Nothing was taken.",
  wrong_pin: "The M-Pesa PIN was wrong. Try again with the right PIN.",
  insufficient_funds: "There isn't enough money in that M-Pesa account. Top up, or use another number.",
  no_answer:
    "The phone didn't answer in time. Keep it on and unlocked, then try again. No prompt at all? Dial *234# and update the SIM, or use another number.",
  expired: "The request expired before it was answered. You can try again.",
  pin_locked: "That M-Pesa PIN is locked. Call 100 to unlock it, or use another number.",
  payer_limit: "This payment is over the M-Pesa limit for that number. Use another number.",
  amount_limit: "M-Pesa can't take this amount in one payment.",
  duplicate_request: "M-Pesa doesn't accept the same amount twice within two minutes. Wait a moment, then try again.",
  payer_busy: "Another M-Pesa request is open on that phone. Finish or cancel it, then try again in a minute.",
  invalid_phone: "M-Pesa doesn't recognize that phone number. Check it and try again.",
  not_registered: "That phone number isn't registered for M-Pesa.",
  receiver_limit: "We can't receive M-Pesa payments right now. Please try again later.",
  account_inactive: "That M-Pesa account can't pay right now. Call 100, or use another number.",
  provider_blocked: PAYMENTS_DOWN_TEXT,
  provider_busy: "M-Pesa is busy. Please try again in a few minutes.",
  our_configuration: "M-Pesa payments aren't available right now. Our team is working on it.",
  our_float: "M-Pesa payments aren't available right now. Our team is working on it.",
  our_limit: "M-Pesa payments aren't available right now. Our team is working on it.",
  other: "M-Pesa couldn't take the payment. You can try again.",
  no_result: "We haven't heard from M-Pesa. If you paid, this page will update; otherwise try again.",
  abandoned:
    "We've stopped waiting for that phone, but its M-Pesa prompt may stay open for a few minutes. A payment there still counts for this order. If you pay twice, we send the second payment back.",
  dismissed: "We checked your payment. It didn't go through, or it was sent back to you. You can pay again.",
};

/** Our records can't be read, so it isn't known whether a payment went through. */
export const UNSEEN_TEXT =
  "We can't see yet whether your payment went through. Don't pay again: if you entered your PIN, it counts, and this page shows it as soon as we can see it.";

/** Our records can't be read, and nothing was sent to the phone. An earlier prompt may still be there. */
export const UNSENT_TEXT =
  "We can't reach our records right now, so we sent nothing to your phone. If you have just paid, or an M-Pesa prompt is still open, don't pay again: this page will show your payment. Otherwise try again in a minute.";

/** For a buyer who asks the same phone again while its abandoned prompt may still be open for `leftMs`. */
export function promptStillOpenText(leftMs: number): string {
  const minutes = Math.ceil(leftMs / 60_000);
  return `M-Pesa may still show the earlier prompt on this phone. Enter your PIN there, use a different number, or try this number again in ${minutes === 1 ? "1 minute" : `${minutes} minutes`}.`;
}

/** What the buyer reads while our team checks a payment. */
export const REVIEW_TEXTS: Record<PaymentReview, string> = {
  mismatch:
    "We couldn't match what M-Pesa reported to your payment. Please don't pay again. Our team is checking it and will contact you.",
};

/** Why the payment of a closed order goes back to its buyer. */
const WHY_BACK: Partial<Record<ClosedReason, string>> = {
  paid_in_another_order: "You had already paid for this in another order",
  sold_to_someone_else: "Someone else bought this just before your payment reached us",
  account_closed: "An account in this order was closed before your payment reached us",
  listing_removed: "This was taken off the marketplace before your payment reached us",
};

function backText(reason: ClosedReason | null, weDo: "are sending" | "have sent"): string {
  const why = reason && WHY_BACK[reason];
  if (!why) return `We ${weDo} your money back to you.`;
  return `${why}, so we ${weDo} ${reason === "paid_in_another_order" ? "this payment" : "your money"} back to you.`;
}

/** What the buyer of a closed order reads until the refund is sent. */
export function comingBackText(reason: ClosedReason | null): string {
  return backText(reason, "are sending");
}

/** What the buyer reads while a refund is parked. `amount` in KES. */
export function refundDelayedText(amount: number): string {
  return `We couldn't send your ${formatKes(amount)} back yet. Your money is safe, and our team is working on it.`;
}

/** What the buyer reads while our team is asked whether they got what somebody else had sent back. `amount` in KES. */
export function refundInQuestionText(amount: number): string {
  return `M-Pesa says that your ${formatKes(amount)} went back already. Our team is checking that you have it.`;
}

/** What the buyer of a closed order reads after the refund was sent, with M-Pesa's receipt where it is known. */
export function sentBackText(reason: ClosedReason | null, refund: { receipt: string | null } | null): string {
  const receipt = refund?.receipt
    ? ` ${refund.receipt.includes(",") ? "The M-Pesa receipts are" : "The M-Pesa receipt is"} ${refund.receipt}.`
    : "";
  return `${backText(reason, "have sent")}${receipt}`;
}

interface UnpaidFacts {
  paymentReview: PaymentReview | null;
  paymentFailure: PaymentFailure | null;
  closedReason?: ClosedReason | null;
}

/** Why an order or a plan isn't paid, for its payer; null when there is nothing to say. */
export function unpaidText({ paymentReview, paymentFailure, closedReason }: UnpaidFacts): string | null {
  if (paymentReview) return REVIEW_TEXTS[paymentReview];
  if (closedReason && WHY_BACK[closedReason]) return comingBackText(closedReason);
  return paymentFailure && FAILURE_TEXTS[paymentFailure];
}

/**
 * Why a transfer waits or was parked: of a payout for its seller, of a refund for admins. Null: the stored words say
 * it.
 */
const WAIT_TEXTS: Record<WaitReason, Record<TransferKind, string> | null> = {
  not_registered: {
    payout: "Your phone number isn't registered for M-Pesa.",
    refund: "The number that paid isn't registered for M-Pesa",
  },
  invalid_phone: {
    payout: "M-Pesa doesn't recognize your phone number.",
    refund: "M-Pesa doesn't recognize the number that paid",
  },
  receiver_limit: {
    payout: "Your M-Pesa account has reached its limit.",
    refund: "The buyer's M-Pesa account has reached its limit",
  },
  payer_limit: {
    payout: "Your M-Pesa account has reached its limit.",
    refund: "The buyer's M-Pesa account has reached its limit",
  },
  amount_limit: { payout: "M-Pesa can't pay out this amount.", refund: "M-Pesa can't send this amount" },
  provider_busy: { payout: "M-Pesa is busy. We'll try again in a moment.", refund: "M-Pesa is busy" },
  provider_blocked: {
    payout: "We can't reach M-Pesa. We'll try again in a moment.",
    refund: "Our request was turned away before M-Pesa",
  },
  our_float: {
    payout: "We are topping up our M-Pesa account.",
    refund: "Our M-Pesa account has too little money",
  },
  our_configuration: {
    payout: "M-Pesa payouts are paused on our side.",
    refund: "M-Pesa refused our initiator or configuration",
  },
  no_phone: { payout: "Seller phone number not found in profile", refund: "We know no number of the buyer" },
  unreadable_phone: {
    payout: "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX",
    refund: "The number that paid can't be read",
  },
  amount_too_small: { payout: "M-Pesa pays out KES 10 or more", refund: "M-Pesa sends KES 10 or more" },
  amount_too_large: {
    payout: "M-Pesa pays out at most KES 250,000 at a time",
    refund: "M-Pesa sends at most KES 250,000 at a time",
  },
  receipt_invalid: bothSay("M-Pesa can't reverse this receipt"),
  channel_paused: { payout: "Payouts are paused", refund: "Refunds are paused" },
  payment_unconfirmed: {
    payout: "Waiting for M-Pesa to confirm the buyer's payment",
    refund: "Waiting for M-Pesa to confirm the payment",
  },
  reported: bothSay("Our team is looking at one of the sales"),
  number_changed: bothSay("The M-Pesa number changed"),
  password_awaited: {
    payout: "You took your account back. Choose a new password, and we send this payout.",
    refund: "The account was taken back, and has no new password yet",
  },
  answer_lost: bothSay("M-Pesa's answer was lost"),
  already_known: { payout: "M-Pesa already has this payout", refund: "M-Pesa already has this refund" },
  result_overdue: { payout: "The result of the payout is overdue", refund: "The result is overdue" },
  no_record: {
    payout: "M-Pesa hasn't confirmed this payout. Our team is checking it.",
    refund: "M-Pesa has no record of this refund. Look for it in M-Pesa's portal before you try again.",
  },
  sending_by_hand: {
    payout: "We're sending you this money by hand. You don't need to do anything.",
    refund: "An admin is sending it by hand",
  },
  queue_timed_out: bothSay("M-Pesa's queue timed out"),
  // The admin's own words.
  parked_by_admin: null,
  // A transfer can't end in these, or M-Pesa's own words say more.
  cancelled: null,
  wrong_pin: null,
  insufficient_funds: null,
  no_answer: null,
  expired: null,
  pin_locked: null,
  duplicate_request: null,
  payer_busy: null,
  account_inactive: null,
  our_limit: null,
  other: null,
};

function bothSay(text: string): Record<TransferKind, string> {
  return { payout: text, refund: text };
}

/**
 * Why a transfer waits or was parked: of a payout for its seller, of a refund for admins; null when it waits for
 * nothing. `waitDetail` holds the words of an admin or of M-Pesa.
 */
export function waitText(
  kind: TransferKind,
  { waitReason, waitDetail }: { waitReason: WaitReason | null; waitDetail: string | null },
): string | null {
  return (waitReason && WAIT_TEXTS[waitReason]?.[kind]) ?? waitDetail;
}

/** The toast about a payout that couldn't be made. `text` gives the reason. */
export function payoutFailedText(text: string, waitReason: WaitReason | null): string {
  return waitReason === "no_phone" || waitReason === "sending_by_hand" ? text : `B2C Failed: ${text}`;
}

/** Why a payment is refunded, for admins. `paidInstead`: the id of the order that was paid instead. */
export function refundReasonText(reason: RefundReason, paidInstead: string | null): string {
  switch (reason) {
    case "order_already_paid":
      return "The order was already paid";
    case "plan_already_paid":
      return "The plan was already paid";
    case "paid_in_another_order":
      return paidInstead ? `Order ${shortOrderId(paidInstead)} was paid instead` : "Another order was paid instead";
    case "sold_to_someone_else":
      return "It was sold to someone else before this payment came in";
    case "account_closed":
      return "The payer's or a seller's account was closed";
    case "listing_removed":
      return "A listing in the order was removed";
    case "cancelled_by_buyer":
      return "The buyer cancelled";
    case "cancelled_by_seller":
      return "The seller cancelled";
    case "not_shipped":
      return "The seller didn't ship in time";
    case "refunded_by_seller":
      return "The seller refunded a reported problem";
    case "part_agreed":
      return "The buyer accepted the part that the seller offered";
    case "decided_by_team":
      return "Our team decided";
  }
}
