/** An admin takes what waits before they decide it. A claim ends by itself, so that nothing waits for who went home. */
import { z } from "zod";
import { idField } from "./form-fields.ts";

export const CLAIM_MS = 2 * 60 * 60_000;

/** `over`: whose claim the page showed. Only that one is taken over. */
export const claimForms = [
  z.object({ intent: z.literal("claim"), id: idField, over: idField.optional() }),
  z.object({ intent: z.literal("release"), id: idField }),
] as const;

export type ClaimForm = z.infer<(typeof claimForms)[number]>;

/** Who has something, until when (ms since 1970). */
export interface Claim {
  adminId: string;
  name: string;
  until: number;
}
