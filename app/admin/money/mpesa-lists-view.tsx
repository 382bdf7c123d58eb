import { Form } from "react-router";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { LineRow, ListRow, ListsPage } from "./mpesa-lists.server.ts";
import type { LineFinding, ListAccount, RecordKind } from "#app/db/states/mpesa-list.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { formatKes } from "#app/ui/money.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { AdminForm, WordsForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, Facts } from "#app/team/components/page-parts.tsx";

interface MpesaListsViewProps {
  page: ListsPage;
  /** M-Pesa's list of payments is pulled every half hour. */
  isPulled: boolean;
  answer: AdminFormAnswer | null;
}

const ACCOUNTS: Record<ListAccount, string> = { collection: "Paybill", payouts: "Payout account" };

/** M-Pesa's own lists compared with our records: the lines that a person must look at, and a statement to send. */
export function MpesaListsView({ page, isPulled, answer }: MpesaListsViewProps) {
  const { counts, lists, list, pulledAt, lines } = page;
  const isOne = list !== null;
  return (
    <AdminPage
      title="M-Pesa's Lists"
      lead="What M-Pesa says it took and paid, beside what we have."
      back={isOne ? { to: "/admin/money/lists", label: "All lists" } : { to: "/admin/money", label: "Money" }}
      counts={counts}
    >
      {list && <OneList list={list} />}
      {!isOne && <p>{pullSentence(isPulled, pulledAt)}</p>}
      {lines.length === 0 ? (
        <EmptyState icon="circle-check" title={isOne ? "No line is left open" : "Every line matches"} />
      ) : (
        <ul className="admin__rows" role="list">
          {lines.map((line) => (
            <Line key={line.id} line={line} answer={answer} />
          ))}
        </ul>
      )}
      {!isOne && <SendStatement answer={answer} />}
      {!isOne && lists.length > 0 && <Lists lists={lists} />}
    </AdminPage>
  );
}

function pullSentence(isPulled: boolean, pulledAt: number | null): string {
  if (!isPulled)
    return "Payments aren't pulled from M-Pesa, because this shortcode isn't set up for it. Send a statement instead, once a day or week.";
  return pulledAt !== null
    ? `We pull M-Pesa's list of payments every half hour, the last time on ${formatDateTime(pulledAt)}. It has no payouts, so send their statement, too.`
    : "We pull M-Pesa's list of payments every half hour. The first one hasn't come yet.";
}

function SendStatement({ answer }: { answer: AdminFormAnswer | null }) {
  const errors = answer?.subject === "send:statement" ? answer.errors : {};
  return (
    <section className="card stack" aria-labelledby="send-statement">
      <h2 id="send-statement">Send a statement</h2>
      <p>
        Download it as CSV in the M-Pesa portal for businesses. Nothing changes by sending it: each line that doesn't
        match waits here for you.
      </p>
      <Form method="post" encType="multipart/form-data" className="stack">
        <input type="hidden" name="subject" value="send:statement" />
        <Field label="Account" error={errors.account}>
          <Select name="account" defaultValue="collection">
            <option value="collection">Paybill: what buyers pay, and reversals</option>
            <option value="payouts">Payout account: payouts, and refunds of parts</option>
          </Select>
        </Field>
        <Field label="CSV file" hint="Up to 2 MB, for any period." error={errors.file}>
          <FileField
            name="file"
            accept=".csv,text/csv,text/plain"
            accepted="CSV from the M-Pesa portal"
            sizeOf={(bytes) => `${Math.ceil(bytes / 1000).toLocaleString("en")} KB`}
          />
        </Field>
        <SubmitButton name="intent" value="send" busyLabel="Comparing..." wide={false}>
          Compare
        </SubmitButton>
      </Form>
    </section>
  );
}

function OneList({ list }: { list: ListRow }) {
  return (
    <Facts
      facts={[
        ["Account", ACCOUNTS[list.account]],
        ["From", formatDateTime(list.fromAt)],
        ["Until", formatDateTime(list.untilAt)],
        ["Equal", list.equal],
        ["Learned from it", list.learned > 0 && list.learned],
        ["Missing here", list.missingHere],
        ["Missing at M-Pesa", list.missingThere],
        ["Different", list.different],
        ["Charges and own transfers", list.ignored > 0 && list.ignored],
        ["Sent by", list.sender ?? (list.source === "pull" ? "Pulled from M-Pesa" : "an admin")],
        ["Compared", formatDateTime(list.createdAt)],
      ]}
    />
  );
}

