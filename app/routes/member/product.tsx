import { useEffect } from "react";
import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/product.ts";
import { productAwayText } from "#app/accounts/holiday.ts";
import { BuyBox } from "#app/basket/components/buy-box.tsx";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { WishlistHeart } from "#app/basket/components/wishlist-heart.tsx";
import { belowMinimumText, quantityWarning, tooLargeText } from "#app/basket/list-rules.ts";
import { noteView } from "#app/catalogue/browsing-history.ts";
import { HiddenNotice } from "#app/catalogue/components/hidden-listing.tsx";
import { MoreFromSeller } from "#app/catalogue/components/more-from-seller.tsx";
import { OwnerPanel } from "#app/catalogue/components/owner-panel-later.ts";
import { ProductFailure } from "#app/catalogue/components/product-failure.tsx";
import { ProductView } from "#app/catalogue/components/product-view.tsx";
import { readSteps, unitPrice } from "#app/catalogue/price-step-rules.ts";
import { WaitingList } from "#app/catalogue/components/waiting-list.tsx";
import { publicProductPath } from "#app/platform/public-links.ts";
import { pressedPath } from "#app/platform/pending-action.server.ts";
import { screenPath } from "#app/platform/screen-path.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { MessageDialog } from "#app/messaging/components/message-dialog-later.ts";
import { ReportLink } from "#app/moderation/components/report-link.tsx";
import { OFFER } from "#app/db/states/offer.ts";
import { ProductOffer } from "#app/offers/components/product-offer.tsx";
import { placeOrder, type PlaceOrderResult } from "#app/orders/place-order.server.ts";
import { ORDERED_TOO_OFTEN_TEXT, payingText } from "#app/orders/order-rules.ts";
import { productScreen, readScreen } from "#app/screens/screen-reads.server.ts";
import { leadToPayment } from "#app/screens/actions/pay-first.server.ts";
import { Callout } from "#app/ui/callout.tsx";
import { passOn } from "#app/ui/no-answer.ts";
import { pageTitle } from "#app/ui/page-title.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: pageTitle("Product Not Found") }];
  const { product, origin } = loaderData;
  return [
    { title: pageTitle(product.name) },
    { tagName: "link", rel: "canonical", href: origin + publicProductPath(product) },
  ];
}

export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const page = await readScreen(args, productScreen);
  if (!page) throw data(null, { status: 404 });
  const pending = await services.pendingAction.read(request);
  // What they pressed on the public page. It takes effect once.
  const pressed = pending !== null && screenPath(request) === pressedPath(pending) ? pending : null;
  return data(
    {
      ...page,
      isOwner: page.product.sellerId === viewer.id,
      readAt: services.now(),
      pressed,
      orderKey: pressed?.action === "buy" ? pressed.orderKey : crypto.randomUUID(),
      messageKey: crypto.randomUUID(),
      origin: new URL(request.url).origin,
    },
    pressed ? { headers: { "Set-Cookie": await services.pendingAction.clear() } } : undefined,
  );
}

const form = z.object({
  intent: z.literal("buy-now"),
  quantity: z.coerce.number().int(),
  orderKey: z.uuid(),
  // What the page showed. Another price or another step in the database refuses the order.
  price: z.coerce.number().int(),
  steps: z.string().max(500).default("[]").transform(readSteps),
});

export async function action({ request, params: { productId }, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ ok: false, message: BAD_QUANTITY }, 400);
  if (!(await services.limits.write(viewer.id))) return data({ ok: false, message: TOO_MANY_REQUESTS }, 429);
  const { quantity, orderKey, price, steps } = parsed.data;
  const placed = await placeOrder(services, {
    userId: viewer.id,
    idempotencyKey: `${orderKey}-${quantity}`,
    expectedAmount: unitPrice({ price, steps }, quantity) * quantity,
    from: { productId, quantity },
  });
  if (placed.ok) return redirect(`/checkout/${placed.orderId}`);
  if (placed.code === "paying") return leadToPayment(services, placed.orderId, payingText(placed));
  return data({ ok: false, message: refusalText(placed) }, 409);
}

