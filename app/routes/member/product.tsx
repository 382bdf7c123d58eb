import "#app/catalogue/selling/components/hidden-listing.css";
import "#app/catalogue/selling/components/stock-stepper.css";
import "#app/ui/feedback/moment.css";
import { type ComponentProps, type ReactNode, Suspense, useEffect } from "react";
import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/product.ts";
import { productBlockedText } from "#app/accounts/trust/block-rules.ts";
import { productAwayText } from "#app/accounts/profile/holiday.ts";
import { useBasket } from "#app/basket/components/basket-provider.tsx";
import { BuyBox } from "#app/basket/components/buy-box.tsx";
import { MoreProducts } from "#app/basket/components/more-products.tsx";
import { ProductHeart } from "#app/basket/components/product-heart.tsx";
import { findLowering } from "#app/basket/lower-price.server.ts";
import { belowMinimumText, tooLargeText } from "#app/basket/list-rules.ts";
import { quantityWarning } from "#app/basket/quantity-rules.ts";
import { UNCONFIRMED_TEXT } from "#app/catalogue/catalogue-rules.ts";
import { noteView } from "#app/catalogue/browse/browsing-history.ts";
import { ProductFailure } from "#app/catalogue/product/components/product-failure.tsx";
import { ReservedCallout, WaitButton } from "#app/catalogue/stock/components/waiting-list.tsx";
import { ProductView } from "#app/catalogue/product/components/product-view.tsx";
import { readSteps, unitPrice } from "#app/catalogue/selling/price-step-rules.ts";
import { openProductScreen } from "#app/catalogue/product/product-screen.server.ts";
import { summarizeProductPage } from "#app/catalogue/product/product-page-summary.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { publicProductPath } from "#app/public-links.ts";
import { pressedPath } from "#app/catalogue/product/pending-action.server.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { useBoxInPage } from "#app/messaging/components/first-message.tsx";
import { MessageDialog } from "#app/messaging/components/message-dialog.tsx";
import { ReportLink } from "#app/moderation/reports/report-link.tsx";
import { isView } from "#app/upkeep/listing-counter.ts";
import { OwnOffer, PayAgreedPrice } from "#app/offers/components/own-offer.tsx";
import { placeOrder, type PlaceOrderResult } from "#app/orders/place-order.server.ts";
import { FREE_TOO_MANY_TEXT, ORDERED_TOO_OFTEN_TEXT, payingText } from "#app/orders/order-rules.ts";
import { findPriceGuide } from "#app/screens/price-guide/price-guide.server.ts";
import { redirectToPayment } from "#app/screens/actions/redirect-to-payment.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { LISTING_ANSWERS } from "#app/catalogue/selling/listing-answers.ts";
import { isJust } from "#app/ui/feedback/just.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** Only its seller sees these three, so buyers don't load their scripts. Their styles come with the page. */
const OwnerPanel = import.meta.env.SSR
  ? (await import("#app/catalogue/selling/components/owner-panel.tsx")).OwnerPanel
  : lazyPart(async () => (await import("#app/catalogue/selling/components/owner-panel.tsx")).OwnerPanel);

const ListedMoment = import.meta.env.SSR
  ? (await import("#app/catalogue/selling/components/listed-moment.tsx")).ListedMoment
  : lazyPart(async () => (await import("#app/catalogue/selling/components/listed-moment.tsx")).ListedMoment);

