import { displayPhone } from "#app/accounts/profile/phone.ts";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import type { Refund } from "#app/orders/order-payment-rules.ts";
import type { PaymentBadge } from "#app/payments/collect/order-payment-texts.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { CopyButton } from "#app/ui/sharing/copy-button.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

type Payment = Pick<
  BuyerOrder["order"],
  | "amount"
  | "orderStatus"
  | "paymentStatus"
  | "paymentReview"
  | "paymentFailure"
  | "closedReason"
  | "replacedBy"
  | "receipt"
  | "paymentDate"
  | "phoneNumber"
  | "refund"
>;

/** How an order was paid: method, status, receipt, date and phone. */
export function PaymentFacts({ payment, badge }: { payment: Payment; badge: PaymentBadge }) {
  const free = payment.amount === 0;
  return (
    <SummaryRows
      rows={[
        { label: "Method", value: free ? "Nothing to pay" : "M-Pesa" },
        { label: "Status", value: <StatusBadge tone={badge.tone}>{badge.label}</StatusBadge> },
        ...(payment.receipt ? [{ label: "Receipt", value: <Receipt number={payment.receipt} /> }] : []),
        ...(payment.paymentDate ? [{ label: "Date", value: formatDateTime(payment.paymentDate) }] : []),
        ...(payment.phoneNumber ? [{ label: "Phone", value: displayPhone(payment.phoneNumber) }] : []),
        ...(payment.refund ? refundRows(payment.refund) : []),
      ]}
    />
  );
}

/** Money that goes back to the buyer, and what has arrived of it. */
function refundRows({ open, delayedAmount, inQuestion, sentBack, receipt, sentAt }: Refund) {
  return [
    ...(open > delayedAmount ? [{ label: "On its way back to you", value: formatKes(open - delayedAmount) }] : []),
    ...(delayedAmount > 0 ? [{ label: "Not sent back yet", value: formatKes(delayedAmount) }] : []),
    ...(inQuestion > 0 ? [{ label: "Being checked by our team", value: formatKes(inQuestion) }] : []),
    ...(sentBack > 0 ? [{ label: "Sent back to you", value: formatKes(sentBack) }] : []),
    ...(receipt ? [{ label: "Refund", value: <Receipt number={receipt} /> }] : []),
    ...(sentAt && sentBack > 0 ? [{ label: "Sent", value: formatDateTime(sentAt) }] : []),
  ];
}

function Receipt({ number }: { number: string }) {
  return (
    <span className="receipt-number">
      <span className="receipt-number__digits">{number}</span>
      <CopyButton
        text={number}
        size="small"
        label="Copy receipt number"
        copied="Receipt number copied to clipboard"
        what="the number"
      />
    </span>
  );
}