function refusalText(refused: Exclude<PlaceOrderResult, { ok: true } | { code: "paying" }>): string {
  switch (refused.code) {
    case "away":
      return productAwayText(refused);
    case "over_limit":
      return quantityWarning(refused.max);
    case "below_minimum":
      return belowMinimumText(refused.name, refused.min);
    case "too_large":
      return tooLargeText(refused.amount);
    default:
      return BUY_NOW_TEXTS[refused.code];
  }
}

const BAD_QUANTITY = "Please check the quantity and try again";

const BUY_NOW_TEXTS = {
  empty: "Failed to process purchase",
  bad_quantity: BAD_QUANTITY,
  too_many: ORDERED_TOO_OFTEN_TEXT,
  // Only a cart can hold several products.
  too_many_last: "Failed to process purchase",
  // Buy Now uses no offer.
  offer_over: "Failed to process purchase",
  unavailable: "This product is no longer available",
  price_changed: "The price has changed. Please check it before you buy.",
} as const;

/** A lost answer keeps the screen, and with it the key under which the next press finds the same order. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false, message: BUY_NOW_TEXTS.empty }));
}

export default function Product({ loaderData, actionData }: Route.ComponentProps) {
  const { product, more, isOwner, pressed, orderKey, messageKey, origin, readAt } = loaderData;
  const cardParts = useBasketCardParts();
  useEffect(() => {
    // Going back or reloading finds the product without what was pressed.
    if (pressed) window.history.replaceState(window.history.state, "", window.location.pathname);
  }, [pressed]);
  useEffect(() => {
    const { id, name, price, image } = product;
    noteView({ id, name, price, image }, Date.now());
  }, [product]);

  const hasAgreedPrice = product.ownOffer !== null && OFFER.isAccepted(product.ownOffer.state);
  const contact = (
    <MessageDialog
      key={product.id}
      product={product}
      recipientName={product.seller.name || "Anonymous Seller"}
      messageKey={messageKey}
      startsOpen={pressed?.action === "message"}
      origin={origin}
    />
  );
  const { name, shopName, awayUntil } = product.seller;
  // Nobody can buy from a seller on holiday.
  const moreParts: typeof cardParts = (listed) => ({
    ...cardParts(listed),
    ...(awayUntil !== null && { action: undefined }),
  });
  const away = awayUntil !== null && (
    <Callout tone="orange">{productAwayText({ seller: name || shopName || "The seller", until: awayUntil })}</Callout>
  );
  const offer = away ? null : hasAgreedPrice || product.status === "active" ? <ProductOffer product={product} /> : null;
  const offerInBar =
    offer !== null && !product.payingOrderId && (hasAgreedPrice || (!product.ownOffer && !product.reservedByOthers));
  const notice = offerInBar ? offer : <WaitingList key={`wait ${product.id}`} product={product} readAt={readAt} />;
  return (
    <>
      <CardForms />
      <ProductView
        product={product}
        corner={isOwner ? undefined : <WishlistHeart product={product} />}
        notice={product.hidden && <HiddenNotice hidden={product.hidden} />}
        contact={isOwner ? undefined : contact}
        report={isOwner ? undefined : <ReportLink subject="listing" id={product.id} />}
        more={<MoreFromSeller sellerId={product.sellerId} products={more} cardParts={moreParts} />}
      >
        {isOwner ? (
          <OwnerPanel product={product} />
        ) : (
          <>
            {/* The last piece is reserved for the viewer at the agreed price, so it isn't offered at the full one. */}
            {away || (hasAgreedPrice && product.stock === 1) ? (
              <div className="sticky-bar">
                <div className="sticky-bar__notice">{away || notice}</div>
              </div>
            ) : (
              <BuyBox
                key={product.id}
                product={product}
                orderKey={orderKey}
                result={actionData ?? null}
                notice={notice}
                hasBuyNow={!hasAgreedPrice}
                pressed={pressed?.action === "buy" ? pressed : null}
              />
            )}
            {!offerInBar && offer}
          </>
        )}
      </ProductView>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ProductFailure error={error} />;
}
