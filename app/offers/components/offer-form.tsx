import "./offers.css";
import { useRef } from "react";
import { Form } from "react-router";
import type { OfferPage } from "#app/offers/make-offer.server.ts";
import { OFFER_NOTE_MAX, quickAmounts } from "#app/offers/offer-rules.ts";
import { OFFER_TEXTS } from "#app/offers/offer-texts.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { announce } from "#app/ui/feedback/announce.ts";
import { fillControl } from "#app/ui/forms/fill-control.ts";
import { formatKes } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";

export type OfferErrors = Partial<Record<"amount" | "note" | "form", string>>;

/** Why the offer wasn't made, and what was typed, for browsers without scripts. */
export interface OfferAnswer {
  errors: OfferErrors;
  typed: { amount: string; note: string } | null;
  /** KES. What the seller can't accept. */
  tooLow?: number;
  /** The listing has changed to this `products.revision`. Who presses again has been told to read it. */
  revision?: number;
}

interface OfferFormProps {
  page: OfferPage;
  /** What such a thing usually goes for, in words; null where nobody knows. */
  guide: string | null;
  /** `products.revision` as the buyer has read it. */
  seen: number;
  /** A repeated press makes one offer. */
  formKey: string;
  answer: OfferAnswer | null;
}

/** The form of an offer: an amount with quick choices, and an optional message. */
export function OfferForm({ page, guide, seen, formKey, answer }: OfferFormProps) {
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref);
  const field = useRef<HTMLInputElement>(null);
  const choices = quickAmounts(page.price, answer?.tooLow);
  const revision = answer?.revision ?? seen;
  function choose(price: number) {
    if (!field.current) return;
    fillControl(field.current, String(price));
    announce(formatKes(price));
  }
  return (
    <>
      <PageHeader
        title="Make an Offer"
        lead={`${page.name} costs ${formatKes(page.price)}.${page.obstacle ? "" : " Say what you'd pay for one."}`}
        back={{ to: `/product/${page.productId}`, label: "Back to the product" }}
      />
      {page.obstacle ? (
        <>
          <Callout>{OFFER_TEXTS[page.obstacle]}</Callout>
          {page.obstacle === "active" && (
            <LinkButton to={`/profile?tab=messages&with=${page.sellerId}`}>Open My Offer</LinkButton>
          )}
        </>
      ) : (
        <Form method="post" className="stack" noValidate {...errors.form}>
          <FormKey value={formKey} />
          <input type="hidden" name="revision" value={revision} />
          <FormError error={errors.of("form")} />
          {answer?.revision !== undefined && (
            <p>
              <TextLink to={`/product/${page.productId}`}>Read it again</TextLink>
            </p>
          )}
          {guide && <p className="quiet small">{withWholeAmounts(guide)}</p>}
          {page.feeText && <p className="quiet small">{withWholeAmounts(page.feeText)}</p>}
          <Field
            label="Your price"
            error={errors.of("amount")}
            hint="The seller has 48 hours to answer. If they accept, you have 24 hours to pay, and we keep one for you."
          >
            <AmountField name="amount" ref={field} defaultValue={answer?.typed?.amount ?? ""} aria-required />
          </Field>
          {choices.length > 0 && (
            <div className="offer-choices scripted">
              {choices.map((choice) => (
                <button key={choice.percent} type="button" className="chip" onClick={() => choose(choice.amount)}>
                  {choice.percent}% off: {formatKes(choice.amount)}
                </button>
              ))}
            </div>
          )}
          <Field label="Message to the seller" error={errors.of("note")} optional>
            <TextArea name="note" rows={2} maxLength={OFFER_NOTE_MAX} defaultValue={answer?.typed?.note ?? ""} />
          </Field>
          <SubmitButton busyLabel="Sending...">Send Offer</SubmitButton>
        </Form>
      )}
    </>
  );
}
