import type { Condition, ProductStatus } from "#app/catalogue/rules.ts";
import type { PersonName } from "#scripts/seed/people.ts";
import type { PhotoName } from "#scripts/seed/photos.ts";

/** One thing for sale, as its seller wrote it. */
export interface Listing {
  photo: PhotoName;
  name: string;
  /** KES; 0 is a giveaway. */
  price: number;
  condition: Condition;
  about: string;
  /** KES, struck through. */
  was?: number;
  /** Who sells it; else whoever the campus finds. */
  by?: PersonName;
  status?: ProductStatus;
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

/** Short hand for the long lists: picture, name, price in KES, condition, description, and what is unusual. */
export function item(
  photo: PhotoName,
  name: string,
  price: number,
  condition: Condition,
  about: string,
  more: Pick<Listing, "was" | "by" | "status"> = {},
): Listing {
  return { photo, name, price, condition, about, ...more };
}
