import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";

const { stale, own_money, proposed, resolved } = ADMIN_TEXTS;

/** What an admin reads after each outcome of a form about money. */
export const MONEY_TEXTS = {
  stale,
  own_money,
  proposed,
  resolved,
  retried: "This payout is due again. We send it within a minute, unless its row says what it waits for.",
  parked: "Payout stopped",
  refund_retried: "This refund is due again. We send it within a minute, unless its row says what it waits for.",
  reserved: "Nothing else sends this now. Once it's in the M-Pesa portal, enter its receipt here.",
  number_changed:
    "The seller changed their M-Pesa number lately, or took the account back and has no new password yet. Until then, nobody sends anything to it.",
  no_number: "We know no M-Pesa number of the seller. Ask them to enter one in Settings first.",
  payout_reported: "The buyer has reported an item of this payout. Nobody sends it until the report is closed.",
  sent_twice: "M-Pesa had already sent this. We've listed it under Discrepancies as sent twice.",
  refunded: "We asked M-Pesa about this receipt. The refund counts, and the buyer is told, once M-Pesa confirms it.",
  receipt_used: "This receipt already belongs to another payment, payout or refund",
  receipt_other: "M-Pesa gave this payment a different receipt, which is shown above",
  receipt_of_another:
    "This may be the receipt of another payment of the same amount, whose receipt is missing. Please find that payment by its order or phone, and enter its receipt first.",
  receipt_unreachable: "We couldn't reach M-Pesa. Please try again in a few minutes.",
  payment_accepted: "We asked M-Pesa about this receipt. The payment counts once M-Pesa confirms it.",
  payment_dismissed: "Payment dismissed. If the buyer can pay again, we've told them.",
  payout_recorded:
    "We asked M-Pesa about this receipt. The payout counts, and the seller is told, once M-Pesa confirms it.",
} as const;

export type MoneyOutcome = keyof typeof MONEY_TEXTS;
