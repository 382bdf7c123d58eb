import { viewerOnPage } from "#app/platform/private-storage.ts";
import { type Control, fillControl, isTick } from "./fill-control.ts";
import { identifiesForm } from "./form-identity.ts";
import { heldValues } from "./held-values.ts";
import { initialValues, KEPT_FORM, KEPT_MESSAGES } from "./kept-form.ts";
import { toast } from "./toast.ts";

interface KeptForm {
  viewerId: string;
  /** When it was sent, in ms since 1970. */
  at: number;
  /** The address of the screen that it was on. */
  screen: string;
  /** What identifies the form: see `factsOf`. */
  facts: string;
  /** Where it is sent. A form in a dialog has a page of its own there, to which the login leads. */
  page: string;
  /** What its fields held. A name can come several times. */
  fields: [name: string, value: string][];
  /** The names of those that somebody changed. The others may have newer values by now. */
  changed: string[];
  /** What the form holds besides, by name. */
  held: Record<string, unknown>;
}

/** The messages that somebody couldn't send because the session had ended. */
export interface KeptMessages<Message> {
  viewerId: string;
  /** When they are forgotten, in ms since 1970. */
  until: number;
  messages: readonly Message[];
}

/** A form is forgotten after this time, in ms. So are messages. */
const LIFE_MS = 30 * 60_000;
/** Long enough to see the message after a login, and to read it, in ms. */
const TOAST_MS = 8_000;
/** How often and how long we look for the form. Parts of a screen load after it. */
const ATTEMPTS = 10;
const PAUSE_MS = 300;
/** What people don't type, or what we never keep. */
const NOT_TYPED = new Set(["hidden", "password", "file", "submit", "button", "reset", "image"]);
const SECRET = /password|code|token/i;

/** Whether `restore` looks for the form now. */
let looking = false;

const logouts = typeof BroadcastChannel === "function" ? new BroadcastChannel(KEPT_FORM) : null;
logouts?.addEventListener("message", forgetAll);

/** Removes the kept form and the kept messages of every tab. */
export function forgetEverywhere(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  logouts?.postMessage(null);
  forgetAll();
}

/** Keeps for this tab the messages that the person on this page couldn't send, instead of those that were kept before. */
export function keepMessages(messages: readonly unknown[]): void {
  const viewerId = viewerOnPage();
  if (!viewerId) return;
  const kept: KeptMessages<unknown> = { viewerId, until: Date.now() + LIFE_MS, messages };
  if (messages.length === 0) sessionStorage.removeItem(KEPT_MESSAGES);
  else sessionStorage.setItem(KEPT_MESSAGES, JSON.stringify(kept));
}

/** Keeps for this tab what the form holds. If it was sent, only if the request to `url` came from it. */
export function keep(form: HTMLFormElement, url?: string): void {
  forget();
  const viewerId = viewerOnPage();
  const action = new URL(form.getAttribute("action") ?? "", location.href);
  if (!viewerId || !form.isConnected || (url && action.pathname !== new URL(url).pathname)) return;
  const changed = [...changedIn(form)];
  if (changed.length === 0) return;
  const fields = typedIn(form)
    .filter((control) => !isTick(control) || control.checked)
    .map(({ name, value }): [string, string] => [name, value]);
  const held = Object.fromEntries(heldValues(form).map(({ name, value }) => [name, value]));
  const place = { screen: screenNow(), page: action.pathname };
  const kept: KeptForm = { viewerId, at: Date.now(), ...place, facts: factsOf(form), fields, changed, held };
  sessionStorage.setItem(KEPT_FORM, JSON.stringify(kept));
}

/**
 * On the first screen after a login, fills in the kept form if it is the same person, screen and form, and says so. Whether
 * it is found or not, nothing is kept afterwards, so that it can't appear somewhere else later.
 */
export async function restore(): Promise<void> {
  forgetMessagesOfOthers();
  if (looking) return;
  const kept = read<KeptForm>(KEPT_FORM);
  if (!kept || Date.now() - kept.at > LIFE_MS) return forget();
  // On the login, nobody is logged in.
  if (!viewerOnPage()) return;
  looking = true;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (viewerOnPage() !== kept.viewerId || !isAt(kept) || !read(KEPT_FORM)) return;
      const forms = [...document.forms].filter((form) => isSame(form, kept));
      if (forms.length > 0) {
        const [form] = forms;
        if (form && forms.length === 1) {
          fill(form, kept);
          toast.info("We kept what you typed. Check it and send it again.", { duration: TOAST_MS });
        }
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    looking = false;
    forget();
  }
}

