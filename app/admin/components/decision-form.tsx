import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { ADMIN_TEXT_MAX, ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import type { DecisionAnswer } from "#app/admin/admin-forms.ts";
import { DECISION_CODES, DECISIONS } from "#app/admin/decision-rules.ts";
import { decisionEffects } from "#app/admin/decision-texts.ts";
import type { ProblemCase } from "#app/admin/problems.server.ts";
import { canSplit } from "#app/orders/deal-rules.ts";
import { Callout } from "#app/ui/callout.tsx";
import { RadioCards } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { TextArea } from "#app/ui/form-fields.tsx";
import { formatKes } from "#app/ui/money.ts";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { useFieldErrors } from "#app/ui/use-field-errors.ts";
import { More } from "./page-parts.tsx";

interface DecisionFormProps {
  problem: ProblemCase;
  answer: DecisionAnswer | null;
}

/** An admin's decision in two steps: what and why, then its exact effect on the money, to confirm. */
export function DecisionForm({ problem, answer }: DecisionFormProps) {
  const errors = useFieldErrors(answer?.errors);
  const { item } = problem;
  const confirming = answer?.confirm ?? null;
  const choices = DECISION_CODES.filter((code) => code !== "split" || canSplit(item.subtotal)).map((value) => ({
    value,
    label: DECISIONS[value].label,
  }));
  const form = (
    <Form
      key={confirming ? "change" : "new"}
      method="post"
      className="stack"
      noValidate
      preventScrollReset
      {...errors.form}
    >
      {errors.of("form") && (
        <Callout tone="red" role="alert">
          {errors.of("form")}
        </Callout>
      )}
      <RadioCards
        legend="Who gets the money?"
        name="decision"
        choices={choices}
        defaultValue={answer?.values.decision}
        onChange={() => errors.put("decision", null)}
        error={errors.of("decision")}
      />
      {canSplit(item.subtotal) && (
        <Field
          label="Part to refund"
          error={errors.of("amount")}
          hint={`Only for a part: how much of ${formatKes(item.subtotal)} goes back to the buyer.`}
        >
          {(control) => (
            <TextField
              {...control}
              name="amount"
              prefix="KES"
              inputMode="numeric"
              autoComplete="off"
              maxLength={12}
              defaultValue={answer?.values.amount ?? problem.problem?.offeredRefund ?? ""}
            />
          )}
        </Field>
      )}
      <Field label="Reasons" error={errors.of("reasons")} hint="The buyer and the seller both read this.">
        {(control) => (
          <TextArea
            {...control}
            name="reasons"
            rows={4}
            maxLength={ADMIN_TEXT_MAX}
            aria-required
            defaultValue={answer?.values.reasons}
          />
        )}
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
      {confirming ? (
        <>
          <Confirmation key={`${confirming.decision} ${confirming.amount}`} problem={problem} confirming={confirming} />
          <More label="Change the decision">{form}</More>
        </>
      ) : (
        form
      )}
    </section>
  );
}

function Confirmation({
  problem: { item, buyer, seller },
  confirming,
}: {
  problem: ProblemCase;
  confirming: NonNullable<DecisionAnswer["confirm"]>;
}) {
  const effects = decisionEffects(confirming.decision, {
    subtotal: item.subtotal,
    part: confirming.amount,
    buyer: { name: buyer.fullName || "the buyer", phone: item.payerPhone },
    seller: { name: seller.fullName || "the seller", phone: item.sellerPhone },
  });
  const confirmation = useRef<HTMLFormElement>(null);
  useEffect(() => {
    confirmation.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <Form method="post" className="stack" preventScrollReset ref={confirmation}>
      <Callout tone="orange" icon="wallet" title={DECISIONS[confirming.decision].label} role="status">
        <ul className="stack stack--tight" role="list">
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </Callout>
      <p className="admin__quote">{confirming.reasons}</p>
      {Object.entries({ ...confirming, amount: String(confirming.amount) }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p className="quiet small">{ADMIN_TEXTS.decision_final}</p>
      <SubmitButton name="intent" value="decide" busyLabel="Deciding...">
        Confirm the Decision
      </SubmitButton>
    </Form>
  );
}
