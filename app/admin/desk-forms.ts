import { z } from "zod";
import { DESK_TEXT_MAX, DESK_TEXTS, readReceipt } from "./rules.ts";

/** The forms of the desks, as server and tests read them. */
const id = z.string().min(1).max(64);

function words(missing: string) {
  return (
    z
      .string(missing)
      .trim()
      .min(1, missing)
      .max(DESK_TEXT_MAX, `At most ${DESK_TEXT_MAX} characters, please`)
      // Line breaks are kept; other control characters have no business in a text.
      .transform((text) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ""))
  );
}

export const verificationForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("approve"), id, seen: z.string().max(200).optional() }),
  z.object({ intent: z.literal("reject"), id, reason: words(DESK_TEXTS.reason) }),
]);

const suspendOrRestore = [
  z.object({ intent: z.literal("suspend-user"), id, reason: words(DESK_TEXTS.reason) }),
  z.object({ intent: z.literal("restore-user"), id }),
] as const;

export const personForm = z.discriminatedUnion("intent", suspendOrRestore);

export const categoryForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("merge-category"), id, into: z.string().min(1, DESK_TEXTS.target).max(64) }),
  z.object({ intent: z.literal("remove-category"), id }),
]);

export const issueForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("note"), note: words(DESK_TEXTS.note) }),
  z.object({ intent: z.literal("close"), outcome: words(DESK_TEXTS.outcome) }),
  ...suspendOrRestore,
  z.object({ intent: z.literal("suspend-listing"), id, reason: words(DESK_TEXTS.reason) }),
  z.object({ intent: z.literal("restore-listing"), id }),
]);

const mpesaReceipt = z.string(DESK_TEXTS.receipt).transform((typed, context) => {
  const receipt = readReceipt(typed);
  if (receipt !== null) return receipt;
  context.addIssue({ code: "custom", message: DESK_TEXTS.receipt });
  return z.NEVER;
});

export const moneyForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("retry"), id }),
  z.object({ intent: z.literal("park"), id, reason: words(DESK_TEXTS.reason) }),
  z.object({ intent: z.literal("refund"), id, receipt: mpesaReceipt }),
  z.object({ intent: z.literal("accept"), id, receipt: mpesaReceipt }),
  z.object({ intent: z.literal("dismiss"), id, reason: words(DESK_TEXTS.reason) }),
  z.object({ intent: z.literal("paid"), id, receipt: mpesaReceipt }),
  z.object({ intent: z.literal("resolve"), id, resolution: words(DESK_TEXTS.resolution) }),
]);
