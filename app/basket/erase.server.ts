import { eq } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { cartItems, wishlistItems } from "./tables.server.ts";

/** The account is being deleted: its cart and its wishlist go. */
export function eraseBasket(userId: string): Statement[] {
  return [
    build.delete(cartItems).where(eq(cartItems.userId, userId)),
    build.delete(wishlistItems).where(eq(wishlistItems.userId, userId)),
  ];
}
