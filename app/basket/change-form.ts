import { z } from "zod";
import { WHOLESALE_QUANTITY_MAX } from "#app/catalogue/price-step-rules.ts";

const productId = z.uuid();
const pieces = z.coerce.number().int();
const key = z.uuid().optional();

/**
 * A change of the cart or wishlist as forms send it. `key`: a request that is repeated with the same key adds only
 * once. A wishlist's quantity only has to exceed 0, because the cart checks its own limit.
 */
export const basketChangeSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("add-to-cart"), productId, quantity: pieces.min(1), key }),
  z.object({ intent: z.literal("set-quantity"), productId, quantity: pieces.min(0).max(WHOLESALE_QUANTITY_MAX) }),
  z.object({ intent: z.literal("accept-price"), productId, price: z.coerce.number().int().min(0) }),
  z.object({ intent: z.literal("remove-from-cart"), productId }),
  z.object({ intent: z.literal("clear-cart") }),
  z.object({ intent: z.literal("move-to-wishlist"), productId }),
  z.object({ intent: z.literal("add-to-wishlist"), productId }),
  z.object({ intent: z.literal("remove-from-wishlist"), productId }),
  z.object({ intent: z.literal("clear-wishlist") }),
  z.object({ intent: z.literal("move-to-cart"), productId, quantity: pieces.min(1), key }),
]);
