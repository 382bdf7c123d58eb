import type { ReactNode } from "react";
import { Form } from "react-router";
import {
  CHOICE_GROUPS,
  type Choices,
  isOn,
  OFFERED,
  OFFERED_CHOICES,
  QUIET_AT_FIRST,
  type SettingsForm,
  writeClock,
  writeQuiet,
} from "#app/notifications/settings-rules.ts";
import type { QuietHours } from "#app/notifications/delivery-rules.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { type FieldErrors, useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";

/** Why the form was refused, with what was sent: without scripts the fields show it again. */
export interface SettingsAnswer {
  errors: { form?: string; from?: string; until?: string };
  sent: SettingsForm | null;
}

interface NotificationSettingsViewProps {
  choices: Choices;
  quiet: QuietHours | null;
  answer: SettingsAnswer | null;
  /** The devices that get push. */
  devices: ReactNode;
}

const WAYS_APART = { columnGap: "var(--space-6)" };
const WAY_LABELS = { push: "Push", email: "Email" } as const;

/** What reaches somebody besides the list of notifications, by which way, and when push is quiet. */
export function NotificationSettingsView({ choices, quiet, answer, devices }: NotificationSettingsViewProps) {
  const errors = useFieldErrors(answer?.errors);
  const opened = OFFERED_CHOICES.filter((choice) => isOn(choices, choice));
  const hours = quiet ?? QUIET_AT_FIRST;
  const shown: SettingsForm = answer?.sent ?? {
    ticked: opened,
    opened,
    isQuiet: quiet !== null,
    from: writeClock(hours.from),
    until: writeClock(hours.until),
    openedQuiet: writeQuiet(quiet),
  };
  return (
    <div className="page page--reading stack stack--loose">
      <PageHeader
        title="Notification Settings"
        lead="Everything is listed under Notifications in Chuoni. Choose what also comes by push or email."
        back={{ to: "/profile?tab=settings", label: "Settings" }}
      />
      <section className="stack" aria-labelledby="devices">
        <div>
          <h2 id="devices">Devices</h2>
          <p className="quiet small">
            They show push notifications while Chuoni is closed. A locked screen never shows a phone number, a code or
            an amount. On a device that you use they take the place of emails about messages, offers and listings.
          </p>
        </div>
        {devices}
      </section>
      {/* What was changed elsewhere makes it a new form, because its boxes are compared with what they were. */}
      <Form
        key={JSON.stringify([opened, quiet])}
        method="post"
        action="/settings/notifications"
        className="stack stack--loose"
        {...errors.form}
      >
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="opened" value={shown.opened.join(" ")} />
        <input type="hidden" name="openedQuiet" value={shown.openedQuiet ?? writeQuiet(quiet)} />
        <FormError error={errors.of("form")} />
        {OFFERED.map(({ group, ways }) => (
          <fieldset key={group} className="field">
            <legend className="field__label">{CHOICE_GROUPS[group].title}</legend>
            <p className="quiet small">{CHOICE_GROUPS[group].lead}</p>
            <div className="row" style={WAYS_APART}>
              {ways.map((way) => (
                <Checkbox
                  key={way}
                  id={`${group}-${way}`}
                  name="choice"
                  value={`${group}.${way}`}
                  defaultChecked={shown.ticked.includes(`${group}.${way}`)}
                >
                  {WAY_LABELS[way]}
                </Checkbox>
              ))}
            </div>
          </fieldset>
        ))}
        <section className="stack stack--tight" aria-labelledby="always-on">
          <h2 id="always-on">Always on</h2>
          <p>
            Payments, payouts and refunds, your password and email, and what our team decides: we always tell you, by
            push and email.
          </p>
        </section>
        <QuietHoursFields shown={shown} errors={errors} />
        <SubmitButton busyLabel="Saving...">Save</SubmitButton>
      </Form>
    </div>
  );
}

function QuietHoursFields({ shown, errors }: { shown: SettingsForm; errors: FieldErrors }) {
  return (
    <section className="stack" aria-labelledby="quiet-hours">
      <div>
        <h2 id="quiet-hours">Quiet hours</h2>
        <p className="quiet small">
          Push waits until they end, except for a meeting that begins soon. Emails still come: they don't wake you.
          Kenyan time.
        </p>
      </div>
      <Checkbox id="quiet" name="quiet" defaultChecked={shown.isQuiet}>
        No push between these times
      </Checkbox>
      <div className="row">
        <Field label="From" error={errors.of("from")}>
          <TextField type="time" name="from" defaultValue={shown.from} />
        </Field>
        <Field label="Until" error={errors.of("until")}>
          <TextField type="time" name="until" defaultValue={shown.until} />
        </Field>
      </div>
    </section>
  );
}
