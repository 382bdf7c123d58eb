/**
 * What a form holds besides what is typed into it, such as its photos. Its hidden fields carry `data-held`. Where a form is
 * kept over a login, these values are kept with it.
 */
import { type RefObject, useEffect, useRef } from "react";

interface HeldValue {
  /** The form, or a part of it. */
  at: RefObject<Element | null>;
  name: string;
  value: unknown;
  /** Filled in only where this field is; undefined: always. */
  field: string | undefined;
  /** Called with a value that was kept. The browser's storage may hold anything, so it must check the shape. */
  fill: (kept: unknown) => void;
}

const held = new Set<RefObject<HeldValue>>();

/** The form around `at` holds this value, which JSON can hold. */
export function useHeldValue(
  at: HeldValue["at"],
  name: string,
  value: HeldValue["value"],
  fill: HeldValue["fill"],
  field?: string,
): void {
  const own = useRef<HeldValue>({ at, name, value, fill, field });
  useEffect(() => {
    own.current = { at, name, value, fill, field };
  });
  useEffect(() => {
    held.add(own);
    return () => void held.delete(own);
  }, []);
}

/** The values that a form holds now. */
export function heldValues(form: HTMLFormElement): Omit<HeldValue, "at">[] {
  return [...held].map(({ current }) => current).filter(({ at }) => form.contains(at.current));
}
