import { formatTotal } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

/** Subtotal, delivery (always 0) and total, KES. */
export function OrderTotals({ amount }: { amount: number }) {
  return (
    <SummaryRows
      rows={[
        { label: "Subtotal", value: formatTotal(amount) },
        { label: "Delivery", value: formatTotal(0) },
        { label: "Total", value: formatTotal(amount), total: true },
      ]}
    />
  );
}
