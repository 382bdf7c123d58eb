import type { ReactNode } from "react";
import {
  earliestStart,
  feesOf,
  type FeeRule,
  feeWords,
  FEE_MAX,
  FEE_NOTICE_DAYS,
  formatShare,
  takesNothing,
} from "#app/catalogue/fees/fee-rules.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { AddingForm } from "#app/team/components/adding-form.tsx";
import { AdminForm, type FieldText } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, More } from "#app/team/components/page-parts.tsx";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { DayChart } from "#app/ui/charts/day-chart.tsx";
import { formatDate, monthTitle } from "#app/ui/dates.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { formatKes, formatSigned } from "#app/ui/money.ts";
import { type IncomeMonth, totalsOf } from "./income-rules.ts";
import type { IncomePage } from "./income.server.ts";

interface IncomeViewProps extends IncomePage {
  answer: AdminFormAnswer | null;
}

/** What the platform takes and pays by month, and the service fee that its owners set. */
export function IncomeView({ months, current, coming, proposed, categories, counts, now, answer }: IncomeViewProps) {
  return (
    <AdminPage
      title="Income"
      lead="What the platform takes and pays by month, and the service fee. Only owners see this page."
      counts={counts}
    >
      <IncomeChart months={months} />
      <table className="admin__table admin__table--figures">
        <caption className="visually-hidden">Income and costs by month</caption>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((row) => (
            <MonthRow key={row.month} row={row} />
          ))}
        </tbody>
      </table>
      <p className="quiet small">
        M-Pesa sending is what M-Pesa takes for payouts, and for refunds to a number, by its tariff of 2025. You pay it;
        the smallest fee can cover it. What it takes for payments depends on your paybill's tariff: enter it with
        hosting and emails as other costs.
      </p>
      <p>
        <LinkButton to="/admin/income.csv" reloadDocument variant="soft">
          Download CSV
        </LinkButton>
      </p>
      <OtherCosts months={months} answer={answer} />
      <section className="stack" aria-labelledby="fees">
        <h2 id="fees">Service fee</h2>
        {current.every(takesNothing) && <p>No fee is taken. Sellers get the full price, and buyers pay no more.</p>}
        <ul className="admin__rows" role="list">
          {proposed.map((fee) => (
            <AdminRow
              key={fee.id}
              head={<h3 className="admin__title">{`Suggested by ${fee.isOwn ? "you" : fee.by}`}</h3>}
            >
              <FeeWords fee={fee} />
              <p>
                It begins on {formatDate(Math.max(fee.startsAt, earliestStart(fee, now)))}, after another owner has
                confirmed it.
              </p>
              <Answers
                suggested={fee}
                confirm={
                  <AdminForm subject={fee.id} intent="confirm-fee" answer={answer} label="Confirm" variant="solid" />
                }
                decline={
                  <AdminForm
                    subject={fee.id}
                    intent="decline-fee"
                    answer={answer}
                    label={fee.isOwn ? "Take Back" : "Decline"}
                  />
                }
              />
            </AdminRow>
          ))}
          {coming.map((fee) => (
            <AdminRow key={fee.id} head={<h3 className="admin__title">From {formatDate(fee.startsAt)}</h3>}>
              <FeeWords fee={fee} />
              <TakeBack fee={fee} answer={answer} />
            </AdminRow>
          ))}
          {current.map((fee) => (
            <AdminRow key={fee.id} head={<h3 className="admin__title">Now</h3>}>
              <FeeWords fee={fee} />
              {fee.category !== null && <ProposeAsOthers category={fee.category} now={now} answer={answer} />}
            </AdminRow>
          ))}
        </ul>
        <ProposeFee categories={categories} now={now} answer={answer} />
      </section>
    </AdminPage>
  );
}

interface AnswersProps {
  suggested: { isOwn: boolean; mayConfirm: boolean };
  confirm: ReactNode;
  decline: ReactNode;
}

