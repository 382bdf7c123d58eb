import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useActionData, useLocation, useNavigation } from "react-router";
import { type Control, fillForm, isTick } from "./fill-control.ts";
import { type FormDraft, readFormDraft, writeFormDraft } from "./form-drafts.ts";

const FIELDS = "input:enabled:not([type=hidden], [type=file]), textarea:enabled, select:enabled";

/**
 * Keeps in the tab what is typed and chosen in a form, without its files, until it has been sent. So neither Back nor a
 * reload loses it. For a form that somebody who is logged in sends once. null: there is nothing to keep any more.
 * `name`: of one of several forms on its page.
 */
export function useFormDraft(form: RefObject<HTMLFormElement | null> | null, name?: string): void {
  const { pathname, search } = useLocation();
  const address = pathname + search + (name === undefined ? "" : `#${name}`);
  const { state, formMethod } = useNavigation();
  const isSent = useRef(false);
  const isAnswered = useRef(useActionData() !== undefined);

  useEffect(() => {
    if (!form) writeFormDraft(address, null);
    const current = form?.current;
    if (!current) return;
    const keep = () => writeFormDraft(address, filledIn(current));
    // What was typed before this script came stays, and so does a form that came with its answer.
    const typed = filledIn(current, isChanged);
    if (!isAnswered.current) fillForm(current, { ...readFormDraft(address), ...typed });
    if (isAnswered.current || Object.keys(typed).length > 0) keep();
    current.addEventListener("input", keep);
    return () => current.removeEventListener("input", keep);
  }, [form, address]);
  useEffect(() => {
    // The answer has come. Unless it has taken this form away, the form stays, and this becomes false again.
    isSent.current = state === "loading" && formMethod === "POST";
  }, [state, formMethod]);
  useLayoutEffect(() => () => void (form && isSent.current && writeFormDraft(address, null)), [form, address]);
}

/**
 * What a form holds in the fields that people fill in. A field that is empty counts too: it may have held something.
 */
function filledIn(form: HTMLFormElement, isMeant: (field: Control) => boolean = () => true): FormDraft {
  const draft: FormDraft = {};
  const data = new FormData(form);
  for (const element of form.elements) {
    const field = element as Control;
    if (field.matches(FIELDS) && isMeant(field)) draft[field.name] = data.getAll(field.name) as string[];
  }
  return draft;
}

/** Somebody, or the browser, has changed it since the page came. */
function isChanged(field: Control): boolean {
  if (isTick(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLSelectElement) return field.selectedIndex > 0 && !field.selectedOptions[0]?.defaultSelected;
  return field.value !== field.defaultValue;
}
