import { z } from "zod";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { ADMIN_ROLES } from "#app/db/states/admin.ts";
import { ROLE_TEXTS } from "#app/admin/people/role-texts.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import {
  CLIENT_ID_MAX,
  DOMAIN_MAX,
  DOMAIN_TEXTS,
  ISSUER_URL_MAX,
  LOGIN_TEXTS,
  readDomain,
} from "#app/admin/people/university-rules.ts";
import { suspendOrRestore } from "#app/moderation/suspensions/suspension-forms.ts";
import { idField, nameField, wordsField } from "#app/team/form-fields.ts";

export const verificationForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("approve"), id: idField, seen: z.string().max(200).optional() }),
  z.object({ intent: z.literal("reject"), id: idField, reason: wordsField(ADMIN_TEXTS.reason) }),
]);

export const personForm = z.discriminatedUnion("intent", suspendOrRestore);

const email = z.string(ROLE_TEXTS.email).trim().min(3, ROLE_TEXTS.email).max(254, ROLE_TEXTS.email);

const role = z.enum(ADMIN_ROLES);

export const adminsForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("give"), email, role }),
  // `was`: the role that the page showed.
  z.object({ intent: z.literal("change"), id: idField, was: role, role }),
  z.object({ intent: z.literal("take"), id: idField, was: role }),
  z.object({ intent: z.literal("reset"), email }),
]);

const domain = z.string().min(1).max(DOMAIN_MAX);

export const universityForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("add"),
    name: nameField(DOMAIN_TEXTS.name, DOMAIN_MAX, (name) => nameError(name, "university")),
    domain: z.string(DOMAIN_TEXTS.format).transform((typed, context) => {
      const read = readDomain(typed);
      if (read.ok) return read.domain;
      context.addIssue({ code: "custom", message: DOMAIN_TEXTS[read.code] });
      return z.NEVER;
    }),
  }),
  z.object({ intent: z.literal("remove"), id: domain }),
  z.object({
    intent: z.literal("add-login"),
    id: domain,
    issuer: z.string(LOGIN_TEXTS.issuer).max(ISSUER_URL_MAX, LOGIN_TEXTS.issuer),
    clientId: z.string(LOGIN_TEXTS.client).trim().min(1, LOGIN_TEXTS.client).max(CLIENT_ID_MAX, LOGIN_TEXTS.client),
    campus: z.string(LOGIN_TEXTS.campus).regex(/^\d{0,9}$/, LOGIN_TEXTS.campus),
  }),
  z.object({ intent: z.enum(["turn-on", "turn-off", "remove-login"]), id: domain }),
]);
