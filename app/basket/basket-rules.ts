/** Rules of the cart and the wishlist (docs/product-rules.md, "Cart and wishlist"). */
export const QUANTITY_MIN = 1;
export const QUANTITY_MAX = 99;

/** How many different products a cart and a wishlist can hold, so that each fits on one page. */
export const CART_LINES_MAX = 200;
export const WISHLIST_MAX = 200;

/**
 * A change of the cart or the wishlist. Quantities in pieces, prices in KES. `price`, `steps` (in JSON) and `revision`:
 * of the product as the buyer saw it, as far as the screen shows them.
 */
export type BasketChange =
  | {
      intent: "add-to-cart";
      productId: string;
      quantity: number;
      price?: number | undefined;
      steps?: string | undefined;
      revision?: number | undefined;
      key?: string | undefined;
    }
  | { intent: "set-quantity"; productId: string; quantity: number }
  | { intent: "accept-price"; productId: string; price: number; revision?: number | undefined }
  | { intent: "remove-from-cart"; productId: string }
  | { intent: "clear-cart" }
  | { intent: "move-to-wishlist"; productId: string }
  | { intent: "add-to-wishlist"; productId: string }
  | { intent: "remove-from-wishlist"; productId: string }
  | { intent: "clear-wishlist" }
  | {
      intent: "move-to-cart";
      productId: string;
      quantity: number;
      price?: number | undefined;
      key?: string | undefined;
    };

export interface BasketAnswer {
  ok: boolean;
  kind: "success" | "info" | "warning" | "error";
  message: string;
}

/** The product is in the cart, and still on the wishlist. */
export const WISH_STAYS = "Added to cart but failed to remove from wishlist";

/**
 * What each change is made to, and whether its product is then in the cart and on the wishlist. Undefined: as before.
 */
const EFFECTS: Record<BasketChange["intent"], { target: string; cart?: boolean; wishlist?: boolean }> = {
  "add-to-cart": { target: "add", cart: true },
  "set-quantity": { target: "cart" },
  "accept-price": { target: "price" },
  "remove-from-cart": { target: "cart", cart: false },
  "clear-cart": { target: "clear-cart", cart: false },
  "move-to-wishlist": { target: "cart", cart: false, wishlist: true },
  "add-to-wishlist": { target: "wishlist", wishlist: true },
  "remove-from-wishlist": { target: "wishlist", wishlist: false },
  "clear-wishlist": { target: "clear-wishlist", wishlist: false },
  "move-to-cart": { target: "wishlist", cart: true, wishlist: false },
};

/** The target of a change. Changes of one target are sent one after the other; only the last waiting one is sent. */
export function targetOf(change: { intent: BasketChange["intent"]; productId?: string }): string {
  const { target } = EFFECTS[change.intent];
  return change.productId ? `${target}:${change.productId}` : target;
}

/** Ids of the products in a user's cart and on their wishlist. */
export interface BasketContents {
  cart: ReadonlySet<string>;
  wishlist: ReadonlySet<string>;
}

/** The cart and wishlist after `changes`. */
export function contentsAfter(
  contents: { cart: Iterable<string>; wishlist: Iterable<string> },
  changes: Iterable<BasketChange>,
): BasketContents {
  const cart = new Set(contents.cart);
  const wishlist = new Set(contents.wishlist);
  for (const change of changes) {
    const effect = EFFECTS[change.intent];
    apply(cart, change, change.intent === "set-quantity" && change.quantity === 0 ? false : effect.cart);
    apply(wishlist, change, effect.wishlist);
  }
  return { cart, wishlist };
}

/** Without a product, a change is made to all of them. */
function apply(ids: Set<string>, change: BasketChange, present: boolean | undefined): void {
  if (present === undefined) return;
  if (!("productId" in change)) ids.clear();
  else if (present) ids.add(change.productId);
  else ids.delete(change.productId);
}
