import type { Condition, ProductStatus } from "#app/catalogue/catalogue-rules.ts";
import type { PersonName } from "#scripts/seed/people.ts";
import type { PhotoName } from "#scripts/seed/photos.ts";

/** One listing, as its seller wrote it. */
export interface Listing {
  photo: PhotoName;
  name: string;
  /** KES; 0 is a giveaway. */
  price: number;
  condition: Condition;
  about: string;
  /** The crossed-out price in KES. */
  was?: number;
  /** The seller. By default the campus chooses one. */
  by?: PersonName;
  status?: ProductStatus;
  /** How many there are; null means no limit. By default one of what is used, and no limit for what is new. */
  pieces?: number | null;
  /** The prohibited word for which our team looks at it before it is published. */
  heldFor?: string;
}

export type CategoryId =
  | "textbooks"
  | "electronics"
  | "stationery"
  | "study-materials"
  | "fashion"
  | "gadgets"
  | "furniture"
  | "kitchen"
  | "sports"
  | "beauty"
  | "services"
  | "other";

/** Shorthand for the long lists: picture, name, price in KES, condition, description, and special fields. */
export function item(
  photo: PhotoName,
  name: string,
  price: number,
  condition: Condition,
  about: string,
  more: Pick<Listing, "was" | "by" | "status" | "pieces" | "heldFor"> = {},
): Listing {
  return { photo, name, price, condition, about, ...more };
}
