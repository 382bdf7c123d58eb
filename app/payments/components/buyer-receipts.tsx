import type { BuyerReceipt, YearOfReceipts } from "#app/payments/books/buyer-receipts.server.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes, formatSigned } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { Paper, PaperLine, PaperActions } from "./paper.tsx";

/** What a buyer paid in a year and what came back, laid out to print. */
export function BuyerReceiptsView({ receipts, hasNext }: { receipts: YearOfReceipts; hasNext: boolean }) {
  const { year, buyer, paid, fees, returned } = receipts;
  return (
    <>
      <nav className="row confirmation__next" aria-label="Years">
        <TextLink to={`?year=${year - 1}`}>{year - 1}</TextLink>
        {hasNext && <TextLink to={`?year=${year + 1}`}>{year + 1}</TextLink>}
      </nav>
      <Paper kind="Receipts" title={buyer} line={year}>
        <SummaryRows
          rows={[
            { label: "Paid", value: formatKes(paid - fees) },
            ...(fees > 0 ? [{ label: "Service fees", value: formatKes(fees) }] : []),
            { label: "Sent back to you", value: formatSigned(-returned) },
            { label: "Total", value: formatSigned(paid - returned), total: true },
          ]}
        />
        {receipts.receipts.length > 0 ? (
          <ul className="money-lines" role="list">
            {receipts.receipts.map((receipt) => (
              <Line key={receipt.id} receipt={receipt} />
            ))}
          </ul>
        ) : (
          <p>You paid nothing in this year.</p>
        )}
      </Paper>
      <PaperActions />
    </>
  );
}

function Line({ receipt: { kind, at, amount, fee, receipt, orderId, names } }: { receipt: BuyerReceipt }) {
  const isBack = kind === "returned";
  const what = `${isBack ? "Sent back: " : ""}${names.join(", ")}`;
  return (
    <PaperLine
      what={orderId ? <TextLink to={`/orders/${orderId}`}>{what}</TextLink> : what}
      amount={isBack ? -amount : amount}
      facts={[
        formatDateTime(at),
        fee > 0 ? `with a service fee of ${formatKes(fee)}` : null,
        `M-Pesa ${receipt ?? (isBack ? "receipt not known" : "receipt not known yet")}`,
      ]}
    />
  );
}
