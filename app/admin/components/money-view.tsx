import type { ReactNode } from "react";
import { Link } from "react-router";
import type { DeskAnswer } from "#app/admin/desk-answer.ts";
import type { LedgerView, MoneyFilter, MoneyList, MoneyPage, AttemptRow, CallbackRow, DiscrepancyRow, PayoutRow, RefundRow } from "#app/admin/money.server.ts";
import { DESK_TEXT_MAX } from "#app/admin/rules.ts";
import { isForeignSource } from "#app/payments/callback-sources.ts";
import { PAYOUT_WORDS } from "#app/payments/payout-words.ts";
import type { AttemptState } from "#app/payments/rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Callout } from "#app/ui/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Field } from "#app/ui/field.tsx";
import { formatKes } from "#app/ui/money.ts";
import { EmptyState } from "#app/ui/state.tsx";
import { TextArea } from "#app/ui/form-fields.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Tone } from "#app/ui/tone.ts";
import { Desk, DeskForm, DeskSearch, Facts, FilterLinks, More, Pager } from "./desk-parts.tsx";

interface MoneyViewProps {
  page: MoneyPage;
  filter: MoneyFilter;
  search: string;
  begun: boolean;
  answer: DeskAnswer | null;
}

interface HeadProps {
  counts: MoneyPage["counts"];
  current: MoneyList | "ledger";
  search: string;
  children: ReactNode;
}

function MoneyDesk({ counts, current, search, children }: HeadProps) {
  return (
    <Desk title="Money" counts={counts}>
      <FilterLinks
        label="Lists"
        name="show"
        current={current}
        keep={{ q: search }}
        choices={[
          { value: "discrepancies", label: "Discrepancies", count: counts.discrepancies },
          { value: "refunds", label: "Refunds", count: counts.refunds },
          { value: "payouts", label: "Payouts", count: counts.parked },
          { value: "attempts", label: "Payments" },
          { value: "callbacks", label: "Callbacks" },
          { value: "ledger", label: "Ledger" },
        ]}
      />
      {children}
    </Desk>
  );
}

const OPEN_WORDS: Record<MoneyList, string> = {
  discrepancies: "Open",
  refunds: "Due",
  payouts: "Not paid",
  attempts: "Under way",
  callbacks: "Not applied",
};

