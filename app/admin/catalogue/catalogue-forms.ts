import { z } from "zod";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { WORD_USES } from "#app/catalogue/types/item-type.ts";
import { TERM_KINDS } from "#app/catalogue/selling/prohibited-rules.ts";
import { TYPE_TEXTS, WORD_MAX } from "#app/admin/catalogue/type-texts.ts";
import { TERM_TEXTS } from "#app/admin/catalogue/term-texts.ts";
import { CAMPUS_TEXTS } from "#app/admin/catalogue/campus-texts.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { CAMPUS_NAME_MAX, POINT_NAME_MAX } from "#app/admin/catalogue/meeting-point-rules.ts";
import { readClockTime } from "#app/meetings/meeting-rules.ts";
import { idField, nameField } from "#app/team/form-fields.ts";

export const categoryForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("merge-category"), id: idField, into: z.string().min(1, ADMIN_TEXTS.target).max(64) }),
  z.object({ intent: z.literal("remove-category"), id: idField }),
]);

export const termForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("add-term"),
    kind: z.enum(TERM_KINDS),
    term: z.string(TERM_TEXTS.empty).max(200, TERM_TEXTS.too_long),
  }),
  z.object({ intent: z.literal("remove-term"), id: idField }),
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
    name: nameField(TYPE_TEXTS.refused.empty.text, WORD_MAX, (name) => nameError(name, "type")),
    plural: nameField(TYPE_TEXTS.refused.empty.text, WORD_MAX, (name) => nameError(name, "type")),
    category: z.string().min(1, TYPE_TEXTS.refused.no_category.text).max(64),
  }),
  z.object({ intent: z.literal("forget-missed"), id: z.string().min(1).max(64) }),
]);

/** "HH:mm", as minutes after midnight. */
const clock = z.string(CAMPUS_TEXTS.hours).transform((typed, context) => {
  const minutes = readClockTime(typed);
  if (minutes !== null) return minutes;
  context.addIssue({ code: "custom", message: CAMPUS_TEXTS.hours });
  return z.NEVER;
});

const tick = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

const pointFields = {
  id: idField,
  name: nameField(CAMPUS_TEXTS.point_name, POINT_NAME_MAX, (name) => nameError(name, "place")),
  opensAt: clock,
  closesAt: clock,
  weekdaysOnly: tick,
  isGuarded: tick,
};

export const campusForm = z
  .discriminatedUnion("intent", [
    z.object({
      intent: z.literal("add-campus"),
      name: nameField(CAMPUS_TEXTS.campus_name, CAMPUS_NAME_MAX, (name) => nameError(name, "campus")),
    }),
    z.object({ intent: z.literal("remove-campus"), id: idField }),
    z.object({
      intent: z.literal("set-semester"),
      id: idField,
      closesOn: z.string().max(20),
      opensOn: z.string().max(20),
      seen: z.string().max(60),
    }),
    z.object({ intent: z.literal("add-point"), ...pointFields }),
    z.object({ intent: z.literal("edit-point"), ...pointFields, seen: z.string().max(200) }),
    z.object({ intent: z.enum(["hide-point", "show-point"]), id: idField }),
    z.object({ intent: z.enum(["set-points-only", "end-points-only"]), id: idField }),
  ])
  .superRefine((form, context) => {
    if ("closesAt" in form && form.closesAt <= form.opensAt)
      context.addIssue({ code: "custom", path: ["closesAt"], message: CAMPUS_TEXTS.closes });
  });
