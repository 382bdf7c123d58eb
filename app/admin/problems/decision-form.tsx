import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { ADMIN_TEXT_MAX, ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import type { DecisionAnswer } from "./problem-forms.ts";
import { SECOND_ADMIN_ABOVE } from "#app/moderation/second-admin/second-admin-rules.ts";
import { DECISIONS } from "./decision-rules.ts";
import { decisionEffects } from "./decision-texts.ts";
import type { ProblemDetails } from "./problems.server.ts";
import { DECISION_CODES } from "#app/db/states/deal.ts";
import { canSplit } from "#app/deals/deal-rules.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { formatKes } from "#app/ui/money.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";

interface DecisionFormProps {
  problem: ProblemDetails;
  viewerId: string;
  /** What this viewer decides, a second admin must confirm. */
  needsTwo: boolean;
  answer: DecisionAnswer | null;
}

/** Names the form in its answer. */
const SUBJECT = "decision";

/**
 * An admin's decision in two steps: what and why, then its exact effect on the money, to confirm. Above a limit, a
 * second admin confirms it on the same page.
 */
export function DecisionForm({ problem, viewerId, needsTwo, answer: last }: DecisionFormProps) {
  const answer = last?.subject === SUBJECT ? last : null;
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref, SUBJECT);
  const { item, proposal } = problem;
  const isTyping = answer !== null && !answer.confirm;
  // Another admin's proposal that came since is read first.
  const preview = answer?.confirm?.over === (proposal?.id ?? null) ? answer.confirm : undefined;
  const confirming = preview ?? (isTyping ? null : proposal);
  // Another admin's proposal that comes doesn't close the form over what is being typed.
  const [first] = useState(proposal?.id);
  const isOpen = !confirming || (confirming === proposal && proposal.id !== first && proposal.adminId !== viewerId);
  const choices = DECISION_CODES.filter((code) => code !== "split" || canSplit(item.subtotal)).map((value) => ({
    value,
    label: DECISIONS[value].label,
  }));
  const form = (
    <Form method="post" className="stack" noValidate preventScrollReset {...errors.form}>
      <input type="hidden" name="subject" value={SUBJECT} />
      <FormError error={errors.of("form")} />
      <RadioCards
        legend="Who gets the money?"
        name="decision"
        choices={choices}
        defaultValue={answer?.typed?.decision}
        onChange={() => errors.put("decision", null)}
        error={errors.of("decision")}
      />
      {canSplit(item.subtotal) && (
        <Field
          label="Part to refund"
          error={errors.of("amount")}
          hint={`Only for a part: how much of the price of ${formatKes(item.subtotal)} goes back to the buyer.${item.buyerFee > 0 ? " The same part of the service fee goes back, too." : ""}`}
        >
          <AmountField name="amount" defaultValue={answer?.typed?.amount ?? problem.problem?.offeredRefund ?? ""} />
        </Field>
      )}
      <Field label="Reasons" error={errors.of("reasons")} hint="The buyer and the seller both read this.">
        <TextArea
          name="reasons"
          rows={4}
          maxLength={ADMIN_TEXT_MAX}
          aria-required
          defaultValue={answer?.typed?.reasons}
        />
      </Field>
      <SubmitButton name="intent" value="preview" busyLabel="Checking...">
        See What Happens to the Money
      </SubmitButton>
    </Form>
  );
  return (
    <section className="card stack" aria-labelledby="decision">
      <h2 id="decision" className="admin__title">
        {confirming ? "Check your decision" : "Decide"}
      </h2>
      {confirming && (
        <Confirmation
          key={`${confirming.decision} ${confirming.amount}`}
          problem={problem}
          viewerId={viewerId}
          needsTwo={needsTwo}
          confirming={confirming}
          isNew={confirming !== proposal}
        />
      )}
      {/* The form keeps its place in the tree, and so what was typed. */}
      <details className="admin__more" open={isOpen}>
        <summary className="text-link" hidden={!confirming}>
          Change the decision
        </summary>
        {form}
      </details>
    </section>
  );
}

interface ConfirmationProps {
  problem: ProblemDetails;
  viewerId: string;
  needsTwo: boolean;
  confirming: Omit<NonNullable<DecisionAnswer["confirm"]>, "over">;
  /** The viewer has just entered it. */
  isNew: boolean;
}

function Confirmation({
  problem: { item, buyer, seller, proposal },
  viewerId,
  needsTwo,
  confirming: { decision, amount, reasons },
  isNew,
}: ConfirmationProps) {
  const effects = decisionEffects(decision, {
    price: item,
    part: amount,
    buyer: { name: buyer.fullName || "the buyer", phone: item.payerPhone },
    seller: { name: seller.fullName || "the seller", phone: item.sellerPhone },
  });
  const isTheirs = proposal?.decision === decision && proposal.amount === amount && proposal.adminId !== viewerId;
  const step = needsTwo && !isTheirs ? "propose" : "decide";
  const isWaiting = !isNew && step === "propose";
  const confirmation = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isNew) confirmation.current?.scrollIntoView({ block: "center" });
  }, [isNew]);
  return (
    <Form method="post" className="stack" preventScrollReset ref={confirmation}>
      {!isNew && proposal && (
        <p>
          {isWaiting
            ? `You decided this. More than ${formatKes(SECOND_ADMIN_ABOVE)} needs two of us: another admin must confirm it before any money moves.`
            : `${proposal.adminName} decided this. More than ${formatKes(SECOND_ADMIN_ABOVE)} needs two of us: read the case, then confirm or change it.`}
        </p>
      )}
      <Callout tone="orange" icon="wallet" title={DECISIONS[decision].label} role={isNew ? "alert" : undefined}>
        <ul className="stack stack--tight" role="list">
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </Callout>
      <p className="admin__quote">{reasons}</p>
      {!isWaiting && (
        <>
          {Object.entries({ subject: SUBJECT, decision, amount: String(amount), reasons }).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <p className="quiet small">{step === "propose" ? ADMIN_TEXTS.decision_second : ADMIN_TEXTS.decision_final}</p>
          <SubmitButton name="intent" value="decide" busyLabel={step === "propose" ? "Sending..." : "Deciding..."}>
            {step === "propose" ? "Send for Confirmation" : "Confirm the Decision"}
          </SubmitButton>
        </>
      )}
    </Form>
  );
}
