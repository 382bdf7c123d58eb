import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/product.ts";
import { BuyBox } from "#app/basket/components/buy-box.tsx";
import { WishlistHeart } from "#app/basket/components/wishlist-heart.tsx";
import { QUANTITY_MAX_WARNING } from "#app/basket/rules.ts";
import { ProductView } from "#app/catalogue/components/product-view.tsx";
import { findProduct } from "#app/catalogue/products.server.ts";
import { requireViewer, servicesContext } from "#app/context.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { pageTitle } from "#app/ui/page-title.ts";
import { Callout } from "#app/ui/callout.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/state.tsx";

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: pageTitle(loaderData?.product.name ?? "Product Not Found") }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const product = await findProduct(context.get(servicesContext).db, params.productId, viewer.id);
  if (!product) throw data(null, { status: 404 });
  return { product, isOwner: product.sellerId === viewer.id, orderKey: crypto.randomUUID() };
}

const form = z.object({ intent: z.literal("buy-now"), quantity: z.coerce.number().int(), orderKey: z.uuid(), price: z.coerce.number().int() });

export async function action({ request, params, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ ok: false, message: "Please choose a quantity from 1 to 99" }, 400);
  if (!(await services.limits.write(viewer.id))) return data({ ok: false, message: "Too many requests. Please try again later." }, 429);
  const { quantity, orderKey, price } = parsed.data;

  const placed = await placeOrder(services, {
    userId: viewer.id,
    idempotencyKey: `${orderKey}-${quantity}`,
    expectedAmount: price * quantity,
    from: { productId: params.productId, quantity },
  });
  if (placed.ok) return redirect(`/checkout/${placed.orderId}`);
  return data({ ok: false, message: BUY_NOW_TEXTS[placed.code] }, 409);
}

const BUY_NOW_TEXTS = {
  empty: "Failed to process purchase",
  bad_quantity: QUANTITY_MAX_WARNING,
  unavailable: "This product is not available any more",
  price_changed: "The price has changed. Please look at it again before you buy.",
} as const;

/** A lost answer keeps the screen, and with it the key under which the next press finds the same order. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    return data({ ok: false, message: BUY_NOW_TEXTS.empty }, 503);
  }
}

export default function Product({ loaderData, actionData }: Route.ComponentProps) {
  const { product, isOwner, orderKey } = loaderData;
  return (
    <ProductView product={product} corner={isOwner ? undefined : <WishlistHeart product={product} />}>
      {isOwner ? <Callout tone="gold">This is your own listing.</Callout> : <BuyBox key={product.id} product={product} orderKey={orderKey} result={actionData ?? null} />}
    </ProductView>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = typeof error === "object" && error !== null && "status" in error && error.status === 404;
  return (
    <div className="page">
      <EmptyState
        level={1}
        icon={missing ? "search" : "circle-alert"}
        title={missing ? "Product Not Found" : "Failed to load product details"}
        sentence={missing ? "The product you're looking for doesn't exist or has been removed." : "Please check your connection and try again."}
        action={<LinkButton to="/studentmarketplace">Back to Marketplace</LinkButton>}
      />
    </div>
  );
}
