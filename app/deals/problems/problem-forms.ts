import { z } from "zod";
import type { ProductImage } from "#app/db/product-image.ts";
import { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { formText } from "#app/platform/form-text.ts";
import { readAmount, unclearText } from "#app/platform/number-rules.ts";
import { PROBLEM_NOTE_MAX, PROBLEM_TEXT_MAX } from "./problem-rules.ts";
import { PROBLEM_TEXTS } from "./problem-texts.ts";

/**
 * The answer to a form of the page of a problem that was refused. It has what was typed, for browsers without scripts.
 */
export interface ProblemAnswer {
  intent: string;
  /** By field; "form" is about the whole form. */
  errors: Partial<Record<string, string>>;
  values?: Partial<Record<"kind" | "description" | "amount" | "note", string>>;
  /** Those of the problem that are uploaded. */
  images?: ProductImage[];
}

const note = formText(PROBLEM_NOTE_MAX)
  .default("")
  .transform((text) => text || null);

/** The forms of the page of a problem, for the server and the tests. */
export const problemForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("report"),
    kind: z.enum(PROBLEM_KINDS, PROBLEM_TEXTS.choose),
    description: formText(PROBLEM_TEXT_MAX, PROBLEM_TEXTS.describe).pipe(z.string().min(1, PROBLEM_TEXTS.describe)),
  }),
  z.object({ intent: z.literal("refund") }),
  z.object({
    intent: z.literal("offer"),
    amount: z.string(PROBLEM_TEXTS.amount).transform((typed, context) => {
      const reading = readAmount(typed);
      if (reading.ok) return reading.value;
      context.addIssue({ code: "custom", message: unclearText(typed, reading) ?? PROBLEM_TEXTS.amount });
      return z.NEVER;
    }),
    note,
  }),
  z.object({
    intent: z.literal("contest"),
    note: formText(PROBLEM_NOTE_MAX, PROBLEM_TEXTS.say_why).pipe(z.string().min(1, PROBLEM_TEXTS.say_why)),
  }),
  z.object({ intent: z.literal("accept") }),
  z.object({ intent: z.literal("withdraw") }),
  z.object({ intent: z.literal("review"), note }),
]);

export type ProblemForm = z.infer<typeof problemForm>;
