import "./payments.css";
import { useEffect, useState } from "react";
import { displayPhone } from "#app/accounts/phone.ts";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { toast } from "#app/ui/toast.ts";

type Payment = Pick<BuyerOrder["order"], "amount" | "paymentStatus" | "mpesaReceipt" | "paymentDate" | "phoneNumber">;

const BADGES = {
  completed: { tone: "green", label: "Paid" },
  processing: { tone: "orange", label: "Pending" },
  pending: { tone: "orange", label: "Pending" },
  failed: { tone: "red", label: "Failed" },
} as const satisfies Record<Payment["paymentStatus"], object>;

/** How an order was paid: method, status, receipt, date, phone (commerce spec §2, order confirmation). */
export function PaymentFacts({ payment }: { payment: Payment }) {
  const badge = BADGES[payment.paymentStatus];
  const free = payment.amount === 0;
  return (
    <SummaryRows
      rows={[
        { label: "Method", value: free ? "Nothing to pay" : "M-Pesa" },
        { label: "Status", value: <StatusBadge tone={badge.tone}>{badge.label}</StatusBadge> },
        ...(payment.mpesaReceipt ? [{ label: "Receipt", value: <Receipt number={payment.mpesaReceipt} /> }] : []),
        ...(payment.paymentDate ? [{ label: "Date", value: formatDateTime(payment.paymentDate) }] : []),
        ...(payment.phoneNumber ? [{ label: "Phone", value: displayPhone(payment.phoneNumber) }] : []),
      ]}
    />
  );
}

/** How long the copy button says so, ms (commerce spec §9). */
const COPIED_MS = 3000;

function Receipt({ number }: { number: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(number);
      setCopied(true);
      toast.success("Receipt number copied to clipboard");
    } catch {
      toast.error("Your browser did not let us copy. Press and hold the number instead.");
    }
  }
  return (
    <span className="receipt-number">
      <span className="receipt-number__digits">{number}</span>
      <Button variant="soft" tone="gray" size="small" icon={copied ? "check" : "copy"} aria-label={copied ? undefined : "Copy receipt number"} onClick={() => void copy()}>
        {copied ? "Copied!" : "Copy"}
      </Button>
    </span>
  );
}
