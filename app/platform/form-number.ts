import { z } from "zod";
import { readDigits } from "./number-rules.ts";

/** A whole number of at least `min` and at most `max` in the field of a form, in plain digits. */
export function formNumber(min = 0, max = Number.MAX_SAFE_INTEGER) {
  return z.string().transform((sent, context) => {
    const number = readDigits(sent);
    if (number !== null && number >= min && number <= max) return number;
    context.addIssue({ code: "custom", message: "Not a whole number" });
    return z.NEVER;
  });
}
