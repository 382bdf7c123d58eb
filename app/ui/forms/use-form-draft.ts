import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useActionData, useLocation, useNavigation } from "react-router";
import { viewerOnPage } from "#app/platform/private-storage.ts";
import { filledIn, fillForm, isChanged } from "./fill-control.ts";
import { readFormDraft, writeFormDraft } from "./form-drafts.ts";

/** Where somebody is led who can't send the form now. From there the way leads back to it. */
const BEFORE_SENDING: ReadonlySet<string> = new Set(["/auth", "/auth/confirm", "/complete-profile"]);

/**
 * Keeps in the tab what is typed and chosen in a form, without its files, until it has been sent. So neither Back nor a
 * reload loses it. For a form that somebody who is logged in sends once; `usePhotoDraft` beside it keeps uploaded
 * photos. null: there is nothing to keep any more.
 * `name`: of one of several forms on its page.
 */
export function useFormDraft(form: RefObject<HTMLFormElement | null> | null, name?: string): void {
  const address = useDraftAddress(name);
  const { state, formMethod, location: next } = useNavigation();
  const isTaken = state === "loading" && formMethod === "POST" && !BEFORE_SENDING.has(next.pathname);
  const isSent = useRef(false);
  const isAnswered = useRef(useActionData() !== undefined);

  useEffect(() => {
    if (!form) writeFormDraft(address, null);
    const current = form?.current;
    if (!current) return;
    // A visitor has no drafts.
    if (viewerOnPage()) current.setAttribute("data-draft", "");
    const keep = () => writeFormDraft(address, { ...readFormDraft(address), ...filledIn(current) });
    // What was typed before this script came stays, and so does a form that came with its answer.
    const typed = filledIn(current, isChanged);
    if (!isAnswered.current) fillForm(current, { ...readFormDraft(address), ...typed });
    if (isAnswered.current || Object.keys(typed).length > 0) keep();
    current.addEventListener("input", keep);
    return () => current.removeEventListener("input", keep);
  }, [form, address]);
  useEffect(() => {
    // The answer has come. Unless it has taken this form away, the form stays, and this becomes false again.
    isSent.current = isTaken;
  }, [isTaken]);
  useLayoutEffect(() => () => void (form && isSent.current && writeFormDraft(address, null)), [form, address]);
}

/** Where a form's draft is kept. */
export function useDraftAddress(name?: string): string {
  const { pathname, search } = useLocation();
  return pathname + search + (name === undefined ? "" : `#${name}`);
}
