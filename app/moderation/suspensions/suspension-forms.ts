import { z } from "zod";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { idField, wordsField } from "#app/team/form-fields.ts";

export const suspendOrRestore = [
  z.object({ intent: z.literal("suspend-user"), id: idField, reason: wordsField(ADMIN_TEXTS.reason) }),
  z.object({ intent: z.literal("restore-user"), id: idField }),
] as const;