function read<Kept>(name: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

function forget(): void {
  sessionStorage.removeItem(KEPT_FORM);
}

function forgetAll(): void {
  forget();
  sessionStorage.removeItem(KEPT_MESSAGES);
}

function forgetMessagesOfOthers(): void {
  const kept = read<KeptMessages<unknown>>(KEPT_MESSAGES);
  const viewer = viewerOnPage();
  if (kept && viewer && (kept.viewerId !== viewer || Date.now() > kept.until)) sessionStorage.removeItem(KEPT_MESSAGES);
}

function screenNow(): string {
  return location.pathname + location.search;
}

function isAt({ screen, page }: KeptForm): boolean {
  return screenNow() === screen || location.pathname === page;
}

/** What identifies the form (form-identity.ts). */
function factsOf(form: HTMLFormElement): string {
  const fixed = controlsOf(form).filter(
    ({ name, type, dataset }) =>
      (type === "submit" || (type === "hidden" && identifiesForm({ name, isHeld: dataset.held !== undefined }))) &&
      !SECRET.test(name),
  );
  return JSON.stringify([form.getAttribute("action"), ...fixed.map(({ name, value }) => [name, value])]);
}

function isSame(form: HTMLFormElement, { facts, fields }: KeptForm): boolean {
  return (
    !form.closest("dialog:not([open])") &&
    factsOf(form) === facts &&
    typedIn(form).every((control) => isTick(control) || fields.some(([name]) => name === control.name))
  );
}

/** Fills in the fields that were changed, except those that somebody has typed in since. React gets the same events as from typing. */
function fill(form: HTMLFormElement, { fields, changed, held }: KeptForm): void {
  const since = changedIn(form);
  const names = new Set(changed.filter((name) => !since.has(name)));
  const left = [...fields];
  for (const { name, field, fill: fillIn } of heldValues(form)) {
    if (name in held && (field === undefined || names.has(field))) fillIn(held[name]);
  }
  for (const control of typedIn(form)) {
    let wanted: string | boolean | undefined;
    if (isTick(control)) wanted = fields.some(([name, value]) => name === control.name && value === control.value);
    else {
      const at = left.findIndex(([name]) => name === control.name);
      wanted = at < 0 ? undefined : left.splice(at, 1)[0]?.[1];
    }
    if (wanted !== undefined && names.has(control.name)) fillControl(control, wanted);
  }
}

/** The names of the fields that somebody has changed, also before the scripts came. */
function changedIn(form: HTMLFormElement): Set<string> {
  const now = new FormData(form);
  const first = initialValues.get(form) ?? now;
  const differs = (name: string) => JSON.stringify(first.getAll(name)) !== JSON.stringify(now.getAll(name));
  const controls = typedIn(form);
  const held = heldValues(form).flatMap(({ field }) => field ?? []);
  return new Set([
    ...[...controls.map(({ name }) => name), ...held].filter(differs),
    ...controls.filter(isChanged).map(({ name }) => name),
  ]);
}

/** Whether a control holds something else than what the page gave it. */
function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(({ defaultSelected, selected }) => defaultSelected && !selected);
  if (isTick(control)) return control.checked !== control.defaultChecked;
  // Browsers and servers write line breaks differently.
  return control.value !== control.defaultValue.replaceAll("\r\n", "\n");
}

/** The controls that people type and choose in, without those for files, passwords and codes. */
function typedIn(form: HTMLFormElement): Control[] {
  return controlsOf(form).filter(
    (control): control is Control =>
      !(control instanceof HTMLButtonElement) &&
      !control.disabled &&
      !NOT_TYPED.has(control.type) &&
      !SECRET.test(control.name + control.autocomplete),
  );
}

function controlsOf(form: HTMLFormElement): (Control | HTMLButtonElement)[] {
  const elements: unknown[] = [...form.elements];
  return elements.filter(
    (element): element is Control | HTMLButtonElement =>
      (element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLButtonElement) &&
      element.name !== "",
  );
}
