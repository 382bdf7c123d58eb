/**
 * What identifies a form on a screen that has several: its address, the intents of its buttons, and its hidden fields, such as
 * the recipient of a message (`to`) or the item of a dispute (`itemId`). These hidden fields don't identify it:
 *
 * - An idempotency key, which the server makes new at each load. Its name is "key" or ends in "Key".
 * - What the page showed, by which the server notices that it has changed since. Its name is "seen", ends in "Seen", or is
 *   in `SHOWN`.
 * - A value that the form holds (`data-held`, see held-values.ts). It is kept and filled in like what was typed.
 */
const KEY = /^key$|Key$/;
const SEEN = /^seen$|Seen$/;
const SHOWN = new Set(["asked", "opened", "price", "round", "steps", "total"]);

/** Whether a hidden field is part of what identifies its form. */
export function identifiesForm({ name, isHeld }: { name: string; isHeld: boolean }): boolean {
  return !isHeld && !KEY.test(name) && !SEEN.test(name) && !SHOWN.has(name);
}
