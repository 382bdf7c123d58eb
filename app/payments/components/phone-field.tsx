import type { FormEvent, ReactNode } from "react";
import { groupPhone } from "#app/accounts/profile/phone.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

/** Groups the digits only while typing at the end, because elsewhere it would move the cursor. */
function group({ currentTarget: field }: FormEvent<HTMLInputElement>): void {
  if (field.selectionStart === field.value.length) field.value = groupPhone(field.value);
}

interface PhoneFieldProps {
  value: string;
  error?: string;
  /** While the payment is in progress or complete. */
  locked: boolean;
  /** Below the field. */
  children?: ReactNode;
}

/** The M-Pesa phone that pays. */
export function PhoneField({ value, error, locked, children }: PhoneFieldProps) {
  return (
    <section className="stack" aria-labelledby="pay">
      <h2 id="pay">Pay with M-Pesa</h2>
      <Field label="M-Pesa phone number" id="phone" error={error} hint="We'll send the M-Pesa prompt to this phone">
        <TextField
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          icon="smartphone"
          maxLength={40}
          defaultValue={value}
          disabled={locked}
          onInput={group}
        />
      </Field>
      {children}
    </section>
  );
}
