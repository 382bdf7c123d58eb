import "./payments.css";
import "./seller-money.css";
import {
  lineWords,
  monthBeside,
  type SellerStatement,
  signed,
  type StatementLine,
} from "#app/payments/books/seller-statement-lines.ts";
import { monthBounds } from "#app/platform/east-africa-time.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { formatKes, formatSigned } from "#app/ui/money.ts";
import { brand } from "#app/ui/page/brand.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

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
      <section className="paper" aria-labelledby="statement-title">
        <p className="paper__letterhead" aria-hidden="true">
          <strong>{brand.name}</strong> {brand.tagline}
          <span>Statement</span>
        </p>
        <header className="paper__head">
          <h2 id="statement-title">{seller}</h2>
          <p className="paper__brand">{`${formatDate(from)} to ${formatDate(until - 1)}`}</p>
        </header>
        <SummaryRows
          rows={[
            { label: "Opening balance", value: formatKes(opening) },
            { label: "Paid by buyers", value: formatKes(totals.sale) },
            { label: "Back to buyers", value: formatSigned(-totals.refund) },
            { label: "Paid to your M-Pesa", value: formatSigned(-totals.payout) },
            { label: "Closing balance", value: formatKes(closing), total: true },
          ]}
        />
        <p className="small quiet">
          The balance is what buyers have paid for your sales and what hasn't left us yet: money that we hold, and
          payouts on their way.
        </p>
        {lines.length > 0 ? (
          <ul className="money-lines" role="list">
            {lines.map((line) => (
              <Line key={`${line.kind}:${line.id}`} line={line} />
            ))}
          </ul>
        ) : (
          <p>Nothing was sold, sent back or paid out in this month.</p>
        )}
      </section>
      <div className="confirmation__next">
        <LinkButton to={`/myshop/statement.csv?month=${month}`} reloadDocument variant="soft">
          Download CSV
        </LinkButton>
        <Button variant="ghost" icon="printer" onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </>
  );
}

function Line({ line }: { line: StatementLine }) {
  const facts = [formatDateTime(line.at), line.orderId && `order ${line.orderId.slice(0, 8)}`, line.receipt];
  return (
    <li>
      <p className="money-line__row">
        <span>{lineWords(line)}</span>
        <strong className="money-line__amount">{formatSigned(signed(line))}</strong>
      </p>
      <p className="money-line__row money-line__facts">
        <span>{facts.filter(Boolean).join(", ")}</span>
        <span className="money-line__amount">{`Balance ${formatKes(line.balance)}`}</span>
      </p>
    </li>
  );
}
