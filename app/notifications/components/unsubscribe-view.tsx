import { Form } from "react-router";
import { CHOICE_GROUPS, type ChoiceGroup } from "#app/notifications/settings-rules.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

interface UnsubscribeViewProps {
  group: ChoiceGroup;
  /** Whether they get these emails now; null where the account is deleted. */
  choice: { on: boolean } | null;
  /** Why the form changed nothing; null where it did, or wasn't sent. */
  error: string | null;
}

/** Turns the emails of one group off, or on again. It names nobody, because an email may be passed on. */
export function UnsubscribeView({ group, choice, error }: UnsubscribeViewProps) {
  const { about } = CHOICE_GROUPS[group];
  if (!choice)
    return (
      <>
        <h1>You get no emails from us</h1>
        <p>This account was deleted.</p>
      </>
    );
  return (
    <Form method="post" className="stack">
      <h1>{choice.on ? `Stop emails about ${about}?` : `You get no emails about ${about}`}</h1>
      <p>
        {choice.on
          ? "You still find everything in Chuoni. We still email you about your money and your account."
          : "You still find everything in Chuoni."}
      </p>
      <FormError error={error ?? undefined} />
      <input type="hidden" name="emails" value={choice.on ? "off" : "on"} />
      <SubmitButton busyLabel="Saving..." variant={choice.on ? "solid" : "soft"}>
        {choice.on ? "Stop These Emails" : "Turn On Again"}
      </SubmitButton>
      <p>
        <TextLink to="/settings/notifications">All notification settings</TextLink>
      </p>
    </Form>
  );
}
