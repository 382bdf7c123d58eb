import { Callout } from "#app/ui/callout.tsx";
import { Field } from "#app/ui/field.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { PasswordField, TextField } from "#app/ui/text-field.tsx";

/** E-mail and password; the message of the last try stands above them. */
export function SignInForm({ error, email }: { error: string | null; email: string | null }) {
  return (
    <>
      {error && (
        <Callout tone="red" role="alert">
          {error}
        </Callout>
      )}
      <Field label="Email">{(control) => <TextField {...control} name="email" type="email" autoComplete="username" inputMode="email" defaultValue={email ?? undefined} required />}</Field>
      <Field label="Password">{(control) => <PasswordField {...control} name="password" autoComplete="current-password" required />}</Field>
      <p className="field__aside">
        <TextLink to="/auth/forgot">Forgot password?</TextLink>
      </p>
      <SubmitButton busyLabel="Logging in...">Login</SubmitButton>
    </>
  );
}
