import { formatTotal } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

/** Subtotal, service fee, delivery (always 0) and total, KES. */
export function OrderTotals({ amount, fee }: { amount: number; fee: number }) {
  return (
    <SummaryRows
      rows={[
        { label: "Subtotal", value: formatTotal(amount - fee) },
        ...(fee > 0 ? [{ label: "Service fee", value: formatTotal(fee) }] : []),
        { label: "Delivery", value: formatTotal(0) },
        { label: "Total", value: formatTotal(amount), total: true },
      ]}
    />
  );
}
