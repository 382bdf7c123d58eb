import { z } from "zod";
import { type Decision, DECISION_CODES } from "#app/db/states/deal.ts";
import { PART_NOT_WHOLE } from "#app/deals/deal-rules.ts";
import { readAmount, unclearText } from "#app/platform/number-rules.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { suspendOrRestore } from "#app/moderation/suspensions/suspension-forms.ts";
import { claimForms } from "#app/team/claim-forms.ts";
import { idField, wordsField } from "#app/team/form-fields.ts";

export const issueForm = z.discriminatedUnion("intent", [
  ...claimForms,
  z.object({ intent: z.literal("note"), note: wordsField(ADMIN_TEXTS.note) }),
  z.object({ intent: z.literal("close"), outcome: wordsField(ADMIN_TEXTS.outcome) }),
  ...suspendOrRestore,
  z.object({ intent: z.literal("suspend-listing"), id: idField, reason: wordsField(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("restore-listing"), id: idField }),
]);

/** The answer to the decision form: its errors, or the decision to confirm. */
export interface DecisionAnswer extends AdminFormAnswer {
  /** `over`: the proposal that it was made in view of. */
  confirm?: { decision: Decision; amount: number; reasons: string; over: string | null };
}

/** Its `amount` is KES that goes back to the buyer; 0 where the decision isn't a part. */
export const decisionForm = z
  .object({
    intent: z.enum(["preview", "decide"]),
    decision: z.enum(DECISION_CODES, ADMIN_TEXTS.decision),
    amount: z.string().default(""),
    reasons: wordsField(ADMIN_TEXTS.reasons),
  })
  .transform((form, context) => {
    const reading = readAmount(form.amount);
    if (form.decision !== "split" || reading.ok)
      return { ...form, amount: form.decision === "split" && reading.ok ? reading.value : 0 };
    const message = unclearText(form.amount, reading) ?? PART_NOT_WHOLE;
    context.addIssue({ code: "custom", path: ["amount"], message });
    return z.NEVER;
  });