/** Payments, payouts and what does not add up (design §5). */
export function MoneyView({ page, filter, search, begun, answer }: MoneyViewProps) {
  const { list, next, counts } = page;
  return (
    <MoneyDesk counts={counts} current={list} search={search}>
      <DeskSearch search={search} label="Receipt, phone or order" keep={list === "discrepancies" ? {} : { show: list }} />
      {search === "" ? (
        <FilterLinks
          label={OPEN_WORDS[list]}
          name="only"
          current={filter}
          keep={{ show: list }}
          choices={[
            { value: "open", label: OPEN_WORDS[list] },
            { value: "all", label: "All" },
          ]}
        />
      ) : (
        <p className="quiet small">What belongs to “{search}”, done or not.</p>
      )}
      {page.rows.length === 0 ? (
        <EmptyState icon={search ? "search-x" : "circle-check"} title={search ? "Nothing found" : "Nothing waits here"} sentence={search ? "Receipts and phones are looked for whole; an order by its first eight characters." : undefined} />
      ) : (
        <ul className="desk__rows" role="list">
          {rowsOf(page, answer)}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </MoneyDesk>
  );
}

function rowsOf(page: MoneyPage, answer: DeskAnswer | null): ReactNode {
  switch (page.list) {
    case "discrepancies":
      return page.rows.map((row) => <Discrepancy key={row.id} row={row} answer={answer} />);
    case "refunds":
      return page.rows.map((row) => <Refund key={row.id} row={row} answer={answer} />);
    case "payouts":
      return page.rows.map((row) => <Payout key={row.id} row={row} answer={answer} />);
    case "attempts":
      return page.rows.map((row) => <Attempt key={row.id} row={row} answer={answer} />);
    case "callbacks":
      return page.rows.map((row) => <Callback key={row.id} row={row} />);
  }
}

function Row({ title, tone, state, children }: { title: ReactNode; tone: Tone; state: string; children: ReactNode }) {
  return (
    <li className="desk__row">
      <div className="desk__row-head numbers">
        <h2 className="desk__title">{title}</h2>
        <StatusBadge tone={tone}>{state}</StatusBadge>
      </div>
      {children}
    </li>
  );
}

const DISCREPANCY_WORDS: Record<string, string> = {
  books: "The books do not balance",
  payment_in_doubt: "Nobody knows whether a payment was made",
  payment_unconfirmed: "A payment is not confirmed, so its payouts wait",
  declined_after_success: "A payment that counts as paid was reported as failed",
  callback_failed: "A callback could not be applied",
  payout_paid_twice: "A payout went out twice",
  job_failed: "Something went wrong while payments were brought forward",
  payment_mismatch: "A payment does not match its order",
  callback_foreign_id: "A callback names another payment",
  payout_parked: "A payout could not be made",
  payout_in_doubt: "A payout is in doubt",
  payout_amount: "A payout of another amount",
  payout_receipt_reused: "A payout's receipt came twice",
  payouts_stopped: "All payouts are stopped",
  push_configuration: "Payment requests are refused",
  push_limit: "Our M-Pesa account is full, so nobody can pay",
};

function Discrepancy({ row, answer }: { row: DiscrepancyRow; answer: DeskAnswer | null }) {
  return (
    <Row title={DISCREPANCY_WORDS[row.kind] ?? row.kind.replaceAll("_", " ")} tone={row.resolvedAt ? "green" : "red"} state={row.resolvedAt ? "Resolved" : "Open"}>
      <p className="desk__quote small">{row.kind === "payout_parked" ? `The seller reads: “${row.detail}”` : row.detail}</p>
      <Facts
        facts={[
          ["About", row.orderId ? <OrderMoney key="order" orderId={row.orderId} kind={row.kind} /> : row.subject],
          ["Found", formatDateTime(row.createdAt)],
          ["Resolved", row.resolvedAt && `${formatDateTime(row.resolvedAt)}${row.resolver ? ` by ${row.resolver}` : ""}`],
          ["How", row.resolution],
        ]}
      />
      {!row.resolvedAt && (
        <More label="Resolve" open={answer?.subject === `resolve:${row.id}`}>
          <DeskForm subject={row.id} intent="resolve" answer={answer} label="Resolve" tone="gold" variant="solid">
            {(error) => (
              <Field label="How it was resolved" error={error("resolution")}>
                {(control) => <TextArea {...control} name="resolution" rows={2} maxLength={DESK_TEXT_MAX} />}
              </Field>
            )}
          </DeskForm>
        </More>
      )}
    </Row>
  );
}

/** To what it is about, where it can be seen to. */
function OrderMoney({ orderId, kind }: { orderId: string; kind: string }) {
  const order = orderId.slice(0, 8);
  return (
    <Link className="text-link" to={`?show=${kind.startsWith("payout") ? "payouts" : "attempts"}&q=${order}`}>
      Order {order}
    </Link>
  );
}

function Refund({ row, answer }: { row: RefundRow; answer: DeskAnswer | null }) {
  return (
    <Row title={`${formatKes(row.amount)} to ${row.buyer || "a buyer"}`} tone={row.state === "due" ? "orange" : "green"} state={row.state === "due" ? "Due" : "Done"}>
      <Facts
        facts={[
          ["Order", row.orderId?.slice(0, 8)],
          ["Phone", row.phone],
          ["Paid with", row.paidReceipt],
          ["Why", row.reason],
          ["Since", formatDateTime(row.createdAt)],
          ["Receipt", row.receipt],
          ["Done", row.doneAt && `${formatDateTime(row.doneAt)}${row.doneBy ? ` by ${row.doneBy}` : ""}`],
        ]}
      />
      {row.state === "due" && (
        <More label="It has been sent back" open={answer?.subject === `refund:${row.id}`}>
          <ReceiptForm
            id={row.id}
            intent="refund"
            answer={answer}
            label="Mark as Refunded"
            field="M-Pesa receipt of the refund"
            hint="Reverse the payment in the M-Pesa portal first; it gives you this."
          />
        </More>
      )}
    </Row>
  );
}

interface ReceiptFormProps {
  id: string;
  intent: "refund" | "accept" | "paid";
  answer: DeskAnswer | null;
  /** The button's words. */
  label: string;
  field: string;
  hint: string;
}

/** What has to be backed by a receipt. */
function ReceiptForm({ id, intent, answer, label, field, hint }: ReceiptFormProps) {
  return (
    <DeskForm subject={id} intent={intent} answer={answer} label={label} tone="gold" variant="solid">
      {(error) => (
        <Field label={field} hint={hint} error={error("receipt")}>
          {(control) => <TextField {...control} name="receipt" autoCapitalize="characters" autoComplete="off" maxLength={20} />}
        </Field>
      )}
    </DeskForm>
  );
}

function Payout({ row, answer }: { row: PayoutRow; answer: DeskAnswer | null }) {
  const { tone, label } = PAYOUT_WORDS[row.state];
  return (
    <Row title={`${formatKes(row.amount)} to ${row.seller || "a seller"}`} tone={tone} state={row.state === "parked" ? "Parked" : label}>
      <Facts
        facts={[
          ["For", row.productName],
          ["Order", row.orderId.slice(0, 8)],
          ["Phone", row.phone],
          ["Transaction", row.transactionId],
          ["The seller reads", row.reason],
          ["M-Pesa says", row.resultCode && row.resultCode !== "0" && `${row.resultCode}: ${row.resultDesc ?? ""}`],
          ["Sent", row.sendCount > 0 && times(row.sendCount)],
          ["Looked up", row.lookupCount > 0 && times(row.lookupCount)],
          ["Since", formatDateTime(row.createdAt)],
          ["Paid", row.settledAt && formatDateTime(row.settledAt)],
        ]}
      />
      {row.state === "parked" && <DeskForm subject={row.id} intent="retry" answer={answer} label="Try Again" tone="gold" variant="solid" />}
      {(row.state === "parked" || row.state === "unknown") && (
        <More label="It was sent by hand" open={answer?.subject === `paid:${row.id}`}>
          <ReceiptForm id={row.id} intent="paid" answer={answer} label="Mark as Paid Out" field="M-Pesa receipt of the payout" hint="Look in the M-Pesa portal first that it has not gone out already." />
        </More>
      )}
      {row.state === "due" && (
        <More label="Park it" open={answer?.subject === `park:${row.id}`}>
          <DeskForm subject={row.id} intent="park" answer={answer} label="Park This Payout" tone="red">
            {(error) => (
              <Field label="Reason" hint="The seller reads this." error={error("reason")}>
                {(control) => <TextField {...control} name="reason" maxLength={200} />}
              </Field>
            )}
          </DeskForm>
        </More>
      )}
    </Row>
  );
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

const ATTEMPT_WORDS = {
  created: { tone: "orange", label: "Starting" },
  pushed: { tone: "orange", label: "Asked" },
  unknown: { tone: "orange", label: "In doubt" },
  succeeded: { tone: "green", label: "Paid" },
  failed: { tone: "red", label: "Failed" },
  refused: { tone: "red", label: "Refused" },
  expired: { tone: "gray", label: "Expired" },
  held: { tone: "red", label: "Held" },
} as const satisfies Record<AttemptState, { tone: Tone; label: string }>;

/** Whether a person who sees it in M-Pesa's portal may take it as paid. */
function canBeAccepted({ state, confirmed }: AttemptRow): boolean {
  return state === "succeeded" ? confirmed === 0 : state !== "created" && state !== "pushed";
}

function Attempt({ row, answer }: { row: AttemptRow; answer: DeskAnswer | null }) {
  const { tone, label } = ATTEMPT_WORDS[row.state];
  return (
    <Row title={`${formatKes(row.amount)} by ${row.buyer || "a buyer"}`} tone={tone} state={label}>
      <Facts
        facts={[
          ["Order", row.orderId?.slice(0, 8)],
          ["Phone", row.phone],
          ["Receipt", row.receipt],
          ["Checkout request", row.checkoutRequestId?.replace(/\d{6}$/, "••••••")],
          ["M-Pesa says", row.resultCode && row.resultCode !== "0" && `${row.resultCode}: ${row.resultDesc ?? ""}`],
          ["Asked about", row.queryCount > 0 && times(row.queryCount)],
          ["Made", formatDateTime(row.createdAt)],
          ["Settled", row.settledAt && formatDateTime(row.settledAt)],
        ]}
      />
      {canBeAccepted(row) && (
        <More label="M-Pesa shows it as paid" open={answer?.subject === `accept:${row.id}`}>
          <ReceiptForm id={row.id} intent="accept" answer={answer} label="Accept This Payment" field="M-Pesa receipt" hint={`The portal must show exactly ${formatKes(row.amount)} under it.`} />
        </More>
      )}
      {row.state === "held" && (
        <More label="It was not paid, or was sent back" open={answer?.subject === `dismiss:${row.id}`}>
          <DeskForm subject={row.id} intent="dismiss" answer={answer} label="Let the Buyer Pay Again" tone="red">
            {(error) => (
              <Field label="What you found" hint="Kept here. The buyer is told that they can pay again." error={error("reason")}>
                {(control) => <TextField {...control} name="reason" maxLength={200} />}
              </Field>
            )}
          </DeskForm>
        </More>
      )}
    </Row>
  );
}

const CALLBACK_WORDS: Record<string, string> = { push: "Payment", payout: "Payout", payout_timeout: "Payout, time-out", lookup: "Look-up", lookup_timeout: "Look-up, time-out" };

function Callback({ row }: { row: CallbackRow }) {
  return (
    <Row title={CALLBACK_WORDS[row.kind] ?? row.kind} tone={row.appliedAt ? "gray" : "orange"} state={row.appliedAt ? (row.outcome ?? "applied") : "Not applied"}>
      <Facts
        facts={[
          ["Received", formatDateTime(row.createdAt)],
          ["Applied", row.appliedAt && formatDateTime(row.appliedAt)],
          ["From", row.sourceAddress && (isForeignSource(row.sourceAddress) ? `${row.sourceAddress}, not an address of Safaricom's` : row.sourceAddress)],
          ["Request", row.requestId],
        ]}
      />
      <More label="What it said">
        <pre className="desk__raw">{row.body || "Nothing"}</pre>
      </More>
    </Row>
  );
}

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
} as const satisfies Record<Exclude<keyof LedgerView["books"], "balances">, string>;

/** The balance of every account of the ledger, and whether it agrees with the facts. */
export function LedgerDesk({ ledger, counts }: { ledger: LedgerView; counts: MoneyPage["counts"] }) {
  const { books, balanced } = ledger;
  return (
    <MoneyDesk counts={counts} current="ledger" search="">
      {balanced ? (
        <Callout tone="green">The books balance, and agree with orders, payments, payouts and refunds.</Callout>
      ) : (
        <Callout tone="red" title="The books do not balance">
          Each line below should be zero.
        </Callout>
      )}
      <table className="desk__table desk__table--pair">
        <caption className="visually-hidden">Balances</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Balance</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(ACCOUNTS)
            .filter(([account]) => books.balances[account] !== undefined)
            .map(([account, words]) => (
              <tr key={account}>
                <td data-label="Account">{words}</td>
                <td data-label="Balance">{signed(books.balances[account] ?? 0)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <table className="desk__table desk__table--pair">
        <caption className="visually-hidden">Checks</caption>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Off by</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(CHECKS).map(([check, words]) => (
            <tr key={check}>
              <td data-label="Check">{words}</td>
              <td data-label="Off by">{plain(books[check as keyof typeof CHECKS])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </MoneyDesk>
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
