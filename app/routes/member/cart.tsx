import type { ComponentProps } from "react";
import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/cart.ts";
import { CartView } from "#app/basket/components/cart-view.tsx";
import { listCart } from "#app/basket/cart.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { PayAgreedPrice } from "#app/offers/components/own-offer.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { cartOrderKey } from "#app/orders/place-order.server.ts";
import { redirectToPayment } from "#app/screens/actions/redirect-to-payment.server.ts";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ErrorState, TRY_AGAIN } from "#app/ui/feedback/state.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Cart");
}

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const lines = await listCart(services, requireViewer(context).id);
  return { lines, readAt: services.now(), orderKey: await cartOrderKey(lines) };
}

const FAILED = "Failed to proceed to checkout";
const form = z.object({
  intent: z.literal("checkout"),
  orderKey: z.string().min(8).max(64),
  total: formNumber(),
});

/** Handles Proceed to Checkout. The root's action handles all other changes of the cart. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ ok: false, message: FAILED }, 400);
  if (!(await services.limits.write(viewer.id))) return data({ ok: false, message: TOO_MANY_REQUESTS }, 429);
  const placed = await orderCart(services, {
    userId: viewer.id,
    idempotencyKey: parsed.data.orderKey,
    expectedAmount: parsed.data.total,
  });
  if (placed.ok) return redirect(`/checkout/${placed.orderId}`);
  if (placed.payFirst) return redirectToPayment(services, placed.payFirst, placed.message);
  return data({ ok: false, message: placed.message }, 200);
}

/** A lost answer keeps the cart. The next press finds the same order, because its key is computed from the lines. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false as const, message: FAILED }));
}

/** An offer whose price changed meanwhile is shown with the new one. */
export const shouldRevalidate = reloadsOnConflict;

type Agreed = ComponentProps<typeof PayAgreedPrice>;

function payOffer(offer: Agreed["offer"], feeRule: Agreed["feeRule"]) {
  return <PayAgreedPrice offer={offer} feeRule={feeRule} wide={false} />;
}

export default function Cart({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <CartView {...loaderData} result={answer} payOffer={payOffer} />;
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <ErrorState level={1} title="An error occurred" sentence={`We couldn't load your cart. ${TRY_AGAIN}`} />
    </div>
  );
}
