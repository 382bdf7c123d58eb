import type { FormDraft } from "./form-drafts.ts";

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const FIELDS = "input:enabled:not([type=hidden], [type=file]), textarea:enabled, select:enabled";

function isTick(control: Control): control is HTMLInputElement {
  return control.type === "checkbox" || control.type === "radio";
}

/**
 * Changes a control as if somebody typed or pressed, so that React gets the events, and opens what hides it. `value`:
 * the text or the choice, or whether it is ticked. Returns whether it changed: a choice that isn't offered any more
 * changes nothing.
 */
export function fillControl(control: Control, value: string | boolean): boolean {
  if (isTick(control)) {
    // A radio button is unchecked by the one that is checked.
    if (control.checked === value || (control.type === "radio" && value === false)) return false;
    control.click();
  } else {
    if (typeof value === "boolean" || control.value === value) return false;
    if (control instanceof HTMLSelectElement && ![...control.options].some((option) => option.value === value))
      return false;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (let part = control.closest("details"); part; part = part.parentElement?.closest("details") ?? null) {
    part.open = true;
  }
  return true;
}

/** Fills in a form's fields by name, without its hidden ones. A name with several ticks has several values. */
export function fillForm(form: HTMLFormElement, values: Readonly<Record<string, string | readonly string[]>>): void {
  for (const element of form.elements) {
    const control = element as Control;
    const value = values[control.name];
    if (value === undefined || control.type === "hidden") continue;
    const wanted = [value].flat();
    fillControl(control, isTick(control) ? wanted.includes(control.value) : wanted.join());
  }
}

/**
 * What a form holds in the fields that people fill in. A field that is empty counts too: it may have held something.
 */
export function filledIn(form: HTMLFormElement, isMeant: (field: Control) => boolean = () => true): FormDraft {
  const draft: FormDraft = {};
  const data = new FormData(form);
  for (const element of form.elements) {
    const field = element as Control;
    if (field.matches(FIELDS) && isMeant(field)) draft[field.name] = data.getAll(field.name) as string[];
  }
  return draft;
}

/** Somebody, or the browser, has changed it since the page came. */
export function isChanged(field: Control): boolean {
  if (isTick(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLSelectElement) return field.selectedIndex > 0 && !field.selectedOptions[0]?.defaultSelected;
  return field.value !== field.defaultValue;
}
