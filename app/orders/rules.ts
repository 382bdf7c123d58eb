/** Orders and their items: pure rules (commerce spec §3, §4, §9). */
import type { ItemStatus } from "#app/db/states/item.ts";
import type { ClosedReason } from "#app/db/states/order.ts";

/** What a seller may do with an item; delivered is terminal (commerce spec §4). */
export const ITEM_TRANSITIONS: Record<ItemStatus, ItemStatus[]> = {
  pending_payment: [],
  processing: ["shipped"],
  shipped: ["delivered"],
  delivered: [],
  expired: [],
};

export type ShippingStep = "need_contact" | "waiting_response" | "ready_to_ship";

/** The seller's next step for a paid item, from two flags (commerce spec §4). */
export function shippingStep(item: { buyerContacted: boolean; buyerAgreed: boolean }): ShippingStep {
  if (!item.buyerContacted) return "need_contact";
  return item.buyerAgreed ? "ready_to_ship" : "waiting_response";
}

export const SHIPPING_STEPS: Record<ShippingStep, { label: string; tone: "red" | "yellow" | "green"; action: string }> =
  {
    need_contact: { label: "Need Contact", tone: "red", action: "Contact Buyer" },
    waiting_response: { label: "Waiting Response", tone: "yellow", action: "Waiting for buyer..." },
    ready_to_ship: { label: "Ready to Ship", tone: "green", action: "Mark as Shipped" },
  };

/** Steps of the buyer's progress bar. */
export const PROGRESS_STEPS = ["Confirmed", "Processing", "Shipped", "Delivered"];
const STEP_OF_STATUS = new Map([
  ["processing", 1],
  ["shipped", 2],
  ["delivered", 3],
]);

/** The most common status among the items, the first found on a tie (commerce spec §4). */
export function mostCommonStatus(statuses: string[]): string {
  const counts = new Map<string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  let best = statuses[0] ?? "unknown";
  for (const [status, count] of counts) if (count > (counts.get(best) ?? 0)) best = status;
  return best;
}

/** The step of the progress bar that `status` stands at; an unknown one stands at 0. */
export function progressStep(status: string): number {
  return STEP_OF_STATUS.get(status) ?? 0;
}

/** The order list shows four statuses; anything else is "Unknown" (commerce spec §4). */
export function orderListStatus(status: string): string {
  return ["pending", "processing", "shipped", "delivered"].includes(status) ? capitalise(status) : "Unknown";
}

export function itemStatusLabel(status: string): string {
  return capitalise(status.replaceAll("_", " "));
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An order's id as people see it: its first 8 characters. */
export function shortOrderId(orderId: string): string {
  return orderId.slice(0, 8);
}

const DAY_MS = 24 * 60 * 60_000;

/** Whole days from `since` to `now` (both ms since 1970), never below 0 (commerce spec §2, seller order list). */
export function daysElapsed(since: number, now: number): number {
  return Math.max(0, Math.floor((now - since) / DAY_MS));
}

/** Where the way back from an order leads: to the shop for those who came from it or sell in it, else to their orders (commerce spec §2). */
export function trackingBackTarget(
  viewerId: string,
  sellerIds: string[],
  cameFromShop: boolean,
): { to: string; label: string } {
  if (cameFromShop || sellerIds.includes(viewerId)) return { to: "/myshop", label: "My Shop" };
  return { to: "/profile?tab=orders", label: "My Orders" };
}

/** How long an order may wait for its payment, ms; after that the job of every minute closes it. */
export const UNPAID_ORDER_LIFE_MS = 24 * 60 * 60_000;

/** Why a closed order is not paid for, for its buyer. */
export function closedText(order: { closedReason: ClosedReason | null }): string {
  if (order.closedReason === "replaced")
    return "You have ordered this again since, so this order is closed. Please pay for the newer one.";
  return "This order expired before it was paid. Please order again.";
}

/** The same of an order that holds something sold or taken down since. */
export const GONE_TEXT = "Something in this order is no longer for sale. Please order again without it.";

/** What somebody reads who has ordered more in a day than people do. */
export const ORDERED_TOO_OFTEN_TEXT = "You have ordered many times today. Please try again tomorrow.";

/** What leads a buyer to the order they are paying for already. `names` of the products they want to order again. */
export function payingText({ names, held }: { names: string[]; held: boolean }): string {
  const what = names.length > 2 ? `${names.slice(0, 2).join(", ")} and more` : names.join(" and ");
  if (held)
    return `We are checking your payment for ${what} in this order. Meanwhile you can order other things without it.`;
  return `You are already paying for ${what} in this order. Finish that first, or wait until the request ends, then order again.`;
}

/** The same of an order in whose place another one was paid. */
export const PAID_KIN_TEXT = "You have paid for this in another order already. There is nothing more to pay.";

export interface DeliveryChoice {
  option: "pickup" | "delivery";
  pickupConfirmed: boolean;
  address: string;
  instructions: string;
}

/** Why an order cannot be delivered, with the sellers who do not deliver; null where all of them do. */
export function refuseDeliveryBy(
  items: readonly { sellerName: string | null; sellerDelivers: boolean }[],
): string | null {
  const names = new Set(items.filter((item) => !item.sellerDelivers).map((item) => item.sellerName || "The seller"));
  if (names.size === 0) return null;
  return names.size === 1
    ? `${[...names].join()} doesn't deliver`
    : `These sellers don't deliver: ${[...names].join(", ")}`;
}

export const NO_DELIVERY_ERROR = "Delivery isn't available for this order any more. Please choose pickup.";

const PICKUP_ERROR = "Please confirm pickup arrangements";
const ADDRESS_ERROR = "Please provide a delivery address";

/** Which field refuses the choice and why, or null where it stands (commerce spec §5, checkout). */
export function refuseDelivery(choice: DeliveryChoice): { field: "pickupConfirmed" | "address"; error: string } | null {
  if (choice.option === "pickup")
    return choice.pickupConfirmed ? null : { field: "pickupConfirmed", error: PICKUP_ERROR };
  return choice.address.trim() === "" ? { field: "address", error: ADDRESS_ERROR } : null;
}

/** Commerce spec §5 and §8, issue reports. */
export const ISSUE_TEXTS = {
  required: "Please provide a description of your issue",
  reported: "Issue reported successfully!",
  failed: "Failed to report issue",
  signedOut: "You must be logged in to report issues",
  tooMany: "You have reported several issues already. We are reading them; please try again later.",
} as const;

/** Longest description, characters. */
export const ISSUE_MAX_LENGTH = 2000;

/** The message that refuses a description, or null where it stands. */
export function refuseIssue(description: string): string | null {
  if (description.trim() === "") return ISSUE_TEXTS.required;
  return description.trim().length > ISSUE_MAX_LENGTH
    ? `Please keep it under ${ISSUE_MAX_LENGTH.toLocaleString("en-KE")} characters`
    : null;
}
