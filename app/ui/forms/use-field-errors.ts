import { useEffect, useMemo, useRef, useState, type FormEvent, type RefObject } from "react";

type Errors = Partial<Record<string, string>>;

export interface FieldErrors {
  /** The error of the field with this name. */
  of(name: string): string | undefined;
  /** Whether a field has an error whose name fits. */
  some(fits: (name: string) => boolean): boolean;
  /** Replaces the errors with those found before sending, and focuses the first. */
  show(errors: Errors): void;
  /** Sets or removes one field's error, for controls that aren't edited by typing. */
  put(name: string, error: string | null): void;
  /** Attributes for the form. */
  form: { ref: RefObject<HTMLFormElement | null>; onInput: (event: FormEvent<HTMLFormElement>) => void };
}

/**
 * The errors of a form's fields. `answered` holds the server's errors by field name; a new object is a new answer. An
 * error disappears when its field is edited. After each new answer, the first field with an error gets the focus, or,
 * if there is none, the message scrolls into view.
 */
export function useFieldErrors(answered: Errors | null | undefined): FieldErrors {
  const arrived = useMemo(() => ({ answered, errors: answered ?? {}, fresh: true }), [answered]);
  const [changed, setChanged] = useState(arrived);
  // Changes belong to one answer. If the answer were copied into state, React would replay earlier typing on top of an
  // answer that comes at once, and lose it.
  const current = (last: typeof arrived) => (last.answered === answered ? last : arrived);
  const shown = current(changed);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (!shown.fresh) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    for (let part = field?.closest("details"); part; part = part.parentElement?.closest("details")) part.open = true;
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
    some: (fits) => Object.keys(shown.errors).some((name) => shown.errors[name] !== undefined && fits(name)),
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
