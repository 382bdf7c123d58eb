/** What the forms of the admin pages share, for the server and the tests. */
import { z } from "zod";
import { ADMIN_TEXT_MAX } from "./admin-texts.ts";

export const idField = z.string().min(1).max(64);

export function wordsField(missing: string, max = ADMIN_TEXT_MAX) {
  return (
    z
      .string(missing)
      .trim()
      .min(1, missing)
      .max(max, `Please use at most ${max} characters`)
      // Keeps line breaks, and removes other control characters.
      .transform((text) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ""))
  );
}

/**
 * A name that people read beside others, so it is written like any other (docs/product-rules.md, "Names and texts").
 */
export function nameField(missing: string, max: number, errorOf: (name: string) => string | null) {
  return wordsField(missing, max)
    .transform((name) => name.replaceAll(/\s+/g, " "))
    .superRefine((name, context) => {
      const message = errorOf(name);
      if (message !== null) context.addIssue({ code: "custom", message });
    });
}

/** The first error of each field. */
export function formErrors(error: z.ZodError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? "form");
    errors[field === "intent" || field === "id" ? "form" : field] ??= issue.message;
  }
  return errors;
}
