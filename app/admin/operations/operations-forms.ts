import { z } from "zod";
import { idField } from "#app/team/form-fields.ts";

export const operationsForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("send"), id: idField }),
  z.object({ intent: z.literal("send-all") }),
]);
