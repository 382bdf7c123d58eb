import { useEffect, useMemo, useRef, useState, type FormEvent, type RefObject } from "react";

type Errors = Partial<Record<string, string>>;

interface FieldErrors {
  /** What stands beside the field of this name. */
  of(name: string): string | undefined;
  /** Shows errors found before sending in place of the others, and focuses the first. */
  show(errors: Errors): void;
  /** Sets one field's error, or takes it away: for controls that are not edited by typing. */
  put(name: string, error: string | null): void;
  /** Spread onto the form. */
  form: { ref: RefObject<HTMLFormElement | null>; onInput: (event: FormEvent<HTMLFormElement>) => void };
}

/**
 * The errors beside a form's fields: `answered` holds what the server said by field name, a new object being a new answer. An
 * error goes when its field is edited; with each new set the first field in error gets the focus, and where it is none's the message
 * is brought into view.
 */
export function useFieldErrors(answered: Errors | null | undefined): FieldErrors {
  const arrived = useMemo(() => ({ answered, errors: answered ?? {}, fresh: true }), [answered]);
  const [changed, setChanged] = useState(arrived);
  // Changes hold for the answer they were made to. Adopted into state, an answer that comes at once would be lost: React replays
  // what had been typed before it on top of it.
  const current = (last: typeof arrived) => (last.answered === answered ? last : arrived);
  const shown = current(changed);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (!shown.fresh) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: "center" });
  }, [shown]);

  function put(name: string, error: string | null): void {
    setChanged((last) => {
      const { errors } = current(last);
      return errors[name] === (error ?? undefined)
        ? last
        : { answered, errors: { ...errors, [name]: error ?? undefined }, fresh: false };
    });
  }
  return {
    of: (name) => shown.errors[name],
    show: (errors) => setChanged({ answered, errors, fresh: true }),
    put,
    form: {
      ref: form,
      onInput: ({ target }) => {
        if (
          target instanceof HTMLInputElement ||
          target instanceof HTMLTextAreaElement ||
          target instanceof HTMLSelectElement
        )
          put(target.name, null);
      },
    },
  };
}
