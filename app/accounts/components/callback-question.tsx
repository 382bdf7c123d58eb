import type { CallbackQuestion } from "#app/accounts/login/sign-up-rules.ts";
import { PASSWORD_MAX_LENGTH } from "#app/accounts/login/account-rules.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { PasswordField } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

/** Why a confirmation link asks a question first. */
export function QuestionLead({ question }: { question: CallbackQuestion }) {
  const whose = <strong className="verification__email">{question.email}</strong>;
  if (!question.password) return <>You're about to continue as {whose}.</>;
  return <>You signed up in a different browser. Enter your password for {whose} to continue.</>;
}

/**
 * The questions for the person who opens the link, as part of the form that sends its token. `error` is shown at the
 * password.
 */
export function CallbackQuestionFields({
  question,
  signedInAs,
  error,
}: {
  question: CallbackQuestion;
  signedInAs: string | null;
  error: string | undefined;
}) {
  return (
    <>
      {question.switches && (
        <Callout tone="orange" icon="circle-alert">
          {signedInAs === null ? (
            "Someone else is logged in here."
          ) : (
            <>
              You're logged in as <strong className="verification__email">{signedInAs}</strong>.
            </>
          )}{" "}
          Continue as {question.email}?
          <input type="hidden" name="switches" value="yes" />
        </Callout>
      )}
      {question.password && (
        <Field label="Password" error={error}>
          <PasswordField
            name="password"
            autoComplete="current-password"
            maxLength={PASSWORD_MAX_LENGTH}
            aria-required
          />
        </Field>
      )}
      <SubmitButton name="intent" value="confirm" busyLabel="Verifying account...">
        {question.password ? "Confirm My Email" : "Continue"}
      </SubmitButton>
      {question.switches && (
        <LinkButton to="/home" variant="soft" wide>
          Stay Logged In
        </LinkButton>
      )}
      {question.password && (
        <div className="callback-ways">
          <Button type="submit" name="intent" value="forgot" variant="ghost">
            Forgot password? Email me a reset link
          </Button>
          <Button type="submit" name="intent" value="disown" variant="ghost">
            This wasn't me
          </Button>
        </div>
      )}
    </>
  );
}
