import { z } from "zod";
import { FEE_MAX } from "#app/catalogue/fees/fee-rules.ts";
import { FEE_PAYERS } from "#app/db/states/fee.ts";
import { readAmount } from "#app/platform/number-rules.ts";
import { INCOME_TEXTS } from "#app/admin/income/income-texts.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { idField } from "#app/team/form-fields.ts";

/** Whole KES from 0. */
function amountField(max: number) {
  return z.string(INCOME_TEXTS.fee_amount).transform((typed, context) => {
    const amount = readAmount(typed);
    if (amount.ok && amount.value <= max) return amount.value;
    context.addIssue({ code: "custom", message: amount.ok ? INCOME_TEXTS.fee_too_large : INCOME_TEXTS.fee_amount });
    return z.NEVER;
  });
}

/** "2.5" percent, as hundredths of a percent. */
const shareField = z.string(INCOME_TEXTS.fee_share).transform((typed, context) => {
  const [, whole = "", part = ""] = /^\s*(\d{1,2})(?:[.,](\d{1,2}))?\s*%?\s*$/.exec(typed) ?? [];
  const share = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  if (whole !== "" && share <= FEE_MAX.share) return share;
  context.addIssue({ code: "custom", message: INCOME_TEXTS.fee_share });
  return z.NEVER;
});

const LARGEST_COST = 100_000_000;

export const incomeForm = z
  .discriminatedUnion("intent", [
    z.object({
      intent: z.literal("propose-fee"),
      category: z.string().max(64).default(""),
      payer: z.enum(FEE_PAYERS, INCOME_TEXTS.fee_payer),
      share: shareField,
      smallest: amountField(FEE_MAX.bound),
      largest: amountField(FEE_MAX.bound),
      startsOn: z.string().max(20).default(""),
    }),
    z.object({ intent: z.literal("propose-as-others"), id: idField, startsOn: z.string().max(20).default("") }),
    z.object({
      intent: z.enum(["confirm-fee", "decline-fee", "take-back-fee", "confirm-take-back", "keep-fee"]),
      id: idField,
    }),
    z.object({
      intent: z.literal("set-cost"),
      id: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, ADMIN_TEXTS.stale),
      amount: amountField(LARGEST_COST),
      seen: z.string().max(20),
    }),
  ])
  .superRefine((form, context) => {
    if (form.intent === "propose-fee" && form.smallest > form.largest)
      context.addIssue({ code: "custom", path: ["largest"], message: INCOME_TEXTS.fee_order });
  });
