/**
 * The message of a failed query ends with its values, which are what people typed, or tokens. A stack goes on with
 * where it failed.
 */
const VALUES = /\nparams: [\s\S]*?((?:\n\s+at [^\n]*(?::\d+:\d+\)?|<anonymous>\)?|\(index \d+\)))*)$/;

/** The text of an error without the values of a failed query, for whatever is logged or stored. */
export function withoutValues(text: string): string {
  return text.replace(VALUES, "$1");
}