/** What an owner can answer to what one of them has suggested. */
function Answers({ suggested, confirm, decline }: AnswersProps) {
  return (
    <div className="admin__actions">
      {suggested.mayConfirm && confirm}
      {!suggested.isOwn && !suggested.mayConfirm && (
        <p className="quiet">
          Nobody can confirm it within a week of becoming an owner, or of making an owner of whoever suggested it.
        </p>
      )}
      {decline}
    </div>
  );
}

/** Two owners have confirmed a fee, so two take it back. */
function TakeBack({
  fee: { id, takeBack },
  answer,
}: { fee: IncomePage["coming"][number] } & Pick<IncomeViewProps, "answer">) {
  if (!takeBack)
    return <AdminForm subject={id} intent="take-back-fee" answer={answer} label="Suggest Taking It Back" />;
  return (
    <>
      <p>
        {takeBack.isOwn ? "You suggest" : `${takeBack.by} suggests`} taking it back. It still begins, unless another
        owner confirms that.
      </p>
      <Answers
        suggested={takeBack}
        confirm={
          <AdminForm
            subject={id}
            intent="confirm-take-back"
            answer={answer}
            label="Confirm: Take Back"
            variant="solid"
          />
        }
        decline={<AdminForm subject={id} intent="keep-fee" answer={answer} label="Keep It" />}
      />
    </>
  );
}

/** Takes a category's own fee off. */
function ProposeAsOthers({
  category,
  now,
  answer,
}: { category: string } & Pick<IncomePage, "now"> & Pick<IncomeViewProps, "answer">) {
  return (
    <AdminForm
      subject={category}
      intent="propose-as-others"
      answer={answer}
      opener="Take its own fee off"
      label="Suggest"
    >
      {(error, typed) => <FirstDay now={now} error={error} typed={typed} hint={AS_OTHERS} />}
    </AdminForm>
  );
}

const AS_OTHERS = `Then it has the fee of categories without their own. At least ${FEE_NOTICE_DAYS} days ahead.`;

/** From when a fee that is suggested holds. */
function FirstDay({
  now,
  hint,
  error,
  typed,
}: { hint: string; error: FieldText; typed: FieldText } & Pick<IncomePage, "now">) {
  const earliest = earliestStart({ share: 1, smallest: 0, largest: 1, asOthers: false }, now);
  return (
    <Field label="From" hint={hint} error={error("startsOn")}>
      <TextField name="startsOn" type="date" defaultValue={typed("startsOn") ?? dayName(earliest)} />
    </Field>
  );
}

const COLUMNS = ["Month", "Service fees", "Plans", "M-Pesa sending", "Other costs", "Left"];

function MonthRow({ row }: { row: IncomeMonth }) {
  const { month, fees, plans, sending, entered } = row;
  const { income, costs } = totalsOf(row);
  const [, ...heads] = COLUMNS;
  const cells = [
    formatKes(fees),
    formatKes(plans),
    formatKes(sending),
    entered === null ? "Not entered" : formatKes(entered),
    formatSigned(income - costs),
  ];
  return (
    <tr>
      <th scope="row">{monthTitle(month)}</th>
      {cells.map((cell, at) => (
        <td key={heads[at]} data-label={heads[at]}>
          {cell}
        </td>
      ))}
    </tr>
  );
}

function IncomeChart({ months }: Pick<IncomePage, "months">) {
  const oldestFirst = months.toReversed();
  const sum = (part: "income" | "costs") => months.reduce((total, row) => total + totalsOf(row)[part], 0);
  return (
    <DayChart
      title="Income by month, KES"
      days={oldestFirst.map((row, at) => ({ day: at, value: totalsOf(row).income, before: totalsOf(row).costs }))}
      label={`In ${months.length} months ${formatKes(sum("income"))} came in, and ${formatKes(sum("costs"))} went out.`}
      write={formatKes}
      words={{
        nameOf: (at) => monthTitle(oldestFirst[at]?.month ?? months[0]?.month ?? ""),
        last: "This month",
        bars: "Fees and plans",
        line: "Costs",
      }}
    />
  );
}

