import { divideMoney, earnedFor, type ItemPrice, paidFor } from "#app/orders/item-price-rules.ts";
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import { canSplit, type DealRole, nextItemStatus, refusePart } from "#app/deals/deal-rules.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { ProblemAnswer } from "#app/deals/problems/problem-forms.ts";
import type { ReportedProblem } from "#app/deals/problems/problem-page.server.ts";
import { PROBLEM_NOTE_MAX } from "#app/deals/problems/problem-rules.ts";
import { offerShares, PROBLEM_TEXTS } from "#app/deals/problems/problem-texts.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { readAmount, unclearText } from "#app/platform/number-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { formatKes } from "#app/ui/money.ts";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { ConfirmForm } from "./confirm-form.tsx";

interface ProblemAnswersProps {
  role: DealRole;
  status: ItemStatus;
  price: ItemPrice;
  problem: ReportedProblem;
  answer: ProblemAnswer | null;
}

/** What this side can do now about a reported problem; nothing when it is the other side's turn or all is settled. */
export function ProblemAnswers(props: ProblemAnswersProps) {
  const { role, answer } = props;
  const { key } = useLocation();
  const [typed, setTyped] = useState({ key, note: "" });
  const refused = answer?.intent === "report" ? null : answer;
  const actions = role === "buyer" ? buyerActions(props) : sellerActions(props);
  if (actions.length === 0) {
    // The other side, our team or the clock may act while somebody writes.
    const unsent = (typed.key === key && typed.note.trim()) || refused?.values?.note;
    return unsent || refused?.errors.form ? (
      <Callout tone="orange" role="alert" title={PROBLEM_TEXTS.stale}>
        {unsent && `You can still send what you wrote as a message: “${unsent}”`}
      </Callout>
    ) : null;
  }
  const failed = refused && !["offer", "contest"].includes(refused.intent) ? refused.errors.form : undefined;
  return (
    <section
      className="card stack"
      aria-labelledby="answer"
      onInput={({ target }) => target instanceof HTMLTextAreaElement && setTyped({ key, note: target.value })}
    >
      <h2 id="answer">What do you want to do?</h2>
      {failed && (
        <Callout tone="red" role="alert">
          {failed}
        </Callout>
      )}
      {actions}
    </section>
  );
}

function buyerActions({ status, price, problem, answer }: ProblemAnswersProps): ReactNode[] {
  const offered = divideMoney(price, problem.offeredRefund ?? 0);
  return [
    nextItemStatus(status, "part_accepted") && (
      <ConfirmForm
        key="accept"
        intent="accept"
        label={`Accept ${formatKes(offered.buyer)} Back`}
        busyLabel="Accepting..."
        title={`Accept ${formatKes(offered.buyer)} back?`}
        description={`You get ${formatKes(offered.buyer)} back and the seller gets ${formatKes(offered.seller)}. This can't be undone.`}
        confirmLabel="Yes, Accept"
      />
    ),
    nextItemStatus(status, "problem_withdrawn") && (
      <ConfirmForm
        key="withdraw"
        intent="withdraw"
        label="It's sorted"
        busyLabel="Saving..."
        variant="soft"
        title="Is the problem sorted?"
        description={
          price.subtotal > 0
            ? `You take back everything that you reported about it. We then pay the seller ${formatKes(earnedFor(price))}, and you can't report a problem again.`
            : "You can't report a problem again after this."
        }
        confirmLabel="Yes, It's Sorted"
      />
    ),
    nextItemStatus(status, "review_requested") && <ReviewForm key="review" answer={answer} />,
  ].filter(Boolean);
}

function sellerActions({ status, price, answer }: ProblemAnswersProps): ReactNode[] {
  return [
    nextItemStatus(status, "part_offered") && canSplit(price.subtotal) && (
      <OfferForm key="offer" price={price} answer={answer} />
    ),
    nextItemStatus(status, "refunded_by_seller") && (
      <ConfirmForm
        key="refund"
        intent="refund"
        busyLabel="Saving..."
        variant="soft"
        danger
        {...(price.subtotal > 0
          ? {
              label: `Refund All ${formatKes(paidFor(price))}`,
              title: "Refund the buyer in full?",
              description: `The buyer gets ${formatKes(paidFor(price))} back, and you get nothing for this sale. This can't be undone.`,
              confirmLabel: "Yes, Refund",
            }
          : {
              label: "Agree with the Buyer",
              title: "Agree with the buyer?",
              description: "It was free, so no money moves. This can't be undone.",
              confirmLabel: "Yes, Agree",
            })}
      />
    ),
    nextItemStatus(status, "problem_contested") && (
      <ContestForm key="contest" isFree={price.subtotal === 0} answer={answer} />
    ),
  ].filter(Boolean);
}

