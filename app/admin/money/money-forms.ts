import { z } from "zod";
import { TRANSFER_KINDS } from "#app/db/states/transfer.ts";
import { readReceipt } from "#app/admin/money/money-rules.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { idField, wordsField } from "#app/team/form-fields.ts";

const receiptField = z.string(ADMIN_TEXTS.receipt).transform((typed, context) => {
  const receipt = readReceipt(typed);
  if (receipt !== null) return receipt;
  context.addIssue({ code: "custom", message: ADMIN_TEXTS.receipt });
  return z.NEVER;
});

/** "yes": the admin has seen that it is sent by hand, and takes that back. */
const reserved = z
  .literal("yes")
  .optional()
  .transform((sent) => sent === "yes");

export const lineForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("accept-line"), id: idField, attempt: idField }),
  z.object({ intent: z.literal("close-line"), id: idField, resolution: wordsField(ADMIN_TEXTS.resolution) }),
]);

const kind = z.enum(TRANSFER_KINDS);

export const moneyForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("retry"), kind, id: idField, reserved }),
  z.object({ intent: z.literal("reserve"), kind, id: idField }),
  z.object({ intent: z.literal("record"), kind, id: idField, receipt: receiptField }),
  z.object({ intent: z.literal("park"), id: idField, reason: wordsField(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("accept"), id: idField, receipt: receiptField }),
  z.object({ intent: z.literal("dismiss"), id: idField, reason: wordsField(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("resolve"), id: idField, resolution: wordsField(ADMIN_TEXTS.resolution) }),
]);
