/** The rows of the money page's lists: the facts about each, and the actions on it. */
import { Link } from "react-router";
import type { ReactNode } from "react";
import { ENDED_BY_SUCCESS } from "./money-rules.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { AttemptRow, CallbackRow, DiscrepancyRow, PayoutRow, RefundRow } from "./money.server.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { isForeignSource } from "#app/payments/answers/callback-sources.ts";
import { PAYOUT_WORDS } from "#app/payments/transfers/payout-summary.ts";
import { refundReasonText, waitText } from "#app/payments/payment-texts.ts";
import { canReserve, isReserved } from "#app/payments/transfers/transfer-rules.ts";
import type { AttemptState } from "#app/db/states/attempt.ts";
import type { TransferKind, TransferMethod, TransferState } from "#app/db/states/transfer.ts";
import { CODE_FIELD_LENGTH } from "#app/ui/forms/code-field.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { formatKes } from "#app/ui/money.ts";
import { TextField } from "#app/ui/forms/text-field.tsx";
import type { Tone } from "#app/ui/tone.ts";
import { AdminForm, type AdminFormProps, WordsForm } from "#app/team/components/admin-form.tsx";
import { AdminRow, Facts, More } from "#app/team/components/page-parts.tsx";

interface RowProps {
  title: ReactNode;
  tone: Tone;
  state: string;
  /** How long it has waited, in words; null for what doesn't wait. */
  age?: string | null;
  children: ReactNode;
}

function Row({ title, tone, state, age, children }: RowProps) {
  return (
    <AdminRow
      head={
        <>
          <h2 className="admin__title numbers">{title}</h2>
          {age && <span className="quiet small numbers">{age}</span>}
          <StatusBadge tone={tone}>{state}</StatusBadge>
        </>
      }
    >
      {children}
    </AdminRow>
  );
}

const DISCREPANCY_WORDS: Record<string, string> = {
  books: "The books don't balance",
  payment_in_doubt: "A payment has no known result",
  payment_unconfirmed: "A payment isn't confirmed yet, so its payouts are waiting",
  declined_after_success: "M-Pesa reported a paid payment as failed",
  callback_failed: "A callback couldn't be applied",
  payout_paid_twice: "A payout was paid twice",
  job_failed: "A payment job failed",
  payment_mismatch: "A payment doesn't match its order",
  callback_foreign_id: "A callback names a different payment",
  payout_parked: "A payout couldn't be sent",
  payment_for_closed_deal: "A payment came in for a closed account or a removed listing",
  payout_in_doubt: "A payout has no known result",
  payout_amount: "A payout has the wrong amount",
  payout_receipt_reused: "Two payouts have the same receipt",
  payouts_stopped: "All payouts are paused",
  refund_parked: "A refund couldn't be sent",
  refund_in_doubt: "A refund has no known result",
  refund_amount: "A refund has the wrong amount",
  refund_paid_twice: "A refund was sent twice",
  refund_receipt_reused: "Two refunds have the same receipt",
  refund_already_reversed: "Somebody reversed a payment by hand",
  reversals_stopped: "All reversals of payments are paused",
  mpesa_list: "We couldn't get M-Pesa's list of payments",
  gateway_configuration: "A setting for M-Pesa is missing, so nobody can pay and nothing is sent",
  push_configuration: "M-Pesa refuses our payment requests",
  push_limit: "Our M-Pesa account has reached its limit, so nobody can pay",
};

interface WaitingRowProps<Shown> {
  row: Shown;
  age: string | null;
  answer: AdminFormAnswer | null;
}

