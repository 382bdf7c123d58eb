import { z } from "zod";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { ADMIN_ROLES } from "#app/db/states/admin.ts";
import { CASE_DECISIONS } from "#app/db/states/moderation.ts";
import { TRANSFER_KINDS } from "#app/db/states/transfer.ts";
import { type Decision, DECISION_CODES } from "#app/db/states/deal.ts";
import { WORD_USES } from "#app/catalogue/types/item-type.ts";
import { TERM_KINDS } from "#app/catalogue/selling/prohibited-rules.ts";
import { PART_NOT_WHOLE } from "#app/orders/deal-rules.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { readAmount, unclearText } from "#app/platform/number-rules.ts";
import {
  ADMIN_TEXT_MAX,
  ADMIN_TEXTS,
  CAMPUS_NAME_MAX,
  POINT_NAME_MAX,
  readReceipt,
  ROLE_TEXTS,
  TERM_TEXTS,
  TYPE_TEXTS,
  WORD_MAX,
} from "./admin-rules.ts";
import type { AdminFormAnswer } from "./form-answer.ts";
import { DOMAIN_MAX, DOMAIN_TEXTS, readDomain } from "#app/admin/people/university-rules.ts";
import { readClockTime } from "#app/meetings/meeting-rules.ts";

/** The forms of the admin pages, for the server and the tests. */
const id = z.string().min(1).max(64);

function words(missing: string, max = ADMIN_TEXT_MAX) {
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
function named(missing: string, max: number, errorOf: (name: string) => string | null) {
  return words(missing, max)
    .transform((name) => name.replaceAll(/\s+/g, " "))
    .superRefine((name, context) => {
      const message = errorOf(name);
      if (message !== null) context.addIssue({ code: "custom", message });
    });
}

export const verificationForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("approve"), id, seen: z.string().max(200).optional() }),
  z.object({ intent: z.literal("reject"), id, reason: words(ADMIN_TEXTS.reason) }),
]);

const suspendOrRestore = [
  z.object({ intent: z.literal("suspend-user"), id, reason: words(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("restore-user"), id }),
] as const;

export const personForm = z.discriminatedUnion("intent", suspendOrRestore);

export const categoryForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("merge-category"), id, into: z.string().min(1, ADMIN_TEXTS.target).max(64) }),
  z.object({ intent: z.literal("remove-category"), id }),
]);

export const termForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("add-term"),
    kind: z.enum(TERM_KINDS),
    term: z.string(TERM_TEXTS.empty).max(200, TERM_TEXTS.too_long),
  }),
  z.object({ intent: z.literal("remove-term"), id }),
]);

const word = z.string(TYPE_TEXTS.refused.empty.text).max(WORD_MAX, `Please use at most ${WORD_MAX} characters`);

export const typeForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("set-word"),
    type: z.string().min(1, TYPE_TEXTS.refused.no_type.text).max(64),
    word,
    use: z.enum(WORD_USES),
  }),
  z.object({ intent: z.literal("unset-word"), type: z.string().min(1).max(64), word }),
  z.object({
    intent: z.literal("add-type"),
    name: named(TYPE_TEXTS.refused.empty.text, WORD_MAX, (name) => nameError(name, "type")),
    plural: named(TYPE_TEXTS.refused.empty.text, WORD_MAX, (name) => nameError(name, "type")),
    category: z.string().min(1, TYPE_TEXTS.refused.no_category.text).max(64),
  }),
  z.object({ intent: z.literal("forget-missed"), id: z.string().min(1).max(64) }),
]);

const email = z.string(ROLE_TEXTS.email).trim().min(3, ROLE_TEXTS.email).max(254, ROLE_TEXTS.email);
const role = z.enum(ADMIN_ROLES);

export const adminsForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("give"), email, role }),
  // `was`: the role that the page showed.
  z.object({ intent: z.literal("change"), id, was: role, role }),
  z.object({ intent: z.literal("take"), id, was: role }),
  z.object({ intent: z.literal("reset"), email }),
]);

export const universityForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("add"),
    name: named(DOMAIN_TEXTS.name, DOMAIN_MAX, (name) => nameError(name, "university")),
    domain: z.string(DOMAIN_TEXTS.format).transform((typed, context) => {
      const read = readDomain(typed);
      if (read.ok) return read.domain;
      context.addIssue({ code: "custom", message: DOMAIN_TEXTS[read.code] });
      return z.NEVER;
    }),
  }),
  z.object({ intent: z.literal("remove"), id: z.string().min(1).max(DOMAIN_MAX) }),
]);

