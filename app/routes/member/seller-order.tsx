import { data, replace } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/seller-order.ts";
import { checkText } from "#app/deals/words/deal-promises.ts";
import { BY_HELPER } from "#app/deals/code/handover-link-rules.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { seeThings } from "#app/screens/notifications/see-things.server.ts";
import { SellerItemView } from "#app/screens/sold-item/sold-item-view.tsx";
import { findSoldItem } from "#app/screens/sold-item/sold-item.server.ts";
import { CODE_EVENTS, SELLER_CANCEL_REASONS, type DealEvent } from "#app/db/states/deal.ts";
import { restockItem } from "#app/orders/restock.server.ts";
import type { DealInput, DealResult } from "#app/deals/deal-events.server.ts";
import { DEAL_TEXTS } from "#app/deals/words/deal-texts.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CODE_CLOSED_TEXT, REPORTED_TEXT, WATCHED_TEXT, wrongCodeText } from "#app/deals/words/deal-summary.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import { type LinkResult, makeHandoverLink, stopHandoverLink } from "#app/deals/code/handover-link.server.ts";
import { HANDOVER_TEXTS } from "#app/deals/code/handover-link-texts.ts";
import { readHandoverCode } from "#app/deals/code/handover-code-rules.ts";
import { answerMissed, itemAnswer, moveDeal, noteField, sendAfter } from "#app/screens/actions/deal-action.server.ts";
import type { SoldItemAnswer } from "#app/screens/sold-item/sold-item-answer.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { deliveredPayout, type PayoutCallResult } from "#app/payments/payment-api.server.ts";
import { payoutLog, summarizePayout } from "#app/payments/transfers/payout-summary.ts";
import { payoutFailedText } from "#app/payments/payment-texts.ts";
import { canSellerRetry } from "#app/payments/transfers/transfer-rules.ts";
import type { Services } from "#app/request/services.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { isJust, withJust } from "#app/ui/feedback/just.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData ? `Sold: ${loaderData.item.name}` : "Order Not Found");
}

export const shouldRevalidate = reloadsOnConflict;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const { payments, deals, now } = services;
  const found = await findSoldItem(services, params.itemId, viewer.id);
  if (!found) throw data(null, { status: 404 });
  seeThings(services, viewer, request, [`item:${params.itemId}`]);
  const { payout } = found;
  const testing = payments.mode === "sandbox";
  const { latest } = found.deal;
  // Where somebody else entered it, the page says who.
  const isByCode = latest !== null && CODE_EVENTS.includes(latest.event) && latest.reason !== BY_HELPER;
  return {
    ...found,
    isNews: found.isNews || isJust(request, "sold"),
    isByCode,
    isCodeRight: isByCode && isJust(request, "code"),
    payout: payout && summarizePayout(payout),
    payoutLog: testing ? (payout ? payoutLog(payout) : []) : null,
    viewerId: viewer.id,
    messageKey: crypto.randomUUID(),
    now: now(),
    origin: new URL(request.url).origin,
    canRetryPayout: payout?.state === "parked" && canSellerRetry(payout.waitReason),
    needsPhone: !viewer.phone,
    checkTime: deals.inspectionHours > 0 ? checkText(found.item.handover, deals.inspectionHours) : null,
  };
}

const form = z.discriminatedUnion("intent", [
  z.object({
    intent: z.enum(["ship", "deliver", "accept-cancel", "payout", "restock", "missed", "link", "stop-link"]),
  }),
  z.object({ intent: z.literal("decline-cancel"), note: noteField }),
  z.object({ intent: z.literal("cancel"), reason: z.enum(SELLER_CANCEL_REASONS), note: noteField }),
  z.object({ intent: z.literal("code"), code: z.string().max(200) }),
]);

