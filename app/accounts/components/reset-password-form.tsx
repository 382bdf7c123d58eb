import { Form } from "react-router";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "#app/accounts/login/account-rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { PasswordField } from "#app/ui/forms/form-fields.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";

/** Asks for a new password, and for consent if somebody else is logged in here. The form carries the link's token. */
export function ResetPasswordForm({
  token,
  signedInAs,
  errors: answered,
}: {
  token: string;
  /** The email of another user who is logged in here; null when there is none. */
  signedInAs: string | null;
  errors: Partial<Record<string, string>> | null;
}) {
  const errors = useFieldErrors(answered);
  return (
    <Form method="post" className="stack" noValidate {...errors.form}>
      <input type="hidden" name="token" value={token} />
      {signedInAs !== null && (
        <Callout tone="orange" icon="circle-alert">
          You're logged in as <strong className="verification__email">{signedInAs}</strong>. If you continue, you'll be
          logged in with the other account instead.
          <input type="hidden" name="switches" value="yes" />
        </Callout>
      )}
      <Field label="New password" error={errors.of("password")} hint={`At least ${PASSWORD_MIN_LENGTH} characters.`}>
        <PasswordField name="password" autoComplete="new-password" maxLength={PASSWORD_MAX_LENGTH} aria-required />
      </Field>
      <SubmitButton busyLabel="Saving Password...">Save Password</SubmitButton>
      {signedInAs !== null && (
        <LinkButton to="/home" variant="soft" wide>
          Stay Logged In
        </LinkButton>
      )}
    </Form>
  );
}
