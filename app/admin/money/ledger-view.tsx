import type { Ledger, MoneyPage } from "./money.server.ts";
import type { TransferState } from "#app/db/states/transfer.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatKes, formatSigned } from "#app/ui/money.ts";
import { MoneyFrame } from "./money-frame.tsx";

const ACCOUNTS: Record<string, string> = {
  mpesa_collection: "M-Pesa paybill",
  mpesa_payout_float: "M-Pesa payout account",
  escrow: "Held until the order is over",
  seller_payable: "Owed to sellers",
  refunds_due: "Owed to buyers",
  plans: "Plans",
  fees: "Service fees",
};

const REFUND_STATES: Record<TransferState, string> = {
  due: "Will be sent",
  sending: "Being sent",
  sent: "Sent, waiting for M-Pesa",
  unknown: "Unclear, being looked up",
  parked: "Stopped",
  done: "Done today",
};

/**
 * What happened to held money today, the open refunds, the balance of every account, and what doesn't match the items,
 * payments, payouts and refunds.
 */
export function LedgerView({ ledger, counts, waiting }: { ledger: Ledger } & Pick<MoneyPage, "counts" | "waiting">) {
  const { books, balanced, today, refunds, inReview } = ledger;
  return (
    <MoneyFrame counts={counts} waiting={waiting} current="ledger" search="">
      {balanced ? (
        <Callout tone="green">
          The books balance and match the orders, payments, payouts and refunds. We added up every entry just now.
        </Callout>
      ) : (
        <Callout tone="red" title="The books don't balance">
          {bookErrors(ledger)}
        </Callout>
      )}
      {books.differences.length > 0 && <Differences differences={books.differences} />}
      <PairTable
        title="Today so far"
        heads={["Held money", "Amount"]}
        rows={[
          [`Paid by buyers and held (${items(today.held.count)})`, formatKes(today.held.amount)],
          [`Earned by sellers (${items(today.released.count)})`, formatKes(today.released.amount)],
          [`Going back to buyers (${items(today.refunded.count)})`, formatKes(today.refunded.amount)],
          ["Service fees", formatKes(today.fees)],
          ["Split between both sides", items(today.split)],
          ["Our team decides now", items(inReview)],
        ]}
      />
      <PairTable
        title="Refunds"
        heads={["State", "Amount"]}
        rows={refunds.map(({ state, count, amount }) => [`${REFUND_STATES[state]} (${count})`, formatKes(amount)])}
      />
      <PairTable
        title="Balances"
        heads={["Account", "Balance"]}
        rows={Object.entries(ACCOUNTS).map(([account, words]) => [words, formatSigned(books.balances[account] ?? 0)])}
      />
    </MoneyFrame>
  );
}

function items(count: number): string {
  return count === 1 ? "1 item" : `${count.toLocaleString("en-KE")} items`;
}

/** What is wrong, apart from the differences, which have a table. */
function bookErrors({ books }: Ledger): string {
  const found = [
    books.differences.length > 0 && "The amounts below don't match.",
    books.unbalanced > 0 && `Transactions with unequal sides: ${books.unbalanced}.`,
    books.sumOff !== 0 && `The accounts add up to ${formatSigned(books.sumOff)}, not to zero.`,
  ];
  return found.filter(Boolean).join(" ");
}

function Differences({ differences }: { differences: Ledger["books"]["differences"] }) {
  return (
    <PairTable
      title="What doesn't match"
      heads={["Account", "In the ledger, and as it should be"]}
      rows={differences.map(({ account, subject, booked, expected }) => [
        `${ACCOUNTS[account] ?? account}${subject === "" ? "" : `: ${subject}`}`,
        `${formatSigned(booked)}, should be ${formatSigned(expected)}`,
      ])}
    />
  );
}

interface PairTableProps {
  title: string;
  heads: readonly [name: string, value: string];
  /** Each name occurs once. */
  rows: readonly (readonly [name: string, value: string])[];
}

/** A table of names and values. On a phone each value shows its heading. */
function PairTable({ title, heads: [name, value], rows }: PairTableProps) {
  return (
    <table className="admin__table admin__table--pair">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">{value}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]}>
            <td data-label={name}>{row[0]}</td>
            <td data-label={value}>{row[1]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
