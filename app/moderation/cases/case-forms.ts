import { z } from "zod";
import { CASE_DECISIONS } from "#app/db/states/moderation.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { claimForms } from "#app/team/claim-forms.ts";
import { wordsField } from "#app/team/form-fields.ts";

/** When what the admin saw, the case or its listing, was last changed, ms. */
const seenAt = formNumber().optional();

export const caseForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("decide-case"),
    decision: z.enum(CASE_DECISIONS),
    /** "yes": the admin has confirmed a suspension. */
    confirmed: z.string().max(10).optional(),
    statement: wordsField(ADMIN_TEXTS.statement),
    seenAt,
  }),
  z.object({
    intent: z.literal("answer-appeal"),
    granted: z.enum(["yes", "no"]),
    answer: wordsField(ADMIN_TEXTS.answer),
    seenAt,
  }),
  ...claimForms,
  z.object({ intent: z.literal("note"), note: wordsField(ADMIN_TEXTS.note) }),
]);

/** The answer to the form of a case: its errors, or a suspension to confirm. */
export interface CaseAnswer extends AdminFormAnswer {
  confirm?: boolean;
}
