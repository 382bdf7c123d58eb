import "./seller-money.css";
import { Link, useFetcher } from "react-router";
import type { MoneyPage } from "#app/payments/books/seller-money.server.ts";
import { MONEY_LABELS, MONEY_STATES, type MoneyLine, type MoneyState } from "#app/payments/books/seller-money-lines.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { StatusBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { ChipRow } from "#app/ui/chip.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { formatKes } from "#app/ui/money.ts";
import { MoreLink } from "#app/ui/more-link.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import type { Tone } from "#app/ui/tone.ts";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import { useMorePages } from "#app/ui/browser/use-more-pages.ts";

interface SellerMoneyProps {
  money: MoneyPage;
  /** Null for all. */
  filter: MoneyState | null;
}

/** A seller's money: the totals, and a line for each sale. */
export function SellerMoney({ money, filter }: SellerMoneyProps) {
  const { waiting, onItsWay, paid } = money.totals;
  return (
    <>
      <dl className="money-totals">
        <Total name="Waiting" amount={waiting} note="We hold it until the sale is completed." />
        <Total name="On its way" amount={onItsWay} note="You've earned it. We're sending it." />
        <Total name="Paid" amount={paid} note="It's on your M-Pesa." />
      </dl>
      <Filters current={filter} />
      {money.lines.length > 0 ? (
        <>
          <Lines key={filter ?? "all"} first={money} filter={filter} />
          <p className="row">
            <LinkButton
              to={`/myshop/money.csv${filter ? `?show=${filter}` : ""}`}
              reloadDocument
              variant="ghost"
              size="small"
            >
              Download CSV
            </LinkButton>
            <LinkButton to="/myshop/statement" variant="ghost" size="small">
              Statement of a month
            </LinkButton>
          </p>
        </>
      ) : (
        <EmptyState
          icon="wallet"
          {...(filter === null ? NO_SALES : { title: "Nothing here right now", sentence: NOTHING[filter] })}
        />
      )}
    </>
  );
}

const NO_SALES = {
  title: "No sales yet",
  sentence: "When a buyer pays for one of your listings, you can follow the money here.",
};

const NOTHING: Record<MoneyState, string> = {
  waiting: "Money that we hold for you appears here until the sale is completed.",
  on_its_way: "Money that we are sending to your M-Pesa appears here.",
  paid: "Money that has reached your M-Pesa appears here.",
  refunded: "Sales that were cancelled or refunded appear here.",
};

function Total({ name, amount, note }: { name: string; amount: number; note: string }) {
  return (
    <div className="money-total card">
      <dt>{name}</dt>
      <dd className="money-total__amount">{formatKes(amount)}</dd>
      <dd className="money-total__note">{note}</dd>
    </div>
  );
}

function Filters({ current }: { current: MoneyState | null }) {
  const filters = [null, ...MONEY_STATES];
  return (
    <ChipRow label="Sales by where the money is">
      {filters.map((filter) => (
        <Link
          key={filter ?? "all"}
          className="chip"
          to={filter === null ? "/myshop/money" : `?show=${filter}`}
          aria-current={filter === current ? "page" : undefined}
          preventScrollReset
        >
          {filter === null ? "All" : MONEY_LABELS[filter]}
        </Link>
      ))}
    </ChipRow>
  );
}

/** "Show more" appends the next page, and without scripts leads to it. */
function Lines({ first, filter }: { first: MoneyPage; filter: MoneyState | null }) {
  const fetcher = useFetcher<{ money: MoneyPage } | FailedPage>();
  const pages = useMorePages({ money: first }, fetcher, {
    rowsOf: ({ money }) => money.lines,
    nextOf: ({ money: { next } }) => next && `/myshop/money?${filter ? `show=${filter}&` : ""}after=${next}`,
  });
  const { rows: lines, nextPath, isSeveral } = pages;
  return (
    <>
      <ul className="money-lines" role="list">
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      <LiveRegion text={isSeveral ? `${lines.length} sales shown` : ""} />
      {nextPath && <MoreLink to={nextPath} fetcher={fetcher} />}
    </>
  );
}

const TONES: Record<MoneyState, Tone> = { waiting: "orange", on_its_way: "blue", paid: "green", refunded: "gray" };

function Line({ line }: { line: MoneyLine }) {
  return (
    <li className="money-line card">
      <div className="money-line__row">
        <Link className="money-line__name text-link" to={`/seller/orders/${line.id}`}>
          {line.name}
        </Link>
        <strong className="money-line__amount" data-refunded={line.state === "refunded" || undefined}>
          {formatKes(line.amount)}
        </strong>
      </div>
      <div className="money-line__why">
        <StatusBadge tone={TONES[line.state]}>{line.label}</StatusBadge>
        <p>{withWholeAmounts(line.reason)}</p>
      </div>
      <p className="money-line__row money-line__facts">
        <span>Sold {formatDate(line.soldAt)}</span>
        {line.balance !== null && <span>Total so far {formatKes(line.balance)}</span>}
      </p>
    </li>
  );
}
