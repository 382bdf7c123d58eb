import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { fillForm } from "./fill-control.ts";

/** What the tab keeps of a form until it is sent: the texts and choices, by the name of their field. */
type FormDraft = Record<string, string[]>;

/**
 * Keeps in the tab what is typed and chosen in a form, without its files, until it has been sent. So neither Back nor a
 * reload loses it. For a form that somebody who is logged in sends once. Without a form, nothing is kept.
 */
export function useFormDraft(form: RefObject<HTMLFormElement | null> | null): void {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const { state, formMethod } = useNavigation();
  const isSent = useRef(false);

  useEffect(() => {
    const current = form?.current;
    if (!current) return;
    const keep = () => writeFormDraft(address, filledIn(current));
    // Typed before this script came, or answered with the form: that stays.
    fillForm(current, { ...readFormDraft(address), ...filledIn(current) });
    keep();
    current.addEventListener("input", keep);
    return () => current.removeEventListener("input", keep);
  }, [form, address]);
  useEffect(() => {
    // The answer has come. Unless it has taken this form away, the form stays, and this becomes false again.
    isSent.current = state === "loading" && formMethod === "POST";
  }, [state, formMethod]);
  useLayoutEffect(() => () => void (form && isSent.current && writeFormDraft(address, null)), [form, address]);
}

/** What a form holds, without what is empty. */
function filledIn(form: HTMLFormElement): FormDraft {
  const draft: FormDraft = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === "string" && value !== "") (draft[name] ??= []).push(value);
  return draft;
}

/** `address`: the path and query of the form's page. */
function readFormDraft(address: string): FormDraft | null {
  return readPrivate("tab", nameOf(address)) as FormDraft | null;
}

/** null removes it. */
function writeFormDraft(address: string, draft: FormDraft | null): void {
  writePrivate("tab", nameOf(address), draft);
}

function nameOf(address: string): string {
  return `form-fields:${address}`;
}
