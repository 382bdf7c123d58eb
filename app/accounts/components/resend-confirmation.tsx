import { useEffect, useMemo } from "react";
import { useFetcher } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { toast } from "#app/ui/feedback/toast.ts";

/** The result of a resend on "Check Your Email". */
export interface ResendAnswer {
  ok: boolean;
  message: string;
}

interface ResendConfirmationProps {
  /** Null when it isn't known. Then the form asks for it. */
  email: string | null;
  /** Each new value also shows a toast with the button. */
  offer?: object;
  /** The last result, for browsers without scripts. */
  said?: ResendAnswer | null;
}

/** How long that toast stays, in ms. */
const OFFER_MS = 8000;

/** A button that sends the link again. It has a field for the email when the email isn't known. */
export function ResendConfirmation({ email, offer, said }: ResendConfirmationProps) {
  const fetcher = useFetcher<ResendAnswer>();
  const { data: answer, state } = fetcher;
  const last = answer ?? said;
  const errors = useFieldErrors(useMemo(() => (last?.ok === false ? { email: last.message } : null), [last]));
  const { ref: form } = errors.form;
  useEffect(() => {
    if (state !== "idle" || !answer) return;
    if (answer.ok) toast.success(answer.message);
    else toast.error(answer.message);
  }, [answer, state]);
  useEffect(() => {
    if (offer)
      toast.info("Didn't get the email?", {
        duration: OFFER_MS,
        action: { label: "Resend", onPress: () => form.current?.requestSubmit() },
      });
  }, [offer, form]);
  return (
    <fetcher.Form method="post" action="/auth/check-email" className="stack" noValidate {...errors.form}>
      {email === null ? (
        <Field label="Email" error={errors.of("email")}>
          <TextField name="email" type="email" inputMode="email" autoComplete="email" />
        </Field>
      ) : (
        <input type="hidden" name="email" value={email} />
      )}
      <Button type="submit" variant={email === null ? "solid" : "soft"} wide busy={state !== "idle"}>
        {state === "idle" ? "Resend Confirmation Email" : "Sending..."}
      </Button>
    </fetcher.Form>
  );
}
