import { formatTotal } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

interface OrderTotalsProps {
  /** KES that the buyer pays. */
  amount: number;
  items: readonly { subtotal: number }[];
}

/** Subtotal, service fee, delivery (always 0) and total, KES. */
export function OrderTotals({ amount, items }: OrderTotalsProps) {
  const subtotal = items.reduce((sum, item) => sum + item.subtotal, 0);
  return (
    <SummaryRows
      rows={[
        { label: "Subtotal", value: formatTotal(subtotal) },
        ...(amount > subtotal ? [{ label: "Service fee", value: formatTotal(amount - subtotal) }] : []),
        { label: "Delivery", value: formatTotal(0) },
        { label: "Total", value: formatTotal(amount), total: true },
      ]}
    />
  );
}
