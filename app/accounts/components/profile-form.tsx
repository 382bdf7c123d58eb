import { type FormEvent, useState } from "react";
import { Form } from "react-router";
import { MAX_LENGTHS } from "#app/accounts/login/account-rules.ts";
import { readProfileForm } from "#app/accounts/login/sign-up-fields.ts";
import {
  checkProfileForm,
  type ProfileErrors,
  profileTexts,
  type ProfileValues,
} from "#app/accounts/login/sign-up-rules.ts";
import { OPENED, writeOpened } from "#app/platform/edit-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { Agreement } from "./agreement.tsx";
import { CampusField } from "./campus-field.tsx";

interface ProfileFormProps {
  values: ProfileValues;
  campuses: readonly { id: number; name: string }[];
  /** Wholesalers are sellers already, so they aren't asked. */
  asksSeller: boolean;
  answer: { errors: ProfileErrors; error: string | null } | null;
}

/** Asks for the name, phone and campus, and whether they want to sell. */
export function ProfileForm({ values, campuses, asksSeller, answer }: ProfileFormProps) {
  const errors = useFieldErrors(answer?.errors);
  // When the page reloads its data, the fields stay, so this stays, too.
  const [openedWith] = useState(() => writeOpened(profileTexts(values)));

  function checkFirst(event: FormEvent<HTMLFormElement>): void {
    const found = checkProfileForm(readProfileForm(new FormData(event.currentTarget)));
    if (Object.keys(found).length === 0) return;
    event.preventDefault();
    errors.show(found);
  }
  return (
    <Form method="post" replace className="stack" noValidate onSubmit={checkFirst} {...errors.form}>
      <input type="hidden" name={OPENED} value={openedWith} />
      {answer?.error && (
        <Callout tone="red" role="alert">
          {answer.error}
        </Callout>
      )}
      <Field label="Full name" error={errors.of("fullName")}>
        <TextField
          name="fullName"
          autoComplete="name"
          defaultValue={values.fullName}
          maxLength={MAX_LENGTHS.fullName}
          aria-required
        />
      </Field>
      <Field label="Phone" error={errors.of("phone")} hint="For M-Pesa, such as 0712 345 678." optional>
        <TextField
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          defaultValue={values.phone}
          maxLength={MAX_LENGTHS.phone}
        />
      </Field>
      <CampusField campuses={campuses} error={errors.of("campusLocation")} defaultValue={values.campusLocation} />
      {asksSeller && (
        <Checkbox id="is-seller" name="isSeller" value="yes" defaultChecked={values.isSeller}>
          Register as a Seller
        </Checkbox>
      )}
      <Agreement by="completing your profile" />
      <SubmitButton busyLabel="Saving Profile...">Complete Profile</SubmitButton>
    </Form>
  );
}