const HiddenNotice = import.meta.env.SSR
  ? (await import("#app/catalogue/selling/components/hidden-listing.tsx")).HiddenNotice
  : lazyPart(async () => (await import("#app/catalogue/selling/components/hidden-listing.tsx")).HiddenNotice);

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return pageMeta("Product Not Found");
  const { product, origin } = loaderData;
  return [...pageMeta(product.name), { tagName: "link", rel: "canonical", href: origin + publicProductPath(product) }];
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const [page, guide] = await Promise.all([
    openProductScreen(services, params.productId, viewer.id),
    findPriceGuide(services, params.productId),
  ]);
  if (!page) throw data(null, { status: 404 });
  const isOwner = page.product.sellerId === viewer.id;
  const own = { sellerId: viewer.id, productId: params.productId };
  const lowering = isOwner ? await findLowering(services, own) : null;
  if (!isOwner && isView(request)) services.defer(services.listingCounter.view(page.product.id));
  const pending = await services.pendingAction.read(request);
  // What they pressed on the public page. It takes effect once.
  const pressed = pending !== null && screenPath(request) === pressedPath(pending) ? pending : null;
  return data(
    {
      ...page,
      guide,
      lowering,
      summary: summarizeProductPage(page.product, services.now()),
      isOwner,
      listed:
        isOwner && page.product.status === "active" && !page.product.hidden && isJust(request, "listed")
          ? LISTING_ANSWERS.added
          : null,
      readAt: services.now(),
      pressed,
      orderKey: pressed?.action === "buy" ? pressed.orderKey : crypto.randomUUID(),
      messageKey: crypto.randomUUID(),
      origin: new URL(request.url).origin,
    },
    pressed ? { headers: { "Set-Cookie": await services.pendingAction.clear() } } : undefined,
  );
}

/** Where something else than what was shown would be ordered, the page shows the new price and words. */
export const shouldRevalidate = reloadsOnConflict;

const form = z.object({
  intent: z.literal("buy-now"),
  quantity: formNumber(),
  orderKey: z.uuid(),
  // What the page showed. Another price or another step in the database refuses the order.
  price: formNumber(),
  steps: z.string().max(500).default("[]").transform(readSteps),
  // Another one refuses it, too.
  revision: formNumber().default(0),
});

export async function action({ request, params: { productId }, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ ok: false, message: BAD_QUANTITY }, 400);
  if (!(await services.limits.write(viewer.id))) return data({ ok: false, message: TOO_MANY_REQUESTS }, 429);
  const { quantity, orderKey, price, steps, revision } = parsed.data;
  const placed = await placeOrder(services, {
    userId: viewer.id,
    idempotencyKey: `${orderKey}-${quantity}-${revision}`,
    expectedAmount: unitPrice({ price, steps }, quantity) * quantity,
    from: { productId, quantity, revision },
  });
  if (placed.ok) return redirect(`/checkout/${placed.orderId}`);
  if (placed.code === "paying") return redirectToPayment(services, placed.orderId, payingText(placed));
  return data({ ok: false, message: refusalText(placed) }, 409);
}

