import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/cart.ts";
import { CartView } from "#app/basket/components/cart-view.tsx";
import { clearCart, listCart, removeFromCart, setCartQuantity } from "#app/basket/cart.server.ts";
import { cartTotals } from "#app/basket/rules.ts";
import { requireViewer, servicesContext } from "#app/context.ts";
import { cartOrderKey, placeOrder } from "#app/orders/place-order.server.ts";
import { pageTitle } from "#app/ui/page-title.ts";

export function meta() {
  return [{ title: pageTitle("Cart") }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const lines = await listCart(context.get(servicesContext).db, requireViewer(context).id);
  return { lines, totals: cartTotals(lines), orderKey: await cartOrderKey(lines) };
}

const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("set-quantity"), productId: z.uuid(), quantity: z.coerce.number().int().min(0).max(99) }),
  z.object({ intent: z.literal("remove"), productId: z.uuid(), name: z.string().max(300) }),
  z.object({ intent: z.literal("clear") }),
  z.object({ intent: z.literal("checkout"), orderKey: z.string().min(8).max(64), total: z.coerce.number().int().min(0) }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ ok: false, message: "Failed to update cart" }, 400);
  if (!(await services.limits.write(viewer.id))) return data({ ok: false, message: "Too many requests. Please try again later." }, 429);
  const input = parsed.data;
  if (input.intent === "checkout") return checkout(services, viewer.id, input);

  if (input.intent === "set-quantity") await setCartQuantity(services, { userId: viewer.id, productId: input.productId, quantity: input.quantity });
  if (input.intent === "remove") await removeFromCart(services, { userId: viewer.id, productId: input.productId });
  if (input.intent === "clear") await clearCart(services, viewer.id);
  services.defer(services.notifier.notify(viewer.id, { type: "cart" }));
  const message = { "set-quantity": "Cart updated successfully", remove: `${"name" in input ? input.name : ""} removed from cart`, clear: "Cart cleared successfully" };
  return { ok: true, message: message[input.intent] };
}

async function checkout(services: Parameters<typeof placeOrder>[0], userId: string, input: { orderKey: string; total: number }) {
  const placed = await placeOrder(services, { userId, idempotencyKey: input.orderKey, expectedAmount: input.total, from: { cart: true } });
  if (placed.ok) return redirect(`/checkout/${placed.orderId}`);
  const messages = {
    empty: "Your cart is empty",
    bad_quantity: "Failed to proceed to checkout",
    unavailable: `Not available any more: ${"names" in placed ? placed.names.join(", ") : ""}. Please remove it to go on.`,
    price_changed: "A price or quantity has changed since this page was loaded. Please look at the new total and try again.",
  };
  return data({ ok: false, message: messages[placed.code] }, 409);
}

export default function Cart({ loaderData, actionData }: Route.ComponentProps) {
  return <CartView {...loaderData} result={actionData ?? null} />;
}
