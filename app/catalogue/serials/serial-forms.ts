import type { ProductImage } from "#app/db/product-image.ts";

/** The answer to a form of the screen of serial numbers. What was typed comes back for browsers without scripts. */
export interface SerialAnswer {
  intent: "ask" | "report" | "back";
  errors: Partial<Record<"form" | "serial" | "text" | "photos", string>>;
  /** Whether the one that was asked about is reported; null where it isn't known. */
  isReported: boolean | null;
  typed?: { serial: string; text: string };
  images?: ProductImage[];
}
