import { Form } from "react-router";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";

/** Asks for the email that the link goes to. */
export function ForgotPasswordForm({ errors: answered }: { errors: Partial<Record<string, string>> | null }) {
  const errors = useFieldErrors(answered);
  return (
    <Form method="post" className="stack" noValidate {...errors.form}>
      <Field label="Email" error={errors.of("email")}>
        <TextField name="email" type="email" inputMode="email" autoComplete="username" aria-required />
      </Field>
      <SubmitButton busyLabel="Sending...">Send the Link</SubmitButton>
    </Form>
  );
}
