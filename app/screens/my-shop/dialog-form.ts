import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";

/** What the tab keeps of what was typed in a dialog whose form has a page at `path`; null for nothing. */
export function readDialogForm(path: string): unknown {
  return readPrivate("tab", nameOf(path));
}

/** null removes it. */
export function writeDialogForm(path: string, typed: unknown): void {
  writePrivate("tab", nameOf(path), typed);
}

function nameOf(path: string): string {
  return `dialog-form:${path}`;
}
