import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { onForget, PREFIX, viewerOnPage } from "#app/platform/private-storage.ts";
import { type Control, filledIn, fillForm, isChanged } from "./fill-control.ts";
import type { FormDraft } from "./form-drafts.ts";
import { forgetSent, isSent, noteChanged, noteSent } from "./sent-forms.ts";

/** By what tells a form from the others on its screen. */
type KeptForms = Record<string, FormDraft>;

/** A form with a draft keeps itself. */
const FORMS = ":is(main, dialog) form[method=post]:not([data-draft])";
/** The hidden fields that say what a form does, and with what. */
const MEANING = "input[type=hidden]:is([name=intent], [name=id], [name=itemId], [name=productId], [name=subject])";
/** A number of pieces is sent as soon as it changes. */
const SECRET_OR_SENT = "[type=password], [autocomplete*=password], [autocomplete=one-time-code], .stepper *";

/** In a form that was refused, or waits for its answer. */
const UNDONE = "[aria-invalid=true], [role=alert], [aria-busy=true]";

/** The fields that somebody has touched. */
const touched = new WeakSet<EventTarget>();
/** The forms on the page when what this browser keeps was removed. Their page may stay for a moment. */
const forgotten = new WeakSet<EventTarget>();

onForget(() => {
  for (const [, form] of namedForms()) forgotten.add(form);
});

/**
 * Keeps what is typed and chosen in the forms of a screen for its entry in the browser's history, as browsers do with
 * documents: Back, Forward, a reload and a restored tab show it again, and a link to the screen doesn't. A form that
 * was sent and not refused has done its work (sent-forms.ts). `useFormDraft` keeps more: until the form is sent. Part
 * of arrival.tsx.
 */
export function useKeptFields(): void {
  const { key, pathname, search } = useLocation();
  const { state, formMethod } = useNavigation();
  const entry = `kept-fields:${key}:${pathname}${search}`;
  const isFirst = useRef(true);

  useEffect(() => {
    // The first entry of each document has the same key.
    if (isFirst.current && isNewDocument()) keep(entry, null);
    isFirst.current = false;
    const kept = read(entry);
    for (const [name, form] of kept ? namedForms() : []) {
      // What was typed before this script came stays.
      fillForm(form, { ...kept?.[name], ...filledIn(form, isChanged) });
    }
    const keepNow = () => keep(entry, formsToKeep());
    addEventListener("pagehide", keepNow);
    document.addEventListener("visibilitychange", keepNow);
    return () => {
      removeEventListener("pagehide", keepNow);
      document.removeEventListener("visibilitychange", keepNow);
    };
  }, [entry]);
  useEffect(() => {
    // It leads to another screen, unless it is refused or gets no answer.
    if (state === "submitting") forgetSent();
    // Another screen is on its way, and this one is still there.
    if (state === "loading") keep(entry, formMethod === "POST" ? null : formsToKeep());
  }, [state, formMethod, entry]);
  useEffect(() => {
    document.addEventListener("input", noteInput);
    // Before React's own listeners, which may say that the form wasn't sent after all.
    document.addEventListener("submit", noteSubmit, true);
    return () => {
      document.removeEventListener("input", noteInput);
      document.removeEventListener("submit", noteSubmit, true);
    };
  }, []);
}

function noteInput({ target }: Event): void {
  const field = target as Control;
  touched.add(field);
  if (!field.form) return;
  noteChanged(field.form);
  forgotten.delete(field.form);
}

function noteSubmit({ target }: Event): void {
  if (target) noteSent(target);
}

/** Whether this document was opened by an address, and not by Back, Forward, a reload or a restored tab. */
function isNewDocument(): boolean {
  const [opened] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return opened?.type === "navigate";
}

function formsToKeep(): KeptForms | null {
  const isMeant = (field: Control) => !field.matches(SECRET_OR_SENT) && (touched.has(field) || isChanged(field));
  const filled = namedForms()
    .filter(([, form]) => !forgotten.has(form))
    .filter(([, form]) => !isSent(form) || form.querySelector(UNDONE))
    .map(([name, form]) => [name, filledIn(form, isMeant)] as const)
    .filter(([, draft]) => Object.keys(draft).length > 0);
  return filled.length > 0 ? Object.fromEntries(filled) : null;
}

function namedForms(): [name: string, form: HTMLFormElement][] {
  return [...document.querySelectorAll<HTMLFormElement>(FORMS)].map((form) => {
    const meaning = [...form.querySelectorAll<HTMLInputElement>(MEANING)].map(({ value }) => value);
    // The address for scripts (send-path.ts) comes only after hydration.
    const action = form.getAttribute("action")?.replace(/\/send$/, "");
    return [[action, ...meaning].join(" "), form];
  });
}

function read(entry: string): KeptForms | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(entry)) ?? "null") as KeptForms | null;
  } catch {
    return null;
  }
}

function keep(entry: string, forms: KeptForms | null): void {
  try {
    if (forms) sessionStorage.setItem(keyOf(entry), JSON.stringify(forms));
    else sessionStorage.removeItem(keyOf(entry));
  } catch {
    // Storage is full or forbidden.
  }
}

/** A visitor's are removed, like those of others, when somebody logs in (private-storage.ts). */
function keyOf(entry: string): string {
  return `${PREFIX}${viewerOnPage() ?? "visitor"}:${entry}`;
}
