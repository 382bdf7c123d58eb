import { formatTotal } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

/** Subtotal, delivery (always 0) and total, KES (commerce spec §2, checkout; §9). */
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
