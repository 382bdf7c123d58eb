import { orderBlockedText } from "#app/accounts/trust/block-rules.ts";
import type { Store } from "#app/db/client.ts";
import { piecesText } from "#app/catalogue/selling/price-step-rules.ts";
import { FAILED_TEXTS } from "./failed-texts.ts";
import { acceptPrice, addToCart, type CartRefusal, clearCart, removeFromCart, setCartQuantity } from "./cart.server.ts";
import { quantityWarning } from "./quantity-rules.ts";
import { type BasketAnswer, type BasketChange, CART_LINES_MAX, WISH_STAYS, WISHLIST_MAX } from "./basket-rules.ts";
import { addToWishlist, clearWishlist, moveToCart, moveToWishlist, removeFromWishlist } from "./wishlist.server.ts";

/** Makes one change of a user's cart or wishlist, and returns the message for the user. */
export async function changeBasket(store: Store, userId: string, change: BasketChange): Promise<BasketAnswer> {
  const failed = error(FAILED_TEXTS[change.intent]);
  switch (change.intent) {
    case "add-to-cart": {
      const added = await addToCart(store, { userId, ...change });
      if (!added.ok) return refusal(added, failed);
      return success(`${added.name} added to cart${raisedText(added)}`);
    }
    case "set-quantity": {
      const set = await setCartQuantity(store, { userId, ...change });
      if (set.ok) return success("Cart updated successfully");
      return set.max === null ? failed : warning(quantityWarning(set.max));
    }
    case "accept-price": {
      const { ok } = await acceptPrice(store, { userId, ...change });
      return ok ? success("Cart updated successfully") : failed;
    }
    case "remove-from-cart": {
      const { name } = await removeFromCart(store, { userId, ...change });
      return success(`${name} removed from cart`);
    }
    case "clear-cart":
      await clearCart(store, userId);
      return success("Cart cleared successfully");
    case "move-to-wishlist": {
      const moved = await moveToWishlist(store, { userId, ...change });
      if (!moved.ok) return failed;
      return moved.already
        ? { ok: true, kind: "info", message: `${moved.name} is already in your wishlist` }
        : success(`${moved.name} moved to wishlist`);
    }
    case "add-to-wishlist": {
      const added = await addToWishlist(store, { userId, ...change });
      if (added.ok) return success(`${added.name} added to wishlist`);
      return added.code === "full" ? warning(`Your wishlist is full. It holds up to ${WISHLIST_MAX} products`) : failed;
    }
    case "remove-from-wishlist": {
      const { name } = await removeFromWishlist(store, { userId, ...change });
      return success(`${name} removed from wishlist`);
    }
    case "clear-wishlist":
      await clearWishlist(store, userId);
      return success("Wishlist cleared successfully");
    case "move-to-cart": {
      const moved = await moveToCart(store, { userId, ...change });
      if (!moved.ok) return refusal(moved, failed);
      return moved.wishStays
        ? { ok: true, kind: "warning", message: WISH_STAYS + raisedText(moved, ". In your cart: ") }
        : success(`${moved.name} moved to cart${raisedText(moved)}`);
    }
  }
}

function refusal(refused: CartRefusal, failed: BasketAnswer): BasketAnswer {
  switch (refused.code) {
    case "over_limit":
      return warning(quantityWarning(refused.max));
    case "blocked":
      return warning(orderBlockedText(refused));
    case "in_cart":
      return { ok: true, kind: "info", message: `${refused.name} is already in your cart` };
    case "cart_full":
      return warning(`Your cart is full. It holds up to ${CART_LINES_MAX} different products`);
    default:
      return failed;
  }
}

/** Ends the message about pieces that were put into the cart, where they are more than were asked for. */
function raisedText({ raisedTo }: { raisedTo: number | null }, start = ": "): string {
  return raisedTo === null ? "" : `${start}${piecesText(raisedTo)}, the smallest order`;
}

function success(message: string): BasketAnswer {
  return { ok: true, kind: "success", message };
}

function warning(message: string): BasketAnswer {
  return { ok: false, kind: "warning", message };
}

function error(message: string): BasketAnswer {
  return { ok: false, kind: "error", message };
}
