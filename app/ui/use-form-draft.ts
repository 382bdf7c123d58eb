import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { fillForm } from "./fill-control.ts";

/**
 * Keeps in the tab what is typed and chosen in a form until it has led to another screen. So neither Back nor a reload loses
 * it. For a form that somebody who is logged in sends once.
 */
export function useFormDraft(form: RefObject<HTMLFormElement | null>): void {
  const { pathname, search } = useLocation();
  const draft = `form-draft:${pathname + search}`;
  const { state, formMethod } = useNavigation();
  const isDone = useRef(false);

  useEffect(() => {
    const { current } = form;
    if (!current) return;
    const keep = () => writePrivate("tab", draft, filledIn(current));
    // Typed before this script came, or answered with the form: that stays.
    fillForm(current, { ...(readPrivate("tab", draft) as Record<string, string> | null), ...filledIn(current) });
    keep();
    current.addEventListener("input", keep);
    return () => current.removeEventListener("input", keep);
  }, [form, draft]);
  useEffect(() => {
    // The answer has come. Unless it has led away from this form, the form stays, and this becomes false again.
    isDone.current = state === "loading" && formMethod === "POST";
  }, [state, formMethod]);
  useLayoutEffect(() => () => void (isDone.current && writePrivate("tab", draft, null)), [draft]);
}

/** What a form holds, by name, without what is empty. */
function filledIn(form: HTMLFormElement): Record<string, string> {
  const values = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}
