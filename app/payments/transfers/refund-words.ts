/**
 * Where the refund of an item is, in words: one state has one word on the order, the sale, My Money, its file and the
 * statement.
 */
import type { RefundPlace } from "#app/db/states/refund.ts";
import { refundDelayedText, refundInQuestionText } from "#app/payments/payment-texts.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";

interface RefundFacts {
  /** KES. */
  amount: number;
  receipt: string | null;
  /** Ms since 1970. */
  doneAt: number | null;
}

interface Words {
  /** The badge of the sale's money. */
  label: string;
  buyer(refund: RefundFacts): string;
  seller(refund: Pick<RefundFacts, "amount">): string;
}

const onItsWay: Words = {
  label: "Going back",
  buyer: ({ amount }) => `${formatKes(amount)} is on its way back to the M-Pesa number that paid.`,
  seller: ({ amount }) => `${formatKes(amount)} is on its way back to the buyer.`,
};

export const REFUND_WORDS: Record<RefundPlace, Words> = {
  due: {
    label: "Going back",
    buyer: ({ amount }) => `We're about to send ${formatKes(amount)} back to the M-Pesa number that paid.`,
    seller: ({ amount }) => `We're about to send ${formatKes(amount)} back to the buyer.`,
  },
  sending: onItsWay,
  sent: onItsWay,
  unknown: {
    label: "Going back",
    buyer: ({ amount }) =>
      `M-Pesa hasn't told us yet whether your ${formatKes(amount)} arrived. We're checking. You'll get it exactly once.`,
    seller: ({ amount }) =>
      `M-Pesa hasn't told us yet whether ${formatKes(amount)} is back with the buyer. We're checking.`,
  },
  delayed: {
    label: "Not sent back yet",
    buyer: ({ amount }) => refundDelayedText(amount),
    seller: ({ amount }) => `We couldn't send ${formatKes(amount)} back to the buyer yet. Our team is working on it.`,
  },
  in_question: {
    label: "Being checked",
    buyer: ({ amount }) => refundInQuestionText(amount),
    seller: ({ amount }) => `Our team is checking that the buyer has ${formatKes(amount)} back.`,
  },
  done: {
    label: "Refunded",
    buyer: ({ amount, receipt, doneAt }) =>
      `We sent ${formatKes(amount)} back to the M-Pesa number that paid${doneAt === null ? "" : ` on ${formatDateTime(doneAt)}`}.${receipt ? ` M-Pesa receipt: ${receipt}.` : ""}`,
    seller: () => "Refunded to the buyer.",
  },
};