export const operationsForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("send"), id }),
  z.object({ intent: z.literal("send-all") }),
]);

/** "HH:mm", as minutes after midnight. */
const clock = z.string(ADMIN_TEXTS.hours).transform((typed, context) => {
  const minutes = readClockTime(typed);
  if (minutes !== null) return minutes;
  context.addIssue({ code: "custom", message: ADMIN_TEXTS.hours });
  return z.NEVER;
});

const pointFields = {
  id,
  name: named(ADMIN_TEXTS.point_name, POINT_NAME_MAX, (name) => nameError(name, "place")),
  opensAt: clock,
  closesAt: clock,
  weekdaysOnly: z
    .literal("on")
    .optional()
    .transform((tick) => tick === "on"),
};

export const campusForm = z
  .discriminatedUnion("intent", [
    z.object({
      intent: z.literal("add-campus"),
      name: named(ADMIN_TEXTS.campus_name, CAMPUS_NAME_MAX, (name) => nameError(name, "campus")),
    }),
    z.object({ intent: z.literal("remove-campus"), id }),
    z.object({ intent: z.literal("add-point"), ...pointFields }),
    z.object({ intent: z.literal("edit-point"), ...pointFields, seen: z.string().max(200) }),
    z.object({ intent: z.enum(["hide-point", "show-point"]), id }),
  ])
  .superRefine((form, context) => {
    if ("closesAt" in form && form.closesAt <= form.opensAt)
      context.addIssue({ code: "custom", path: ["closesAt"], message: ADMIN_TEXTS.closes });
  });

export const issueForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("note"), note: words(ADMIN_TEXTS.note) }),
  z.object({ intent: z.literal("close"), outcome: words(ADMIN_TEXTS.outcome) }),
  ...suspendOrRestore,
  z.object({ intent: z.literal("suspend-listing"), id, reason: words(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("restore-listing"), id }),
]);

/** When what the admin saw, the case or its listing, was last changed, ms. */
const seen = formNumber().optional();

export const caseForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("decide-case"),
    decision: z.enum(CASE_DECISIONS),
    /** "yes": the admin has confirmed a suspension. */
    confirmed: z.string().max(10).optional(),
    statement: words(ADMIN_TEXTS.statement),
    seen,
  }),
  z.object({
    intent: z.literal("answer-appeal"),
    granted: z.enum(["yes", "no"]),
    answer: words(ADMIN_TEXTS.answer),
    seen,
  }),
  z.object({ intent: z.literal("note"), note: words(ADMIN_TEXTS.note) }),
]);

/** The answer to the form of a case: its errors, or a suspension to confirm. */
export interface CaseAnswer extends AdminFormAnswer {
  confirm?: boolean;
}

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
    reasons: words(ADMIN_TEXTS.reasons),
  })
  .transform((form, context) => {
    const reading = readAmount(form.amount);
    if (form.decision !== "split" || reading.ok)
      return { ...form, amount: form.decision === "split" && reading.ok ? reading.value : 0 };
    const message = unclearText(form.amount, reading) ?? PART_NOT_WHOLE;
    context.addIssue({ code: "custom", path: ["amount"], message });
    return z.NEVER;
  });

/** The first error of each field. */
export function formErrors(error: z.ZodError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? "form");
    errors[field === "intent" || field === "id" ? "form" : field] ??= issue.message;
  }
  return errors;
}

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

export const proposalForm = z.discriminatedUnion("intent", [
  // KES that the admin read, and when what they read was last changed, ms.
  z.object({ intent: z.literal("confirm"), id, seen: formNumber(), changedAt: formNumber().optional() }),
  z.object({ intent: z.literal("decline"), id }),
]);

export const lineForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("accept-line"), id, attempt: id }),
  z.object({ intent: z.literal("close-line"), id, resolution: words(ADMIN_TEXTS.resolution) }),
]);

const kind = z.enum(TRANSFER_KINDS);

export const moneyForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("retry"), kind, id, reserved }),
  z.object({ intent: z.literal("reserve"), kind, id }),
  z.object({ intent: z.literal("record"), kind, id, receipt: receiptField }),
  z.object({ intent: z.literal("park"), id, reason: words(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("accept"), id, receipt: receiptField }),
  z.object({ intent: z.literal("dismiss"), id, reason: words(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("resolve"), id, resolution: words(ADMIN_TEXTS.resolution) }),
]);
