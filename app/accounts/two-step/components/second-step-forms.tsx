import type { ReactNode } from "react";
import { Form } from "react-router";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import type { StepOffer } from "#app/accounts/two-step/step-form.server.ts";
import { CODE_FIELD_LENGTH } from "#app/ui/forms/code-field.ts";
import { askPasskey } from "./passkey-browser.ts";
import { PasskeyButton } from "./passkey-button.tsx";

interface SecondStepFormsProps {
  offer: StepOffer;
  /** Of the last try. A new object is a new answer. */
  errors: Partial<Record<string, string>> | undefined;
  /** The label of the button. */
  label: string;
  /** Hidden fields to send along. */
  children?: ReactNode;
}

/** The passkey, or a code. Each has a form of its own, so that neither sends the other. */
export function SecondStepForms({ offer, errors: answered, label, children }: SecondStepFormsProps) {
  const errors = useFieldErrors(answered);
  const { passkey, app } = offer;
  return (
    <>
      {passkey && (
        <Form method="post" replace className="stack">
          {children}
          <PasskeyButton name="confirm-passkey" ask={() => askPasskey(passkey)}>
            Use a Passkey
          </PasskeyButton>
        </Form>
      )}
      <Form method="post" replace className="stack" noValidate {...errors.form}>
        {children}
        <Field
          label={app ? "Code" : "Recovery code"}
          error={errors.of("confirm-code")}
          hint={
            app
              ? "The 6 digits that your authenticator app shows now. Lost it? Enter a recovery code."
              : "If you can't use your passkey, enter one of your recovery codes."
          }
        >
          <TextField
            name="confirm-code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="text"
            maxLength={CODE_FIELD_LENGTH}
            aria-required
          />
        </Field>
        <SubmitButton busyLabel="Checking..." variant={passkey ? "soft" : "solid"}>
          {label}
        </SubmitButton>
      </Form>
    </>
  );
}
