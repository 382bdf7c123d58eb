import type { FormEvent } from "react";
import { Form } from "react-router";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { checkContact, CONTACT_MAX, type ContactErrors } from "./contact-rules.ts";
import type { ContactOrder } from "./contact.server.ts";

export interface ContactAnswer {
  errors: ContactErrors;
  /** For browsers without scripts. */
  typed: { email: string; text: string } | null;
}

interface ContactViewProps {
  formKey: string;
  /** Where our team answers; null for a visitor, who types it. */
  email: string | null;
  order: ContactOrder | null;
  /** The path of the page that it is about; null for another question. */
  about: string | null;
  answer: ContactAnswer | null;
}

/** A question to our team, which carries the order that it is about. */
export function ContactView({ formKey, email, order, about, answer }: ContactViewProps) {
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref);
  function checkFirst(event: FormEvent<HTMLFormElement>): void {
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "");
    const found = checkContact({ email: email === null ? text("email") : null, text: text("text") });
    if (Object.keys(found).length === 0) return;
    event.preventDefault();
    errors.show(found);
  }
  return (
    <div className="page page--form stack">
      <PageHeader
        title="Ask our team"
        lead={email === null ? "Our team answers by email." : `Our team answers to ${email}.`}
        back={{ to: "/help", label: "Help" }}
      />
      {order && (
        <Callout icon="package" title={`About order ${shortOrderId(order.id)}`}>
          <p>{order.items.join(", ")}</p>
        </Callout>
      )}
      {order && (
        <p className="quiet">
          Often quicker: <TextLink to="/help/not-arrived">It hasn't arrived</TextLink> ·{" "}
          <TextLink to="/help/problem">Something's wrong with it</TextLink> ·{" "}
          <TextLink to="/help/cancel">Cancel it</TextLink> · <TextLink to="/help/refunds">Money back</TextLink>
        </p>
      )}
      <Form method="post" className="stack" noValidate onSubmit={checkFirst} {...errors.form}>
        <FormKey value={formKey} />
        <input type="hidden" name="order" value={order?.id ?? ""} />
        <FormError error={errors.of("form")} />
        {email === null && (
          <Field label="Your email" error={errors.of("email")}>
            <TextField
              name="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              defaultValue={answer?.typed?.email}
              aria-required
            />
          </Field>
        )}
        <Field
          label="What do you need help with?"
          error={errors.of("text")}
          hint="Never write your M-Pesa PIN, password or handover code. We don't need them."
        >
          <TextArea
            name="text"
            rows={6}
            maxLength={CONTACT_MAX}
            defaultValue={answer?.typed?.text ?? (about === null ? undefined : `About ${about}:\n`)}
            aria-required
          />
        </Field>
        <SubmitButton busyLabel="Sending...">Send</SubmitButton>
      </Form>
    </div>
  );
}
