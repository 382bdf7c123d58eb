import { z } from "zod";
import { formNumber } from "#app/platform/form-number.ts";
import { idField } from "#app/team/form-fields.ts";

export const proposalForm = z.discriminatedUnion("intent", [
  // KES that the admin read, and when what they read was last changed, ms.
  z.object({ intent: z.literal("confirm"), id: idField, seenAmount: formNumber(), changedAt: formNumber().optional() }),
  z.object({ intent: z.literal("decline"), id: idField }),
]);
