/** The name in the tab's storage of what was typed in a dialog whose form has a page at `path`. */
export function dialogFormName(path: string): string {
  return `dialog-form:${path}`;
}
