import type { z } from "zod";

/**
 * The first error of each field. A form whose "intent" is none of ours gets `unreadable` as the error of the whole
 * form.
 */
export function firstErrors(error: z.ZodError, unreadable: string): Partial<Record<string, string>> {
  const errors: Partial<Record<string, string>> = {};
  for (const { path, message } of error.issues) {
    const isUnreadable = path[0] === "intent";
    errors[isUnreadable ? "form" : String(path[0] ?? "form")] ??= isUnreadable ? unreadable : message;
  }
  return errors;
}
