import { z } from "zod";
import { type CookieOptions, createSignedCookie, type SignedCookie } from "#app/platform/signed-cookie.server.ts";

/** Seconds: long enough to sign up and to open the link in the confirmation email. */
const LIFE_S = 60 * 60;

/**
 * `id` identifies the press. The button's address contains it, too, so a cookie from somebody else's press has no
 * effect.
 */
const press = z.object({ id: z.uuid(), productId: z.uuid() });

const pressedSchema = z.discriminatedUnion("action", [
  press.extend({
    action: z.literal("buy"),
    /** The key of the order, so that opening the product twice orders it once. */
    orderKey: z.uuid(),
    /** What the public page showed: pieces, and KES for one piece. */
    quantity: z.number().int().positive(),
    price: z.number().int().nonnegative(),
    /** `products.revision`. */
    revision: z.number().int().nonnegative().default(0),
  }),
  press.extend({ action: z.literal("message") }),
]);

/** A button that somebody pressed on the public page of a product. */
export type PressedAction = z.infer<typeof pressedSchema>;

/**
 * Carries what a visitor pressed on a public page through the login or sign-up to the product's own page, in a signed
 * cookie. Only our own page can set it, so a link alone never orders anything. It counts only at `pressedPath`, so the
 * next person at the same device doesn't order what somebody else has pressed.
 */
export type PendingAction = SignedCookie<PressedAction>;

/** Where a pressed button leads: the product's own page. */
export function pressedPath({ id, productId }: Pick<PressedAction, "id" | "productId">): string {
  return `/product/${productId}?pressed=${id}`;
}

export function createPendingAction(options: CookieOptions): PendingAction {
  return createSignedCookie("pending_action", pressedSchema, LIFE_S, options);
}
