import { orderBlockedText } from "#app/accounts/trust/block-rules.ts";
import { orderAwayText } from "#app/accounts/profile/holiday.ts";
import { listCart } from "#app/basket/cart.server.ts";
import { belowMinimumText, isOrdered, leftOutText, ONLY_OFFERS_TEXT, tooLargeText } from "#app/basket/list-rules.ts";
import { quantityWarning } from "#app/basket/quantity-rules.ts";
import type { Store } from "#app/db/client.ts";
import { placeOrder, type PlaceOrderResult } from "./place-order.server.ts";
import { FREE_TOO_MANY_TEXT, ORDERED_TOO_OFTEN_TEXT, payingText } from "./order-rules.ts";
import { LAST_PIECES_MAX } from "./order-limit-rules.ts";

type OrderCartResult =
  | { ok: true; orderId: string }
  /** `payFirst`: the buyer's order that is being paid right now. */
  | { ok: false; message: string; payFirst?: string };

/**
 * Orders what of the cart can be bought now, but for what has an accepted offer, once for each key. The buyer must
 * first accept changed prices. `expectedAmount` is the total that the buyer saw, in KES.
 */
export async function orderCart(
  store: Store,
  input: { userId: string; idempotencyKey: string; expectedAmount: number },
): Promise<OrderCartResult> {
  const lines = await listCart(store, input.userId);
  if (lines.length > 0 && lines.every((line) => line.offer)) return { ok: false, message: ONLY_OFFERS_TEXT };
  const unsettled = lines.filter((line) => isOrdered(line) && line.price !== line.priceWhenAdded);
  if (unsettled.length > 0)
    return {
      ok: false,
      message: `The price of ${unsettled.map((line) => line.name).join(", ")} has changed. Please accept it to continue.`,
    };
  const placed = await placeOrder(store, { ...input, from: { cart: true } });
  // What can't be bought any more was in the total that the buyer saw.
  const leftOut = leftOutText(lines);
  if (!placed.ok && leftOut && (placed.code === "price_changed" || placed.code === "empty"))
    return { ok: false, message: leftOut };
  if (placed.ok) return placed;
  if (placed.code === "paying") return { ok: false, message: payingText(placed), payFirst: placed.orderId };
  return { ok: false, message: refusalText(placed) };
}

function refusalText(refused: Exclude<PlaceOrderResult, { ok: true } | { code: "paying" }>): string {
  switch (refused.code) {
    case "empty":
      return "Your cart is empty";
    case "unavailable":
      return `No longer available: ${refused.names.join(", ")}. Please remove it to continue.`;
    // The cart leaves these two out.
    case "away":
      return orderAwayText(refused);
    case "blocked":
      return orderBlockedText(refused);
    case "price_changed":
      return "A price or quantity has changed since you opened this page. Please check the new total and try again.";
    case "listing_changed":
      return `The seller changed ${refused.names.join(", ")}. Please look at it and accept it to continue.`;
    case "too_many":
      return ORDERED_TOO_OFTEN_TEXT;
    case "too_many_free":
      return FREE_TOO_MANY_TEXT;
    case "over_limit":
      return quantityWarning(refused.max);
    case "below_minimum":
      return belowMinimumText(refused.name, refused.min);
    case "too_large":
      return tooLargeText(refused.amount);
    case "too_many_last":
      return `This order would take the last piece of more than ${LAST_PIECES_MAX} products. Move some to your wishlist and order them later.`;
    // A cart contains no offers.
    case "offer_over":
    case "bad_quantity":
      return "Failed to proceed to checkout";
  }
}
