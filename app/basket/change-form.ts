import { z } from "zod";
import { QUANTITY_MAX } from "./rules.ts";

const productId = z.uuid();
const pieces = z.coerce.number().int();

/** A change of the cart or the wishlist, as forms send it. The cart refuses more than it holds itself, so that it can say why. */
export const basketChangeSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("add-to-cart"), productId, quantity: pieces.min(1) }),
  z.object({ intent: z.literal("set-quantity"), productId, quantity: pieces.min(0).max(QUANTITY_MAX) }),
  z.object({ intent: z.literal("accept-price"), productId, price: z.coerce.number().int().min(0) }),
  z.object({ intent: z.literal("remove-from-cart"), productId }),
  z.object({ intent: z.literal("clear-cart") }),
  z.object({ intent: z.literal("move-to-wishlist"), productId }),
  z.object({ intent: z.literal("add-to-wishlist"), productId }),
  z.object({ intent: z.literal("remove-from-wishlist"), productId }),
  z.object({ intent: z.literal("clear-wishlist") }),
  z.object({ intent: z.literal("move-to-cart"), productId, quantity: pieces.min(1) }),
]);
