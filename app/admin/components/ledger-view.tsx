import type { Ledger, MoneyPage } from "#app/admin/money.server.ts";
import { Callout } from "#app/ui/callout.tsx";
import { formatKes } from "#app/ui/money.ts";
import { MoneyFrame } from "./money-frame.tsx";

const ACCOUNTS: Record<string, string> = {
  mpesa_collection: "M-Pesa paybill",
  mpesa_payout_float: "M-Pesa payout account",
  escrow: "Held for sellers until delivery",
  seller_payable: "Owed to sellers",
  refunds_due: "Owed to buyers",
  plans: "Plans",
};

const CHECKS = {
  sumOff: "Sum of all accounts",
  unbalanced: "Unbalanced transactions",
  chargesOff: "Charges and settled payments",
  payoutsOff: "Payouts booked and payouts paid",
  escrowOff: "Escrow and undelivered items",
  payableOff: "Owed to sellers and open payouts",
  refundsOff: "Owed to buyers and open refunds",
  plansOff: "Plans booked and plans paid",
} as const satisfies Record<Exclude<keyof Ledger["books"], "balances">, string>;

/** The balance of every ledger account, and the checks against orders, payments, payouts and refunds. */
export function LedgerView({ ledger, counts }: { ledger: Ledger; counts: MoneyPage["counts"] }) {
  const { books, balanced } = ledger;
  return (
    <MoneyFrame counts={counts} current="ledger" search="">
      {balanced ? (
        <Callout tone="green">The books balance and match the orders, payments, payouts and refunds.</Callout>
      ) : (
        <Callout tone="red" title="The books don't balance">
          Each line below should be zero.
        </Callout>
      )}
      <PairTable
        caption="Balances"
        heads={["Account", "Balance"]}
        rows={Object.entries(ACCOUNTS)
          .filter(([account]) => books.balances[account] !== undefined)
          .map(([account, words]) => [words, signed(books.balances[account] ?? 0)])}
      />
      <PairTable
        caption="Checks"
        heads={["Check", "Difference"]}
        rows={Object.entries(CHECKS).map(([check, words]) => [words, plain(books[check as keyof typeof CHECKS])])}
      />
    </MoneyFrame>
  );
}

interface PairTableProps {
  caption: string;
  heads: readonly [name: string, value: string];
  /** Each name occurs once. */
  rows: readonly (readonly [name: string, value: string])[];
}

/** A table of names and values. On a phone each value shows its heading. */
function PairTable({ caption, heads: [name, value], rows }: PairTableProps) {
  return (
    <table className="admin__table admin__table--pair">
      <caption className="visually-hidden">{caption}</caption>
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

/** The database returns no difference as 0 or as -0. */
function plain(difference: number): string {
  return String(difference + 0);
}

/** Debits are positive, as in the ledger. */
function signed(amount: number): string {
  return amount < 0 ? `−${formatKes(-amount)}` : formatKes(amount);
}
