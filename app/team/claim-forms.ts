/** The forms by which an admin takes what waits, and gives it back. */
import { z } from "zod";
import { idField } from "./form-fields.ts";

/** `over`: whose claim the page showed. Only that one is taken over. */
export const claimForms = [
  z.object({ intent: z.literal("claim"), id: idField, over: idField.optional() }),
  z.object({ intent: z.literal("release"), id: idField }),
] as const;

export type ClaimForm = z.infer<(typeof claimForms)[number]>;