/** The seller offers a part, and sees at once what each side would get. */
function OfferForm({ price, answer }: { price: ItemPrice; answer: ProblemAnswer | null }) {
  const own = answer?.intent === "offer" ? answer : null;
  const errors = useFieldErrors(own?.errors);
  useFormDraft(errors.form.ref, "offer");
  const [amount, setAmount] = useState(own?.values?.amount ?? "");
  const reading = readAmount(amount);
  const part = reading.ok ? reading.value : 0;
  const refusal = unclearText(amount, reading) ?? refusePart(part, price.subtotal);
  const shares = refusal === null ? offerShares(part, price) : null;
  return (
    <ConfirmForm
      intent="offer"
      fields={errors.form}
      label="Offer This Part"
      busyLabel="Sending..."
      check={() => {
        if (refusal !== null) errors.show({ amount: refusal });
        return refusal === null;
      }}
      title={`Give back ${formatKes(part)}?`}
      description={`${shares} You can't change the offer afterwards, but you can still refund everything.`}
      confirmLabel="Send Offer"
    >
      <FormError error={errors.of("form")} />
      <Field
        label="How much will you give back?"
        error={errors.of("amount")}
        hint={shares ?? `The buyer paid ${formatKes(paidFor(price))}.`}
      >
        <AmountField
          name="amount"
          aria-required
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
      </Field>
      <NoteField label="Message to the buyer" value={own?.values?.note} error={errors.of("note")} />
    </ConfirmForm>
  );
}

function ReviewForm({ answer }: { answer: ProblemAnswer | null }) {
  const own = answer?.intent === "review" ? answer : null;
  const errors = useFieldErrors(own?.errors);
  useFormDraft(errors.form.ref, "review");
  return (
    <ConfirmForm
      intent="review"
      fields={errors.form}
      label="Ask Our Team to Decide"
      busyLabel="Asking..."
      variant="soft"
      title="Ask our team to decide?"
      description="We read what you both wrote and decide. After that you can't accept an offer any more."
      confirmLabel="Yes, Ask"
    >
      <NoteField label="What should our team know?" value={own?.values?.note} error={errors.of("note")} />
    </ConfirmForm>
  );
}

/** The seller says why they don't agree. */
function ContestForm({ isFree, answer }: { isFree: boolean; answer: ProblemAnswer | null }) {
  const own = answer?.intent === "contest" ? answer : null;
  const errors = useFieldErrors(own?.errors);
  useFormDraft(errors.form.ref, "contest");
  return (
    <ConfirmForm
      intent="contest"
      fields={errors.form}
      label="Ask Our Team to Decide"
      busyLabel="Asking..."
      variant="soft"
      check={() => {
        const note = new FormData(errors.form.ref.current ?? undefined).get("note");
        const said = String(note ?? "").trim() !== "";
        if (!said) errors.show({ note: PROBLEM_TEXTS.say_why });
        return said;
      }}
      title="Ask our team to decide?"
      description={`We read what you both wrote and decide. After that you can't ${isFree ? "agree with the buyer" : "refund the buyer or make an offer"} any more.`}
      confirmLabel="Yes, Ask"
    >
      <FormError error={errors.of("form")} />
      <Field
        label="You don't agree? Say why."
        error={errors.of("note")}
        hint="The buyer and our team read this. You can send photos in your messages with the buyer."
      >
        <TextArea name="note" rows={3} maxLength={PROBLEM_NOTE_MAX} defaultValue={own?.values?.note} aria-required />
      </Field>
    </ConfirmForm>
  );
}

function NoteField({ label, value, error }: { label: string; value?: string; error?: string }) {
  return (
    <Field label={label} optional error={error} hint="Both of you and our team can read this.">
      <TextArea name="note" rows={2} maxLength={PROBLEM_NOTE_MAX} defaultValue={value} />
    </Field>
  );
}
