import { type ReactNode, useRef, useState } from "react";
import { Form } from "react-router";
import type { ButtonProps } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/layers/dialog.tsx";
import { ConfirmTick } from "#app/ui/forms/confirm-tick.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import type { FieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useSubmitConfirmation } from "#app/ui/forms/use-submit-confirmation.ts";

interface ConfirmFormProps extends Pick<ButtonProps, "variant" | "danger"> {
  intent: string;
  label: string;
  busyLabel: string;
  /** The question of the dialog, and what happens then. */
  title: string;
  description: string;
  confirmLabel: string;
  /** Shows what is wrong with the form before it asks. Returns whether it may ask. */
  check?: () => boolean;
  /** Of a form that shows errors (`useFieldErrors`). */
  fields?: FieldErrors["form"];
  children?: ReactNode;
}

/** A form that asks before it is sent, because it can't be undone. */
export function ConfirmForm({
  intent,
  label,
  busyLabel,
  title,
  description,
  confirmLabel,
  check,
  danger,
  variant,
  fields,
  children,
}: ConfirmFormProps) {
  const [asking, setAsking] = useState(false);
  const ownRef = useRef<HTMLFormElement>(null);
  const form = fields?.ref ?? ownRef;
  const { onSubmit, confirm } = useSubmitConfirmation(form, () => setAsking(check?.() ?? true));
  return (
    <>
      <Form
        method="post"
        ref={form}
        className="stack stack--tight"
        onInput={fields?.onInput}
        onSubmit={onSubmit}
        preventScrollReset
      >
        {children}
        <ConfirmTick title={title} description={description} />
        <input type="hidden" name="intent" value={intent} />
        <SubmitButton danger={danger} variant={variant} busyLabel={busyLabel}>
          {label}
        </SubmitButton>
      </Form>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={title}
        description={description}
        confirmLabel={confirmLabel}
        cancelLabel="Not Yet"
        onConfirm={confirm}
      />
    </>
  );
}