export async function action({ request, params, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const item = { itemId: params.itemId, sellerId: viewer.id };
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return itemAnswer(item.itemId, 400, DEAL_TEXTS.failed);
  if (!(await services.limits.write(viewer.id))) return itemAnswer(item.itemId, 429, TOO_MANY_REQUESTS);
  const sent = parsed.data;
  const move = (event: DealEvent, why: Pick<DealInput, "reason" | "note"> = {}) =>
    moveDeal(services, { itemId: item.itemId, event, by: viewer.id, ...why });
  switch (sent.intent) {
    case "ship":
      return moved(sendAfter(services, item.itemId, await shipItem(services, item)), "Order marked as shipped", item);
    case "deliver":
      return moved(
        sendAfter(services, item.itemId, await deliverItem(services, item)),
        "Order marked as delivered",
        item,
      );
    case "accept-cancel":
      return moved(await move("cancel_accepted"), DEAL_TEXTS.sale_cancelled, item);
    case "decline-cancel":
      return moved(await move("cancel_declined", { note: sent.note }), DEAL_TEXTS.declined, item);
    case "cancel":
      return moved(await move("cancelled_by_seller", sent), DEAL_TEXTS.sale_cancelled, item);
    case "link":
      return linkAnswer(item.itemId, await makeHandoverLink(services, item), HANDOVER_TEXTS.made);
    case "stop-link":
      return linkAnswer(item.itemId, await stopHandoverLink(services, item), HANDOVER_TEXTS.stopped);
    case "missed":
      return answerMissed(services, { itemId: item.itemId, by: viewer.id });
    case "code":
      return confirmHandover(services, item, sent.code);
    case "payout":
      return retryPayout(services, item);
    case "restock": {
      const restocked = await restockItem(services, item);
      return restocked
        ? itemAnswer(item.itemId, 200, "It's back on sale")
        : itemAnswer(item.itemId, 409, DEAL_TEXTS.changed);
    }
  }
}

interface Item {
  itemId: string;
  sellerId: string;
}

function moved(result: DealResult, done: string, { itemId }: Item) {
  if (result.ok) return itemAnswer(itemId, 200, done);
  if (result.code === "not_found") throw data(null, { status: 404 });
  return itemAnswer(itemId, 409, `${DEAL_TEXTS.failed}. ${DEAL_TEXTS.changed}`);
}

function linkAnswer(itemId: string, result: LinkResult, done: string) {
  if (result.ok) return itemAnswer(itemId, 200, done);
  if (result.code === "not_found") throw data(null, { status: 404 });
  return result.code === "too_many"
    ? itemAnswer(itemId, 429, HANDOVER_TEXTS.too_many_links)
    : itemAnswer(itemId, 409, DEAL_TEXTS.changed);
}

async function confirmHandover(services: Services, item: Item, typed: string) {
  const { itemId } = item;
  const reading = readHandoverCode(typed, itemId);
  if (!reading.ok) return itemAnswer(itemId, 400, reading.error, { codeError: reading.error, typed });
  const entered = sendAfter(services, itemId, await enterCode(services, { ...item, code: reading.code }));
  // The answer stands first on the page, with and without scripts.
  if (entered.ok) throw replace(withJust(`/seller/orders/${itemId}`, "code"));
  switch (entered.code) {
    case "wrong_code": {
      services.drainOutbox();
      const message = wrongCodeText(entered.left);
      return entered.left === 0
        ? itemAnswer(itemId, 409, message)
        : itemAnswer(itemId, 400, message, { codeError: message, typed });
    }
    case "too_many":
      return itemAnswer(itemId, 429, DEAL_TEXTS.too_many, { codeError: DEAL_TEXTS.too_many });
    case "reported":
      services.drainOutbox();
      return itemAnswer(itemId, 409, ITEM.hasOpenProblem(entered.status) ? REPORTED_TEXT : WATCHED_TEXT);
    case "code_closed":
      return itemAnswer(itemId, 409, CODE_CLOSED_TEXT);
    default:
      return moved(entered, "", item);
  }
}

async function retryPayout(services: Services, { itemId, sellerId }: Item) {
  let payout: PayoutCallResult;
  try {
    payout = await deliveredPayout(services, { orderItemId: itemId, sellerId });
  } catch (error) {
    // The payout has its row, so the job will send it. The seller doesn't need to know what failed.
    services.log({ event: "payout_call_failed", level: "error", itemId, error: String(error) });
    const message = payoutErrorText("we couldn't start it just now. We'll try again automatically.");
    return itemAnswer(itemId, 500, message);
  }
  if (payout.ok) return itemAnswer(itemId, 200, "We asked M-Pesa to pay you again.");
  const isDue = payout.code === "not_ready" && payout.isDue;
  const message = isDue
    ? payout.error
    : payoutFailedText(payout.error, payout.code === "not_ready" ? payout.waitReason : null);
  return itemAnswer(itemId, payout.code === "not_found" ? 404 : 409, message);
}

/** The message when the request itself failed, rather than M-Pesa refusing the payout. */
function payoutErrorText(message: string): string {
  return `B2C Error: ${message}`;
}

/** A lost answer keeps the screen. Every action here is safe to repeat. */
export async function clientAction({ request, params, serverAction }: Route.ClientActionArgs) {
  const { intent } = Object.fromEntries(await request.clone().formData());
  return passOn(serverAction, (): SoldItemAnswer => ({
    ok: false,
    message: intent === "payout" ? payoutErrorText("no connection. Please try again.") : DEAL_TEXTS.failed,
    itemId: params.itemId,
  }));
}

export default function SellerOrder({ loaderData, actionData, params }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <SellerItemView key={params.itemId} {...loaderData} result={answer} />;
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
