import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";

/** What the tab keeps of a form until it is sent: the texts and choices, by the name of their field. */
export type FormDraft = Record<string, string[]>;

/** `address`: the path and query of the form's page, and what tells it from other forms there. */
export function readFormDraft(address: string): FormDraft | null {
  return readPrivate("tab", nameOf(address)) as FormDraft | null;
}

/** null removes it. */
export function writeFormDraft(address: string, draft: FormDraft | null): void {
  writePrivate("tab", nameOf(address), draft);
}

/** For another form, which has already asked for some of it. What isn't empty replaces what was kept. */
export function addToFormDraft(address: string, asked: Record<string, string>): void {
  const known = Object.entries(asked).filter(([, value]) => value !== "");
  if (known.length === 0) return;
  writeFormDraft(address, {
    ...readFormDraft(address),
    ...Object.fromEntries(known.map(([name, value]) => [name, [value]])),
  });
}

function nameOf(address: string): string {
  return `form-fields:${address}`;
}
