import { z } from "zod";
import { formNumber } from "#app/platform/form-number.ts";
import { readSteps, WHOLESALE_QUANTITY_MAX } from "#app/catalogue/selling/price-step-rules.ts";

const productId = z.uuid();
const price = formNumber().optional();
const steps = z
  .string()
  .max(500)
  .transform((sent) => JSON.stringify(readSteps(sent)))
  .optional();
const revision = formNumber().optional();
const key = z.uuid().optional();

/**
 * A change of the cart or wishlist as forms send it. `key`: a request that is repeated with the same key adds only
 * once. A wishlist's quantity only has to exceed 0, because the cart checks its own limit.
 */
export const basketChangeSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("add-to-cart"), productId, quantity: formNumber(1), price, steps, revision, key }),
  z.object({ intent: z.literal("set-quantity"), productId, quantity: formNumber(0, WHOLESALE_QUANTITY_MAX) }),
  z.object({ intent: z.literal("accept-price"), productId, price: formNumber(), revision }),
  z.object({ intent: z.literal("remove-from-cart"), productId }),
  z.object({ intent: z.literal("clear-cart") }),
  z.object({ intent: z.literal("move-to-wishlist"), productId }),
  z.object({ intent: z.literal("add-to-wishlist"), productId }),
  z.object({ intent: z.literal("remove-from-wishlist"), productId }),
  z.object({ intent: z.literal("clear-wishlist") }),
  z.object({ intent: z.literal("move-to-cart"), productId, quantity: formNumber(1), price, key }),
]);
