import { type FormEvent, type RefObject, useRef } from "react";
import { noteNotSent } from "./sent-forms.ts";

/**
 * Stops a form's first submission so that a dialog can ask. `confirm` then sends the form for good. Without scripts the
 * form is sent at once.
 */
export function useSubmitConfirmation(
  form: RefObject<HTMLFormElement | null>,
  ask: (event: FormEvent<HTMLFormElement>) => void,
): { onSubmit: (event: FormEvent<HTMLFormElement>) => void; confirm: () => void } {
  const confirmed = useRef(false);
  return {
    onSubmit(event) {
      if (confirmed.current) {
        confirmed.current = false;
        return;
      }
      event.preventDefault();
      noteNotSent(event.currentTarget);
      ask(event);
    },
    confirm() {
      confirmed.current = true;
      form.current?.requestSubmit();
    },
  };
}
