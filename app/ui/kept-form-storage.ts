import { toast } from "./toast.ts";

/** The same in kept-form.ts. */
const KEPT_FORM = "kept-form";

/** What a form sent, by name. A name can come several times. */
type Fields = [name: string, value: string][];

interface KeptForm {
  viewerId: string;
  /** When it was sent, in ms since 1970. */
  at: number;
  fields: Fields;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A form is forgotten after this time, in ms. */
const LIFE_MS = 30 * 60_000;
/** How often and how long we look for the form. Parts of a screen load after it. */
const ATTEMPTS = 10;
const PAUSE_MS = 300;
/** What people don't type, and what we never write down. */
const NOT_TYPED = new Set(["hidden", "password", "file", "submit", "button", "reset", "image"]);

/** Whether `restore` looks for the form now. */
let looking = false;

/** Writes down a form, or, without one, fills in what was written down. */
export const keepOrFill = (sent?: Pick<Request, "formData">) => (sent ? keep(sent) : restore());

/** Writes a form down for this tab, without files and passwords. */
async function keep(sent: Pick<Request, "formData">): Promise<void> {
  const viewerId = viewer();
  if (!viewerId) return;
  try {
    const form = await sent.formData();
    const fields = [...form].filter(
      (field): field is [string, string] => typeof field[1] === "string" && !/password/i.test(field[0]),
    );
    const kept: KeptForm = { viewerId, at: Date.now(), fields };
    sessionStorage.setItem(KEPT_FORM, JSON.stringify(kept));
  } catch {
    // No form, or the browser keeps nothing.
  }
}

/** Fills in the form of `keep` if it is on the page, and says so. Nobody else gets it. */
async function restore(): Promise<void> {
  const kept = JSON.parse(sessionStorage.getItem(KEPT_FORM) ?? "null") as KeptForm | null;
  const viewerId = viewer();
  if (!kept || !viewerId || looking) return;
  if (kept.viewerId !== viewerId || Date.now() - kept.at > LIFE_MS) return sessionStorage.removeItem(KEPT_FORM);
  looking = true;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const form = [...document.forms].find((candidate) => isSentBy(candidate, kept.fields));
    if (form) {
      sessionStorage.removeItem(KEPT_FORM);
      if (fill(form, kept.fields)) toast.info("We kept what you typed. Check it and send it again.");
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  looking = false;
}

/** The id of the user whose screen is shown. */
function viewer(): string | undefined {
  return document.querySelector<HTMLElement>("[data-viewer]")?.dataset.viewer;
}

/** Whether the form has fields to type in, all of them are among `fields`, and so is its intent. */
function isSentBy(form: HTMLFormElement, fields: Fields): boolean {
  const names = new Set(fields.map(([name]) => name));
  const intent = fields.find(([name]) => name === "intent")?.[1];
  const typed = controlsOf(form).filter(({ type }) => type !== "checkbox" && type !== "radio");
  const hasIntent = [...form.querySelectorAll<HTMLInputElement>('[name="intent"]')].some(
    ({ value }) => value === intent,
  );
  return typed.length > 0 && typed.every(({ name }) => names.has(name)) && (intent === undefined || hasIntent);
}

/** Returns whether something changed. React hears of each change as it hears of typing. */
function fill(form: HTMLFormElement, fields: Fields): boolean {
  const left = Map.groupBy(fields, ([name]) => name);
  let changed = false;
  for (const control of controlsOf(form)) {
    const values = left.get(control.name)?.map(([, value]) => value) ?? [];
    if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
      if (control.checked === values.includes(control.value)) continue;
      if (control.type === "checkbox" || !control.checked) control.click();
    } else {
      const value = left.get(control.name)?.shift()?.[1];
      if (value === undefined || value === control.value) continue;
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
      control.dispatchEvent(new Event("input", { bubbles: true }));
      control.dispatchEvent(new Event("change", { bubbles: true }));
    }
    changed = true;
  }
  return changed;
}

function controlsOf(form: HTMLFormElement): Control[] {
  // The types of the workers' runtime are loaded too, and their Element is another one.
  const controls = [...form.querySelectorAll("input[name], textarea[name], select[name]")] as unknown as Control[];
  return controls.filter(({ disabled, type }) => !disabled && !NOT_TYPED.has(type));
}