function Lists({ lists }: { lists: ListRow[] }) {
  return (
    <table className="admin__table">
      <caption className="visually-hidden">The latest statements, and pulled lists that found something</caption>
      <thead>
        <tr>
          <th scope="col">Period</th>
          <th scope="col">Account</th>
          <th scope="col">Equal</th>
          <th scope="col">Not matched</th>
        </tr>
      </thead>
      <tbody>
        {lists.map((list) => (
          <tr key={list.id}>
            <td data-label="Period">
              <TextLink to={`?list=${list.id}`}>
                {`${formatDateTime(list.fromAt)} to ${formatDateTime(list.untilAt)}`}
              </TextLink>
            </td>
            <td data-label="Account">{`${ACCOUNTS[list.account]}, ${list.source === "pull" ? "pulled" : "sent"}`}</td>
            <td data-label="Equal">{list.equal}</td>
            <td data-label="Not matched">{list.missingHere + list.missingThere + list.different}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const FINDINGS: Record<LineFinding, string> = {
  missing_here: "We don't have it",
  missing_there: "M-Pesa doesn't list it",
  different: "It's different here",
};

const KINDS: Record<RecordKind, string> = { payment: "Payment", payout: "Payout", refund: "Refund" };

function Line({ line, answer }: { line: LineRow; answer: AdminFormAnswer | null }) {
  const isOpen = line.closedAt === null;
  const cents = line.listedCents ?? (line.recordedAmount ?? 0) * 100;
  return (
    <AdminRow
      head={
        <>
          <h2 className="admin__title numbers">{`${inKes(cents)} ${cents < 0 ? "out" : "in"}`}</h2>
          <StatusBadge tone={isOpen ? "red" : "green"}>
            {isOpen ? FINDINGS[line.finding] : line.resolution === null ? "Matched since" : "Dealt with"}
          </StatusBadge>
        </>
      }
    >
      <p className="small">{WHAT_TO_DO[line.finding](line)}</p>
      <Facts
        facts={[
          ["Receipt", line.receipt],
          ["At M-Pesa", line.listedCents !== null && inKes(line.listedCents)],
          ["Here", line.recordedAmount !== null && inKes(line.recordedAmount * 100)],
          ["Kind", line.recordKind ? KINDS[line.recordKind] : line.reason],
          ["Reference", line.reference],
          ["Time", formatDateTime(line.at)],
          ["What we know", (line.recordId !== null || line.possible.length > 0) && <Known key="known" line={line} />],
          ["Closed", line.closedAt && `${formatDateTime(line.closedAt)}${line.closer ? ` by ${line.closer}` : ""}`],
          ["What was done", line.resolution],
        ]}
      />
      {isOpen &&
        line.possible.map((payment) => (
          <AdminForm
            key={payment.id}
            subject={line.id}
            intent="accept-line"
            values={{ attempt: payment.id }}
            answer={answer}
            label={
              line.possible.length === 1 ? "Ask M-Pesa and Accept" : `Accept for Payment ${payment.id.slice(0, 8)}`
            }
          />
        ))}
      {isOpen && (
        <WordsForm
          opener="I've dealt with it"
          subject={line.id}
          intent="close-line"
          field="resolution"
          title="What did you find and do?"
          label="Close This Line"
          answer={answer}
        />
      )}
    </AdminRow>
  );
}

function Known({ line: { recordId, possible } }: { line: LineRow }) {
  return <TextLink to={`/admin/money/explain?q=${recordId ?? possible[0]?.id}`}>Explain it</TextLink>;
}

const WHAT_TO_DO: Record<LineFinding, (line: LineRow) => string> = {
  missing_here: ({ possible, listedCents }) => {
    if (possible.length > 0)
      return "It may be the payment below. Press once: we ask M-Pesa about the receipt, and it counts when M-Pesa confirms it.";
    return (listedCents ?? 0) < 0
      ? "Money left our account that no payout or refund of ours explains. Look for who sent it in the M-Pesa portal. If it was a payout sent by hand, enter its receipt at that payout, on the Money page."
      : "Somebody paid without one of our requests, or for something else. Send it back in the M-Pesa portal, or find out what it is for.";
  },
  missing_there: () =>
    "We count it as done, and M-Pesa's list of that time doesn't have it. Look for its receipt in the M-Pesa portal before anything else is paid from it.",
  different: ({ recordedAmount, listedCents }) =>
    (recordedAmount ?? 0) * 100 === listedCents
      ? "M-Pesa has completed it, and we don't count it as done, or count another receipt. Explain it, then decide about it on the Money page."
      : "The amounts differ. Find out which one is right in the M-Pesa portal.",
};

/** Hundredths of KES, without a sign. */
function inKes(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const part = Math.abs(cents) % 100;
  return `${formatKes(whole)}${part === 0 ? "" : `.${String(part).padStart(2, "0")}`}`;
}