function refusalText(refused: Exclude<PlaceOrderResult, { ok: true } | { code: "paying" }>): string {
  switch (refused.code) {
    case "away":
      return productAwayText(refused);
    case "blocked":
      return productBlockedText(refused);
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

const FAILED = "Failed to process purchase";

const BUY_NOW_TEXTS = {
  empty: FAILED,
  bad_quantity: BAD_QUANTITY,
  too_many: ORDERED_TOO_OFTEN_TEXT,
  too_many_free: FREE_TOO_MANY_TEXT,
  // Only a cart can hold several products.
  too_many_last: FAILED,
  // Buy Now uses no offer.
  offer_over: FAILED,
  unavailable: "This product is no longer available",
  price_changed: "The price has changed. Please check it before you buy.",
  listing_changed: "The seller changed this listing. Please read it again before you buy.",
} as const;

/** A lost answer keeps the screen, and with it the key under which the next press finds the same order. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false, message: FAILED }));
}

export default function Product({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { product, summary, guide, lowering, more, similar, isOwner, listed } = loaderData;
  const { pressed, orderKey, messageKey, origin, readAt } = loaderData;
  const basket = useBasket();
  useEffect(() => {
    // Going back or reloading finds the product without what was pressed.
    if (pressed) window.history.replaceState(window.history.state, "", window.location.pathname);
  }, [pressed]);
  useEffect(() => {
    const { id, name, price, image } = product;
    noteView({ id, name, price, image }, Date.now());
  }, [product]);

  const inPage = useBoxInPage();
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
  return (
    <ProductView
      product={product}
      summary={summary}
      heart={isOwner ? undefined : <ProductHeart product={product} />}
      moment={
        listed !== null && (
          <Suspense>
            <ListedMoment title={listed} product={product} origin={origin} />
          </Suspense>
        )
      }
      hidden={
        product.hidden && (
          <Suspense>
            <HiddenNotice hidden={product.hidden} />
          </Suspense>
        )
      }
      notice={isOwner ? undefined : buyersNotice({ product, summary, readAt })}
      guide={guide}
      isOwner={isOwner}
      messageBox={inPage && !isOwner ? contact : undefined}
      report={isOwner ? undefined : <ReportLink subject="listing" id={product.id} />}
      more={
        <MoreProducts
          sellerId={product.sellerId}
          more={more}
          isAway={summary.closed !== null}
          similar={similar}
          basket={basket}
        />
      }
    >
      {isOwner ? (
        <Suspense fallback={<Skeleton shape="text" />}>
          <OwnerPanel product={product} lowering={lowering} isQuiet={listed !== null} />
        </Suspense>
      ) : (
        <WaysToBuy
          product={product}
          summary={summary}
          orderKey={orderKey}
          result={answer}
          pressed={pressed?.action === "buy" ? pressed : null}
          contact={inPage ? null : contact}
        />
      )}
    </ProductView>
  );
}

/** What a buyer must know first. An offer that was accepted comes before why others can't buy. */
function buyersNotice({
  product,
  summary,
  readAt,
}: Pick<Route.ComponentProps["loaderData"], "product" | "summary" | "readAt">) {
  if (summary.closed) return <Callout tone="orange">{summary.closed}</Callout>;
  const { ownOffer, payingOrderId, reservedByOthers, status } = product;
  const offer = ownOffer && summary.offer && (
    <OwnOffer sellerId={product.sellerId} offer={ownOffer} summary={summary.offer} />
  );
  if (summary.offer?.isAccepted && !payingOrderId) return offer;
  if (status === "unconfirmed") return <Callout tone="orange">{UNCONFIRMED_TEXT}</Callout>;
  if (status !== "active") return null;
  if (payingOrderId || reservedByOthers)
    return <ReservedCallout key={`wait ${product.id}`} product={product} readAt={readAt} />;
  return offer;
}

interface WaysToBuyProps extends Pick<Route.ComponentProps["loaderData"], "product" | "summary" | "orderKey"> {
  result: ComponentProps<typeof BuyBox>["result"];
  pressed: ComponentProps<typeof BuyBox>["pressed"];
  contact: ReactNode;
}

/** One bar with at most three actions: write to the seller, and what buys it, or waits for it. */
function WaysToBuy({ product, summary, orderKey, result, pressed, contact }: WaysToBuyProps) {
  const { id, status, stock, ownOffer, takesOffers, revision } = product;
  if (summary.closed) return <div className="sticky-bar product-bar">{contact}</div>;
  const payAgreed =
    ownOffer && summary.offer?.isAccepted ? <PayAgreedPrice offer={ownOffer} feeRule={product.feeRule} /> : undefined;
  // The last piece is reserved for the viewer at the agreed price, so it isn't offered at the full one.
  if (payAgreed && (stock === 1 || status !== "active"))
    return (
      <div className="sticky-bar product-bar">
        {contact}
        {payAgreed}
      </div>
    );
  if (status !== "active")
    return (
      <div className="sticky-bar product-bar">
        {contact}
        <Button variant="soft" disabled>
          Not Available
        </Button>
        <WaitButton key={id} product={product} label="Tell me when it's back" wide />
      </div>
    );
  return (
    <>
      <BuyBox
        key={id}
        product={product}
        orderKey={orderKey}
        result={result}
        contact={contact}
        payAgreed={payAgreed}
        pressed={pressed}
      />
      {takesOffers && !ownOffer && (
        <LinkButton className="make-offer" to={`/product/${id}/offer?revision=${revision}`} variant="soft" wide>
          Make an Offer
        </LinkButton>
      )}
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ProductFailure error={error} />;
}
