import { Form } from "react-router";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "#app/accounts/rules.ts";
import { Field } from "#app/ui/field.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { PasswordField } from "#app/ui/form-fields.tsx";
import { useFieldErrors } from "#app/ui/use-field-errors.ts";

/** Chooses a new password; the link's token is sent along. */
export function ResetPasswordForm({
  token,
  errors: answered,
}: {
  token: string;
  errors: Partial<Record<string, string>> | null;
}) {
  const errors = useFieldErrors(answered);
  return (
    <Form method="post" className="stack" noValidate {...errors.form}>
      <input type="hidden" name="token" value={token} />
      <Field label="New password" error={errors.of("password")} hint={`At least ${PASSWORD_MIN_LENGTH} characters.`}>
        {(control) => (
          <PasswordField
            {...control}
            name="password"
            autoComplete="new-password"
            maxLength={PASSWORD_MAX_LENGTH}
            aria-required
          />
        )}
      </Field>
      <SubmitButton busyLabel="Saving Password...">Save Password</SubmitButton>
    </Form>
  );
}
