import { Callout } from "#app/ui/callout.tsx";
import { Field } from "#app/ui/field.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { PasswordField } from "#app/ui/form-fields.tsx";
import { TextField } from "#app/ui/text-field.tsx";

interface SignInFormProps {
  /** What the last try came to; stands above the fields. */
  error: string | null;
  /** Orange warns: the password was right, and something else is missing. */
  tone: "red" | "orange";
  email: string | null;
}

/** E-mail and password. */
export function SignInForm({ error, tone, email }: SignInFormProps) {
  return (
    <>
      {error && (
        <Callout tone={tone} icon="circle-alert" role="alert">
          {error}
        </Callout>
      )}
      <Field label="Email">
        {(control) => (
          <TextField
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            defaultValue={email ?? undefined}
            required
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => <PasswordField {...control} name="password" autoComplete="current-password" required />}
      </Field>
      <p className="field__aside">
        <TextLink to="/auth/forgot">Forgot password?</TextLink>
      </p>
      <SubmitButton busyLabel="Logging in...">Login</SubmitButton>
    </>
  );
}
