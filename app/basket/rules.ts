/** Rules of the cart and the wishlist (docs/product-rules.md, "Cart and wishlist"). */
export const QUANTITY_MIN = 1;
export const QUANTITY_MAX = 99;

/** How many different products a cart and a wishlist can hold, so that each fits on one page. */
export const CART_LINES_MAX = 200;
export const WISHLIST_MAX = 200;

/** A change of the cart or the wishlist. Quantities in pieces, prices in KES. */
export type BasketChange =
  | { intent: "add-to-cart"; productId: string; quantity: number; key?: string | undefined }
  | { intent: "set-quantity"; productId: string; quantity: number }
  | { intent: "accept-price"; productId: string; price: number }
  | { intent: "remove-from-cart"; productId: string }
  | { intent: "clear-cart" }
  | { intent: "move-to-wishlist"; productId: string }
  | { intent: "add-to-wishlist"; productId: string }
  | { intent: "remove-from-wishlist"; productId: string }
  | { intent: "clear-wishlist" }
  | { intent: "move-to-cart"; productId: string; quantity: number; key?: string | undefined };

export interface BasketAnswer {
  ok: boolean;
  kind: "success" | "info" | "warning" | "error";
  message: string;
}

/** The product is in the cart, and still on the wishlist. */
export const WISH_STAYS = "Added to cart but failed to remove from wishlist";

const TARGETS = {
  "add-to-cart": "add",
  "set-quantity": "cart",
  "accept-price": "price",
  "remove-from-cart": "cart",
  "clear-cart": "clear-cart",
  "move-to-wishlist": "cart",
  "add-to-wishlist": "wishlist",
  "remove-from-wishlist": "wishlist",
  "clear-wishlist": "clear-wishlist",
  "move-to-cart": "wishlist",
} as const satisfies Record<BasketChange["intent"], string>;

/** The target of a change. Changes of one target are sent one after the other; only the last waiting one is sent. */
export function targetOf(change: { intent: BasketChange["intent"]; productId?: string }): string {
  return change.productId ? `${TARGETS[change.intent]}:${change.productId}` : TARGETS[change.intent];
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
  const effects: Record<BasketChange["intent"], (id: string, change: BasketChange) => void> = {
    "add-to-cart": (id) => cart.add(id),
    "set-quantity": (id, change) => "quantity" in change && change.quantity === 0 && cart.delete(id),
    "accept-price": () => {},
    "remove-from-cart": (id) => cart.delete(id),
    "clear-cart": () => cart.clear(),
    "move-to-wishlist": (id) => cart.delete(id) && wishlist.add(id),
    "add-to-wishlist": (id) => wishlist.add(id),
    "remove-from-wishlist": (id) => wishlist.delete(id),
    "clear-wishlist": () => wishlist.clear(),
    "move-to-cart": (id) => wishlist.delete(id) && cart.add(id),
  };
  for (const change of changes) effects[change.intent]("productId" in change ? change.productId : "", change);
  return { cart, wishlist };
}