export function Discrepancy({ row, age, answer }: WaitingRowProps<DiscrepancyRow>) {
  const isEndedBySuccess = ENDED_BY_SUCCESS.some((kind) => kind === row.kind);
  return (
    <Row
      title={DISCREPANCY_WORDS[row.kind] ?? row.kind.replaceAll("_", " ")}
      tone={row.resolvedAt ? "green" : "red"}
      state={row.resolvedAt ? "Resolved" : "Open"}
      age={age}
    >
      <DiscrepancyDetail row={row} />
      <Facts
        facts={[
          ["About", row.orderId ? <OrderMoney key="order" orderId={row.orderId} kind={row.kind} /> : row.subject],
          ["Found", formatDateTime(row.createdAt)],
          [
            "Resolved",
            row.resolvedAt && `${formatDateTime(row.resolvedAt)}${row.resolver ? ` by ${row.resolver}` : ""}`,
          ],
          [row.resolvedAt ? "Resolution" : "Last resolution", row.resolution],
        ]}
      />
      {!row.resolvedAt && isEndedBySuccess && (
        <p className="small">This ends by itself with the next transfer that M-Pesa makes.</p>
      )}
      {!row.resolvedAt && !isEndedBySuccess && (
        <WordsForm
          opener="Resolve"
          subject={row.id}
          intent="resolve"
          field="resolution"
          title="How did you resolve it?"
          label="Resolve"
          variant="solid"
          answer={answer}
        />
      )}
    </Row>
  );
}

function DiscrepancyDetail({ row: { kind, detail } }: { row: DiscrepancyRow }) {
  if (kind !== "books")
    return <p className="admin__quote small">{kind === "payout_parked" ? `The seller sees: “${detail}”` : detail}</p>;
  return (
    <div className="admin__actions small">
      <Link className="admin__page text-link" to="?show=ledger">
        View the failed checks
      </Link>
      <More label="The books when this was found">
        <pre className="admin__raw">{detail}</pre>
      </More>
    </div>
  );
}

/** A link to the payment, payout or refund that it is about. */
function OrderMoney({ orderId, kind }: { orderId: string; kind: string }) {
  const order = shortOrderId(orderId);
  const list = kind.startsWith("payout") ? "payouts" : kind.startsWith("refund") ? "refunds" : "attempts";
  return (
    <Link className="text-link" to={`?show=${list}&q=${order}`}>
      Order {order}
    </Link>
  );
}

const REFUND_WORDS = {
  due: { tone: "orange", label: "Due" },
  sending: { tone: "blue", label: "Sending" },
  sent: { tone: "blue", label: "Sent" },
  unknown: { tone: "orange", label: "Being checked" },
  parked: { tone: "red", label: "Stopped" },
  done: { tone: "green", label: "Done" },
} as const satisfies Record<TransferState, { tone: Tone; label: string }>;

const REFUND_METHOD_WORDS: Record<TransferMethod, string> = {
  reversal: "Reversal of the payment",
  b2c: "Transfer to the number that paid",
};

/** What was found out about the refund's receipt; null while it isn't done. */
function refundReceipt({ state, receipt }: RefundRow): string | null {
  return receipt ?? (state === "done" ? "Not known: M-Pesa said that the payment was already reversed" : null);
}

const RECORD_LABELS: Record<TransferKind, string> = { payout: "Mark as Paid Out", refund: "Mark as Refunded" };

interface TransferActionsProps {
  row: PayoutRow | RefundRow;
  kind: TransferKind;
  answer: AdminFormAnswer | null;
  /** Nobody sends it by hand yet, and an admin may. */
  mayReserve: boolean;
}

