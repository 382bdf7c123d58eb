import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";

/** What the tab keeps of a form until it is sent: the texts and choices, by the name of their field. */
export type FormDraft = Record<string, string[]>;

/** `address`: the path and query of the form's page. */
export function readFormDraft(address: string): FormDraft | null {
  return readPrivate("tab", nameOf(address)) as FormDraft | null;
}

/** null removes it. Another form may leave here what it has already asked. */
export function writeFormDraft(address: string, draft: FormDraft | null): void {
  writePrivate("tab", nameOf(address), draft);
}

function nameOf(address: string): string {
  return `form-fields:${address}`;
}
