import { z } from "zod";
import type { ProductImage } from "#app/db/product-image.ts";

const serial = z.string().default("");

/** The forms of the screen of serial numbers. */
export const serialForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("ask"), serial }),
  z.object({ intent: z.literal("report"), serial, text: z.string().default("") }),
  z.object({ intent: z.literal("back"), id: z.string() }),
]);

type Intent = z.infer<typeof serialForm>["intent"];

/** The answer to a form of the screen of serial numbers. What was typed comes back for browsers without scripts. */
export interface SerialAnswer {
  intent: Intent;
  errors: Partial<Record<"form" | "serial" | "text" | "photos", string>>;
  /** Whether the one that was asked about is reported; null where it isn't known. */
  isReported: boolean | null;
  typed?: { serial: string; text: string };
  images?: ProductImage[];
}