/** What an admin can do about a payout or refund that waits for a person. */
function TransferActions({ row, kind, answer, mayReserve }: TransferActionsProps) {
  const hasNoRecord = row.waitReason === "no_record";
  if (isReserved(row))
    return (
      <>
        <Callout tone="orange" title={`${row.reservedBy || "An admin"} is sending this ${kind} by hand`}>
          Nothing else sends it meanwhile.
          {row.isSender &&
            (row.sendTo === null
              ? " We know no number of theirs."
              : ` ${formatKes(row.amount)} goes to ${row.sendTo}.`)}{" "}
          Once it's in the M-Pesa portal, enter its receipt here. It counts when M-Pesa confirms receipt, amount and
          number.
        </Callout>
        <ReceiptForm
          subject={row.id}
          intent="record"
          values={{ kind }}
          answer={answer}
          label={RECORD_LABELS[kind]}
          title={`M-Pesa receipt of the ${kind}`}
          hint={`The receipt that the M-Pesa portal shows for ${formatKes(row.amount)}.`}
        />
        <AdminForm
          // Without a key it would take the place of the form that reserved it, which is open.
          key="take-back"
          opener="It won't be sent by hand"
          subject={row.id}
          intent="retry"
          values={{ kind, reserved: "yes" }}
          answer={answer}
          label="Try Again"
        >
          {() => <p className="small">Only if it isn't in the M-Pesa portal: M-Pesa sends it again.</p>}
        </AdminForm>
      </>
    );
  return (
    <>
      {hasNoRecord && (
        <Callout tone="orange" icon="circle-alert" title={`M-Pesa has no record of this ${kind}`}>
          Look for {formatKes(row.amount)} to {row.phone ?? "its receiver"} in the M-Pesa portal. If it's there, record
          it below: we then show you the full number, and ask for the receipt. If it isn't, send it again.
        </Callout>
      )}
      {row.state === "parked" && (
        <AdminForm
          subject={row.id}
          intent="retry"
          values={{ kind }}
          answer={answer}
          label={hasNoRecord ? "Send Again" : "Try Again"}
          variant="solid"
        />
      )}
      {mayReserve && (
        <AdminForm
          opener={hasNoRecord ? "I found it in the portal" : "Send it by hand"}
          subject={row.id}
          intent="reserve"
          values={{ kind }}
          answer={answer}
          label={hasNoRecord ? "Enter Its Receipt" : "I'm Sending It by Hand"}
        >
          {() => (
            <p className="small">
              {!hasNoRecord && "Check in the M-Pesa portal first that it hasn't been sent already. "}
              Once you press this, nothing else sends it, and we ask for its receipt.
            </p>
          )}
        </AdminForm>
      )}
    </>
  );
}

export function Refund({ row, age, answer }: WaitingRowProps<RefundRow>) {
  const { tone, label } = REFUND_WORDS[row.place === "in_question" ? "unknown" : row.state];
  return (
    <Row title={`${formatKes(row.amount)} to ${row.buyer || "a buyer"}`} tone={tone} state={label} age={age}>
      <Facts
        facts={[
          ["Item", row.productName],
          ["Order", row.orderId && shortOrderId(row.orderId)],
          ["Phone", row.phone],
          ["Payment receipt", row.paidReceipt],
          ["Reason", refundReasonText(row.reason, row.paidInstead)],
          ["Method", row.method && REFUND_METHOD_WORDS[row.method]],
          [row.state === "parked" ? "Stopped because" : "Waits for", waitText("refund", row)],
          ["M-Pesa result", row.resultCode && row.resultCode !== "0" && `${row.resultCode}: ${row.resultDesc ?? ""}`],
          ["Sent", row.sendCount > 0 && times(row.sendCount)],
          ["We try again", nextTry(row)],
          ["Checked with M-Pesa", row.lookupCount > 0 && times(row.lookupCount)],
          ["Created", formatDateTime(row.createdAt)],
          ["Receipt", refundReceipt(row)],
          ["Sent by hand", row.receiptCheck],
          ["Done", row.doneAt && `${formatDateTime(row.doneAt)}${row.doneBy ? ` by ${row.doneBy}` : ""}`],
        ]}
      />
      <TransferActions row={row} kind="refund" answer={answer} mayReserve={canReserve(row)} />
    </Row>
  );
}

/** When the job tries again what is parked, or due and waits. Most that are parked wait for a person. */
function nextTry({ state, waitReason, nextActionAt }: PayoutRow | RefundRow): string | null {
  const waits = state === "parked" || (state === "due" && waitReason !== null);
  return waits && nextActionAt !== null ? formatDateTime(nextActionAt) : null;
}

interface LineFormProps extends Omit<AdminFormProps, "children"> {
  title: string;
  hint: string;
}

/** An action that needs an M-Pesa receipt. */
function ReceiptForm({ title, hint, ...form }: LineFormProps) {
  return (
    <AdminForm {...form} variant="solid">
      {(error, typed) => (
        <Field label={title} hint={hint} error={error("receipt")}>
          <TextField
            name="receipt"
            defaultValue={typed("receipt")}
            autoCapitalize="characters"
            autoComplete="off"
            maxLength={CODE_FIELD_LENGTH}
          />
        </Field>
      )}
    </AdminForm>
  );
}

/** An action that needs a reason. */
function ReasonForm({ title, hint, ...form }: LineFormProps) {
  return (
    <AdminForm {...form} danger>
      {(error, typed) => (
        <Field label={title} hint={hint} error={error("reason")}>
          <TextField name="reason" defaultValue={typed("reason")} maxLength={200} />
        </Field>
      )}
    </AdminForm>
  );
}

export function Payout({ row, age, answer }: WaitingRowProps<PayoutRow>) {
  const { tone, label } = PAYOUT_WORDS[row.state];
  return (
    <Row
      title={`${formatKes(row.amount)} to ${row.seller || "a seller"}`}
      tone={tone}
      state={row.state === "parked" ? "Stopped" : label}
      age={age}
    >
      <Facts
        facts={[
          ...payoutItemFacts(row.items),
          ["Phone", row.phone],
          ["M-Pesa receipt", row.receipt],
          ["Sent by hand", row.receiptCheck],
          ["The seller sees", waitText("payout", row)],
          ["M-Pesa result", row.resultCode && row.resultCode !== "0" && `${row.resultCode}: ${row.resultDesc ?? ""}`],
          ["Sent", row.sendCount > 0 && times(row.sendCount)],
          ["We try again", nextTry(row)],
          ["Checked with M-Pesa", row.lookupCount > 0 && times(row.lookupCount)],
          ["Created", formatDateTime(row.createdAt)],
          ["Paid", row.doneAt && formatDateTime(row.doneAt)],
        ]}
      />
      {row.items.length > 1 && (
        <More label={`The ${row.items.length} items`}>
          <ul>
            {row.items.map((item) => (
              <li key={item.orderItemId}>
                {formatKes(item.share)}: {item.name} (order {shortOrderId(item.orderId)})
              </li>
            ))}
          </ul>
        </More>
      )}
      {row.isReported && (
        <Callout tone="orange" icon="circle-alert" title="A report of the buyer stops this payout">
          It isn't sent until the report is closed or taken back. If its case is decided already,{" "}
          {row.state === "due" && "stop it and "}press "Try Again". That lets go whatever else the report stops.
          {isReserved(row) &&
            " Don't send it by hand. If you already have, enter its receipt. If you haven't, say below that it won't be sent by hand."}
        </Callout>
      )}
      <TransferActions
        row={row}
        kind="payout"
        answer={answer}
        mayReserve={canReserve({ ...row, method: "b2c" }) && !row.isReported}
      />
      {row.state === "due" && (
        <ReasonForm
          opener="Stop this payout"
          subject={row.id}
          intent="park"
          answer={answer}
          label="Stop This Payout"
          title="Reason"
          hint="The seller can see this."
        />
      )}
    </Row>
  );
}

/** What a payout pays for. A payout of several items lists them below. */
function payoutItemFacts(items: PayoutRow["items"]): [string, ReactNode][] {
  const [only] = items;
  if (only && items.length === 1)
    return [
      ["Item", only.name],
      ["Order", shortOrderId(only.orderId)],
    ];
  return [["Items", items.length]];
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

const ATTEMPT_WORDS = {
  created: { tone: "orange", label: "Starting" },
  pushed: { tone: "orange", label: "Prompt sent" },
  unknown: { tone: "orange", label: "Result unknown" },
  succeeded: { tone: "green", label: "Paid" },
  failed: { tone: "red", label: "Failed" },
  refused: { tone: "red", label: "Refused" },
  expired: { tone: "gray", label: "Expired" },
  held: { tone: "red", label: "Under review" },
} as const satisfies Record<AttemptState, { tone: Tone; label: string }>;

/** Whether an admin who sees the payment in M-Pesa's portal may enter its receipt. */
function canBeAccepted({ state, confirmed, receipt }: AttemptRow): boolean {
  return state === "succeeded" ? !confirmed || receipt === null : state !== "created" && state !== "pushed";
}

/** Without a result, what M-Pesa answered to the request. */
function attemptResult({ resultCode, resultDesc }: AttemptRow) {
  if (resultCode === null) return resultDesc;
  return resultCode !== "0" && `${resultCode}: ${resultDesc ?? ""}`;
}

export function Attempt({ row, answer }: { row: AttemptRow; answer: AdminFormAnswer | null }) {
  const { tone, label } = ATTEMPT_WORDS[row.state];
  const lacksReceipt = row.state === "succeeded" && row.confirmed;
  return (
    <Row title={`${formatKes(row.amount)} by ${row.buyer || "a buyer"}`} tone={tone} state={label}>
      <Facts
        facts={[
          ["Order", row.orderId && shortOrderId(row.orderId)],
          ["Phone", row.phone],
          ["Receipt", row.receipt],
          ["Receipt check", row.receiptCheck],
          ["Checkout request", row.checkoutRequestId],
          ["M-Pesa result", attemptResult(row)],
          ["Checked with M-Pesa", row.queryCount > 0 && times(row.queryCount)],
          ["Created", formatDateTime(row.createdAt)],
          ["Settled", row.settledAt && formatDateTime(row.settledAt)],
        ]}
      />
      {canBeAccepted(row) && (
        <ReceiptForm
          opener={lacksReceipt ? "Enter the missing receipt" : "M-Pesa shows this as paid"}
          subject={row.id}
          intent="accept"
          answer={answer}
          label={lacksReceipt ? "Enter This Receipt" : "Accept This Payment"}
          title="M-Pesa receipt"
          hint={`We'll ask M-Pesa to confirm that this receipt is for exactly ${formatKes(row.amount)}.`}
        />
      )}
      {row.state === "held" && (
        <ReasonForm
          opener="The buyer wasn't charged, or was refunded"
          subject={row.id}
          intent="dismiss"
          answer={answer}
          label="Let the Buyer Pay Again"
          title="What you found"
          hint="Only admins can see this. If the buyer can pay again, we'll tell them."
        />
      )}
    </Row>
  );
}

const CALLBACK_WORDS: Record<string, string> = {
  push: "Payment",
  payout: "Payout or refund",
  payout_timeout: "Payout or refund timeout",
  lookup: "Check of a payout or refund",
  receipt: "Receipt check",
  lookup_timeout: "Check timeout",
  reversal: "Refund",
  reversal_timeout: "Refund timeout",
};

export function Callback({ row }: { row: CallbackRow }) {
  return (
    <Row
      title={CALLBACK_WORDS[row.kind] ?? row.kind}
      tone={row.appliedAt ? "gray" : "orange"}
      state={row.appliedAt ? (row.outcome ?? "applied").replaceAll("_", " ") : "Not applied"}
    >
      <Facts
        facts={[
          ["Received", formatDateTime(row.createdAt)],
          ["Applied", row.appliedAt && formatDateTime(row.appliedAt)],
          [
            "From",
            row.sourceAddress &&
              (isForeignSource(row.sourceAddress)
                ? `${row.sourceAddress} (not a Safaricom address)`
                : row.sourceAddress),
          ],
          ["Request", row.requestId],
        ]}
      />
      <More label="Callback body">
        <pre className="admin__raw">{row.body || "Empty"}</pre>
      </More>
    </Row>
  );
}
