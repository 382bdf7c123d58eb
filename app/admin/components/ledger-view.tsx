import type { Ledger, MoneyPage } from "#app/admin/money.server.ts";
import { Callout } from "#app/ui/callout.tsx";
import { formatKes } from "#app/ui/money.ts";
import { MoneyFrame } from "./money-frame.tsx";

const ACCOUNTS: Record<string, string> = {
  mpesa_collection: "M-Pesa paybill",
  mpesa_payout_float: "Payout account",
  escrow: "Held for sellers until delivery",
  seller_payable: "Earned by sellers, not paid out",
  refunds_due: "Owed back to buyers",
  fees: "Fees",
  suspense: "Not yet explained",
  plans: "Plans",
};

const CHECKS = {
  sumOff: "Everything together",
  unbalanced: "Transactions that do not balance",
  chargesOff: "Charges against settled payments",
  payoutsOff: "Payouts against paid ones",
  escrowOff: "Escrow against undelivered items",
  payableOff: "Owed to sellers against open payouts",
  refundsOff: "Owed to buyers against open refunds",
  plansOff: "Plans sold against paid ones",
} as const satisfies Record<Exclude<keyof Ledger["books"], "balances">, string>;

/** The balance of every account of the ledger, and whether it agrees with the facts. */
export function LedgerView({ ledger, counts }: { ledger: Ledger; counts: MoneyPage["counts"] }) {
  const { books, balanced } = ledger;
  return (
    <MoneyFrame counts={counts} current="ledger" search="">
      {balanced ? (
        <Callout tone="green">The books balance, and agree with orders, payments, payouts and refunds.</Callout>
      ) : (
        <Callout tone="red" title="The books do not balance">
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
        heads={["Check", "Off by"]}
        rows={Object.entries(CHECKS).map(([check, words]) => [words, plain(books[check as keyof typeof CHECKS])])}
      />
    </MoneyFrame>
  );
}

interface PairTableProps {
  caption: string;
  heads: readonly [name: string, value: string];
  /** Each name stands once. */
  rows: readonly (readonly [name: string, value: string])[];
}

/** Names beside values; on a phone each value carries its head. */
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

/** Differences of nothing come as 0 and as -0. */
function plain(difference: number): string {
  return String(difference + 0);
}

/** Debit above zero, as the ledger keeps it. */
function signed(amount: number): string {
  return amount < 0 ? `−${formatKes(-amount)}` : formatKes(amount);
}
