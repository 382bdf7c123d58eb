import { Callout } from "#app/ui/feedback/callout.tsx";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { PasswordField } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

interface SignInFormProps {
  /** The error of the last attempt, shown above the fields. */
  error: string | null;
  /** Orange means that the password was right, but something else is missing. */
  tone: "red" | "orange";
  email: string | null;
  /** The default of "Keep me logged in". */
  keep: boolean;
}

/** Email, password, and whether to stay logged in. */
export function SignInForm({ error, tone, email, keep }: SignInFormProps) {
  return (
    <>
      {error && (
        <Callout tone={tone} icon="circle-alert" role="alert">
          {error}
        </Callout>
      )}
      <Field label="Email">
        <TextField
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          defaultValue={email ?? undefined}
          required
        />
      </Field>
      <Field label="Password">
        <PasswordField name="password" autoComplete="current-password" required />
      </Field>
      <div className="row row--apart">
        <Checkbox id="keep" name="keep" value="yes" defaultChecked={keep}>
          Keep me logged in on this device
        </Checkbox>
        <TextLink to="/auth/forgot">Forgot password?</TextLink>
      </div>
      <SubmitButton busyLabel="Logging in...">Login</SubmitButton>
    </>
  );
}
