import { viewerOnPage } from "#app/platform/private-storage.ts";
import { type Control, fillControl, isTick } from "./fill-control.ts";
import { isFact } from "./form-facts.ts";
import { heldValues } from "./held-values.ts";
import { KEPT_FORM, KEPT_MESSAGES } from "./kept-form.ts";
import { toast } from "./toast.ts";

interface KeptForm {
  viewerId: string;
  /** When it was sent, in ms since 1970. */
  at: number;
  /** The address of the screen that it was on. */
  screen: string;
  /** What tells the form from others: see `factsOf`. */
  facts: string;
  /** Where it is sent. A form in a dialog has a page of its own there, to which the login leads. */
  page: string;
  /** What was typed and chosen. A name can come several times. */
  fields: [name: string, value: string][];
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
const SAID_MS = 8_000;
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
  const fields = typedIn(form)
    .filter((control) => !isTick(control) || control.checked)
    .map(({ name, value }): [string, string] => [name, value]);
  if (fields.length === 0) return;
  const held = Object.fromEntries(heldValues(form).map(({ name, value }) => [name, value]));
  const place = { screen: screenNow(), page: action.pathname };
  const kept: KeptForm = { viewerId, at: Date.now(), ...place, facts: factsOf(form), fields, held };
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
  const touched = new Set<string>();
  const note = ({ target }: Event) => touched.add((target as Control).name);
  looking = true;
  addEventListener("input", note, true);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (viewerOnPage() !== kept.viewerId || !isAt(kept) || !read(KEPT_FORM)) return;
      const forms = [...document.forms].filter((form) => isSame(form, kept));
      if (forms.length > 0) {
        removeEventListener("input", note, true);
        const [form] = forms;
        if (form && forms.length === 1 && fill(form, kept, touched)) {
          toast.info("We kept what you typed. Check it and send it again.", { duration: SAID_MS });
        }
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    removeEventListener("input", note, true);
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
  const someone = viewerOnPage();
  if (kept && someone && (kept.viewerId !== someone || Date.now() > kept.until))
    sessionStorage.removeItem(KEPT_MESSAGES);
}

function screenNow(): string {
  return location.pathname + location.search;
}

function isAt({ screen, page }: KeptForm): boolean {
  return screenNow() === screen || location.pathname === page;
}

/** What tells the form from others (form-facts.ts). */
function factsOf(form: HTMLFormElement): string {
  const fixed = controlsOf(form).filter(
    ({ name, type, dataset }) =>
      (type === "submit" || (type === "hidden" && isFact({ name, isHeld: dataset.held !== undefined }))) &&
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

/** Fills in what nobody has typed in since. Returns whether something changed. React hears of it as it hears of typing. */
function fill(form: HTMLFormElement, { fields, held }: KeptForm, touched: Set<string>): boolean {
  const left = [...fields];
  let changed = false;
  for (const part of heldValues(form)) {
    if (!(part.name in held) || JSON.stringify(part.value) === JSON.stringify(held[part.name])) continue;
    part.fill(held[part.name]);
    changed = true;
  }
  for (const control of typedIn(form)) {
    if (isTick(control)) {
      const wanted = fields.some(([name, value]) => name === control.name && value === control.value);
      if (!touched.has(control.name) && fillControl(control, wanted)) changed = true;
    } else {
      const at = left.findIndex(([name]) => name === control.name);
      const value = at < 0 ? undefined : left.splice(at, 1)[0]?.[1];
      const isTyped = "defaultValue" in control && control.value !== control.defaultValue;
      if (value === undefined || isTyped || touched.has(control.name)) continue;
      if (fillControl(control, value)) changed = true;
    }
  }
  return changed;
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