function OtherCosts({ months, answer }: Pick<IncomePage, "months"> & Pick<IncomeViewProps, "answer">) {
  return (
    <More label="Enter what a month cost" open={answer?.subject?.startsWith("set-cost:") ?? false}>
      <h2>Other costs</h2>
      <ul className="admin__rows" role="list">
        {months.slice(0, 3).map(({ month, entered }) => (
          <AdminRow key={month} head={<h3 className="admin__title">{monthTitle(month)}</h3>}>
            <AdminForm
              // After a change, the form starts with what is saved.
              key={String(entered)}
              subject={month}
              intent="set-cost"
              answer={answer}
              values={{ seen: entered === null ? "" : String(entered) }}
              label="Save"
            >
              {(error, typed) => (
                <Field label="Other costs, KES" hint="The paybill, hosting, emails." error={error("amount")}>
                  <AmountField name="amount" defaultValue={typed("amount") ?? entered ?? ""} />
                </Field>
              )}
            </AdminForm>
          </AdminRow>
        ))}
      </ul>
    </More>
  );
}

/** KES. */
const EXAMPLES = [200, 1_000, 5_000, 20_000];

/** A fee in words, and what it comes to. */
function FeeWords({ fee }: { fee: FeeRule & { asOthers: boolean; categoryName: string | null } }) {
  const of = fee.categoryName ?? "Categories without their own fee";
  if (fee.asOthers) return <p>{of}: the same as categories without their own fee.</p>;
  if (takesNothing(fee)) return <p>{of}: none.</p>;
  return (
    <>
      <p>
        {of}: {feeWords(fee)}, paid by the {fee.payer}.
      </p>
      <p className="quiet small">
        {EXAMPLES.map((price) => {
          const { buyerFee, sellerFee } = feesOf(fee, price);
          return `${formatKes(price)}: ${formatKes(buyerFee + sellerFee)}`;
        }).join(" · ")}
      </p>
    </>
  );
}

function ProposeFee({
  categories,
  now,
  answer,
}: Pick<IncomePage, "categories" | "now"> & Pick<IncomeViewProps, "answer">) {
  return (
    <AddingForm
      subject="new"
      intent="propose-fee"
      answer={answer}
      opener="Suggest a fee"
      label="Suggest"
      variant="solid"
    >
      {(error, typed) => (
        <>
          <Field label="For" error={error("category")}>
            <Select name="category" defaultValue={typed("category") ?? ""}>
              <option value="">Categories without their own fee</option>
              {categories.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <RadioCards
            legend="Who pays it?"
            name="payer"
            beside
            defaultValue={typed("payer") ?? "seller"}
            error={error("payer")}
            choices={[
              { value: "seller", label: "The seller", detail: "Out of the price" },
              { value: "buyer", label: "The buyer", detail: "On top of the price" },
            ]}
          />
          <Field
            label="Share of the price, percent"
            hint={`Up to ${formatShare(FEE_MAX.share)}.`}
            error={error("share")}
          >
            <TextField
              name="share"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={typed("share")}
              aria-required
            />
          </Field>
          <Field label="At least, KES" error={error("smallest")}>
            <AmountField name="smallest" defaultValue={typed("smallest") ?? "0"} aria-required />
          </Field>
          <Field label="At most, KES" hint="0 for no fee." error={error("largest")}>
            <AmountField name="largest" defaultValue={typed("largest") ?? ""} aria-required />
          </Field>
          <FirstDay
            now={now}
            error={error}
            typed={typed}
            hint={`At least ${FEE_NOTICE_DAYS} days ahead, so that sellers read it before. To take no fee, choose tomorrow or later. Orders keep the fee that they were placed with.`}
          />
        </>
      )}
    </AddingForm>
  );
}
