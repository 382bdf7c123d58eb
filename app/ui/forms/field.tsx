import { useId, type ReactNode } from "react";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { ControlContext } from "./control.ts";

interface FieldProps {
  label: ReactNode;
  /** The form library's id, so that its focus on the first error finds the control. */
  id?: string;
  hint?: ReactNode;
  /** The first one is shown. */
  error?: string | string[] | null;
  /** Says "(optional)" after the label. */
  optional?: boolean;
  /** Its `data-tour`, by which the guided tour finds it. */
  tour?: string;
  /** The control, which takes its attributes with `useControl`. */
  children: ReactNode;
}

/** Label, control, hint and error, connected for assistive technology. */
export function Field({ label, id, hint, error, optional, tour, children }: FieldProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const message = Array.isArray(error) ? error[0] : error;
  const described = [message && errorId, hint && hintId].filter(Boolean).join(" ");
  return (
    <div className="field" data-tour={tour}>
      <label className="field__label" htmlFor={controlId}>
        {label}
        {optional && <span className="field__optional"> (optional)</span>}
      </label>
      <ControlContext
        value={{
          id: controlId,
          "aria-invalid": message ? true : undefined,
          // Where scripts don't focus the first error, the browser does.
          autoFocus: message ? true : undefined,
          "aria-describedby": described || undefined,
        }}
      >
        {children}
      </ControlContext>
      {message && <FieldError id={errorId} message={message} />}
      {hint && (
        <p className="field__hint" id={hintId}>
          {withWholeAmounts(hint)}
        </p>
      )}
    </div>
  );
}

/** The error at a control that isn't in a Field. */
export function FieldError({ id, message }: { id?: string; message: string }) {
  return (
    <p className="field__error" id={id}>
      <Icon name="circle-alert" size="small" />
      <span>{withWholeAmounts(message)}</span>
    </p>
  );
}
