import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/seller-order.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { ItemResult } from "#app/messaging/components/item-conversation.tsx";
import { SellerItemView } from "#app/screens/sold-item/sold-item-view.tsx";
import { findSoldItem } from "#app/screens/sold-item/sold-item.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { deliveredPayout, type PayoutCallResult, startPayout } from "#app/payments/payment-api.server.ts";
import { payoutFailedText } from "#app/payments/payment-texts.ts";
import { canSellerRetry } from "#app/payments/payout-rules.ts";
import type { Services } from "#app/request/services.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn } from "#app/ui/no-answer.ts";
import { pageTitle } from "#app/ui/page-title.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: pageTitle(loaderData ? `Sold: ${loaderData.item.name}` : "Order Not Found") }];
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const { db, payments } = context.get(servicesContext);
  const found = await findSoldItem(db, params.itemId, viewer.id);
  if (!found) throw data(null, { status: 404 });
  return {
    ...found,
    viewerId: viewer.id,
    messageKey: crypto.randomUUID(),
    now: Date.now(),
    origin: new URL(request.url).origin,
    canRetryPayout: found.payout?.state === "parked" && canSellerRetry(found.payout.reasonCode),
    needsPhone: !viewer.phone,
    testing: payments.mode === "sandbox",
  };
}

const form = z.object({ intent: z.enum(["ship", "deliver", "payout"]) });

export async function action({ request, params, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const item = { itemId: params.itemId, sellerId: viewer.id };
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return answer(400, { ok: false, message: UPDATE_FAILED, itemId: item.itemId });
  if (!(await services.limits.write(viewer.id)))
    return answer(429, { ok: false, message: TOO_MANY_REQUESTS, itemId: item.itemId });
  switch (parsed.data.intent) {
    case "ship":
      return ship(services, item);
    case "deliver":
      return deliver(services, item);
    case "payout":
      return retryPayout(services, item);
  }
}

interface Item {
  itemId: string;
  sellerId: string;
}

const UPDATE_FAILED = "Failed to update order status";

async function ship(services: Services, item: Item) {
  const shipped = await shipItem(services, item);
  if (!shipped.ok) return refuse(shipped.code === "not_found", item);
  services.drainOutbox();
  return answer(200, { ok: true, message: "Order marked as shipped", itemId: item.itemId });
}

async function deliver(services: Services, item: Item) {
  const delivered = await deliverItem(services, item);
  if (!delivered.ok) return refuse(delivered.code === "not_found", item);
  if (delivered.payoutId) services.defer(startPayout(services, delivered.payoutId, item.itemId));
  services.drainOutbox();
  return answer(200, { ok: true, message: "Order marked as delivered", itemId: item.itemId });
}

async function retryPayout(services: Services, { itemId, sellerId }: Item) {
  let payout: PayoutCallResult;
  try {
    payout = await deliveredPayout(services, { orderItemId: itemId, sellerId });
  } catch (error) {
    // The payout has its row, so the job will send it. The seller doesn't need to know what failed.
    services.log({ event: "payout_call_failed", level: "error", itemId, error: String(error) });
    return answer(500, {
      ok: false,
      message: payoutErrorText("we couldn't start it just now. We'll try again automatically."),
      itemId,
    });
  }
  if (payout.ok) return answer(200, { ok: true, message: "We asked M-Pesa to pay you again.", itemId });
  const message = payoutFailedText(payout.error, payout.code === "not_ready" ? payout.reasonCode : null);
  return answer(payout.code === "not_found" ? 404 : 409, { ok: false, message, itemId });
}

/** The message when the request itself failed, rather than M-Pesa refusing the payout. */
function payoutErrorText(message: string): string {
  return `B2C Error: ${message}`;
}

/** A lost answer keeps the screen. Every action here is safe to repeat. */
export async function clientAction({ request, params, serverAction }: Route.ClientActionArgs) {
  const { intent } = Object.fromEntries(await request.clone().formData());
  return passOn(serverAction, (): ItemResult => ({
    ok: false,
    message: intent === "payout" ? payoutErrorText("no connection. Please try again.") : UPDATE_FAILED,
    itemId: params.itemId,
  }));
}

function refuse(isMissing: boolean, { itemId }: Item) {
  if (isMissing) throw data(null, { status: 404 });
  return answer(409, { ok: false, message: UPDATE_FAILED, itemId });
}

function answer(status: number, result: ItemResult) {
  return data(result, status);
}

export default function SellerOrder({ loaderData, actionData }: Route.ComponentProps) {
  return <SellerItemView {...loaderData} result={actionData ?? null} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <OrderFailure
      error={error}
      sentence="This order doesn't exist or you don't have permission to view it."
      action={<LinkButton to="/myshop?tab=orders">Back to My Shop</LinkButton>}
    />
  );
}
