import { shortOrderId } from "#app/orders/order-rules.ts";
import { lineWords, monthBeside, type SellerStatement, signed } from "#app/payments/books/seller-statement-lines.ts";
import { monthBounds } from "#app/platform/east-africa-time.ts";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { formatKes, formatSigned } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { Paper, PaperLine, PaperActions } from "./paper.tsx";

interface SellerStatementProps {
  statement: SellerStatement;
  seller: string;
  /** There is a later month. */
  hasNext: boolean;
}

/** A seller's month, laid out to print. */
export function SellerStatementView({ statement, seller, hasNext }: SellerStatementProps) {
  const { month, opening, lines, totals, closing } = statement;
  const { from, until } = monthBounds(month);
  return (
    <>
      <nav className="row confirmation__next" aria-label="Months">
        <TextLink to={`?month=${monthBeside(month, -1)}`}>The month before</TextLink>
        {hasNext && <TextLink to={`?month=${monthBeside(month, 1)}`}>The month after</TextLink>}
      </nav>
      <Paper kind="Statement" title={seller} line={`${formatDate(from)} to ${formatDate(until - 1)}`}>
        <SummaryRows
          rows={[
            { label: "Opening balance", value: formatKes(opening) },
            { label: "Paid by buyers", value: formatKes(totals.sale) },
            { label: "Back to buyers", value: formatSigned(-totals.refund) },
            ...(totals.fee !== 0 ? [{ label: "Service fees", value: formatSigned(-totals.fee) }] : []),
            { label: "Paid to your M-Pesa", value: formatSigned(-totals.payout) },
            { label: "Closing balance", value: formatKes(closing), total: true },
          ]}
        />
        <p className="small quiet">
          The balance is what buyers have paid for your sales and what hasn't left us yet: money that we hold, and
          payouts on their way.
          {totals.fee !== 0 && " A service fee is taken when a sale is over."}
        </p>
        {lines.length > 0 ? (
          <ul className="money-lines" role="list">
            {lines.map((line) => (
              <PaperLine
                key={`${line.kind}:${line.id}`}
                what={lineWords(line)}
                amount={signed(line)}
                facts={[formatDateTime(line.at), line.orderId && `order ${shortOrderId(line.orderId)}`, line.receipt]}
                below={`Balance ${formatKes(line.balance)}`}
              />
            ))}
          </ul>
        ) : (
          <p>Nothing was sold, sent back or paid out in this month.</p>
        )}
      </Paper>
      <PaperActions csv={`/myshop/statement.csv?month=${month}`} />
    </>
  );
}
