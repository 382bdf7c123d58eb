/** Orders and their items. See docs/product-rules.md, "Orders". */
import { FREE_PIECES_A_DAY } from "./order-limit-rules.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import type { ClosedReason, OrderStatus } from "#app/db/states/order.ts";
import { formatKes } from "#app/ui/money.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";

export type ShippingStep = "need_contact" | "waiting_response" | "ready_to_ship";

/** The seller's next step for a paid item, from two flags. */
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

/** The badge of a step. What nobody ships is simply ready. */
export function shippingLabel(step: ShippingStep, handover: Handover): string {
  return step === "ready_to_ship" && !HANDOVER_TERMS[handover].isParcel ? "Ready" : SHIPPING_STEPS[step].label;
}

/**
 * What a seller sees of the buyer of an item: people's contacts and rooms are shown only while a sale needs them.
 * `contact`: phone and email. `address`: where it is brought, with the buyer's instructions. `isBlocked`: one has
 * blocked the other.
 */
export function buyerSeen(
  status: ItemStatus,
  isBlocked: boolean,
): { contact: "shown" | "not_paid" | "over" | "blocked"; address: boolean } {
  if (!ITEM.isHeld(status)) return { contact: ITEM.isUnpaid(status) ? "not_paid" : "over", address: false };
  // After a block the two only finish what was paid: an item that isn't handed over still has to get there.
  return { contact: isBlocked ? "blocked" : "shown", address: !isBlocked || ITEM.isMeetable(status) };
}

/** Why a seller doesn't see the buyer's phone and email. */
export const BUYER_HIDDEN_TEXTS = {
  over: "You see the buyer's phone and email while a sale is under way. This one is over.",
  blocked: "You don't see the buyer's phone and email, because one of you has blocked the other.",
} as const;

/** Steps of the buyer's progress bar. */
export const PROGRESS_STEPS = ["Confirmed", "Processing", "Shipped", "Delivered"];
const STEP_OF_STATUS = new Map([
  ["processing", 1],
  ["shipped", 2],
  ["delivered", 3],
]);

/** Steps of the progress bar where nothing is shipped. */
export const PICKUP_STEPS = {
  paid: ["Paid", "Plan agreed", "Handed over", "Paid out"],
  free: ["Ordered", "Plan agreed", "Handed over"],
};

/** The same for what ends in another way. `ended`: what each of its items calls it; several keep the general word. */
export function pickupSteps(isPaid: boolean, ended: ReadonlySet<string>): string[] {
  const [only] = ended;
  return PICKUP_STEPS[isPaid ? "paid" : "free"].map((step) =>
    step === "Handed over" && ended.size === 1 && only ? only : step,
  );
}

/** What the progress of a paid item that is collected depends on. */
export interface PickupItem {
  status: ItemStatus;
  /** The two have agreed on the handover, and still do. */
  isPlanned: boolean;
  /** The buyer has it, and doesn't deny it. */
  isHandedOver: boolean;
  /** The seller has the money. */
  isPaidOut: boolean;
}

/** How many steps of `PICKUP_STEPS` a paid order has behind it: as many as the item that is furthest back. */
export function pickupStep(items: readonly PickupItem[]): number {
  const kept = items.filter(({ status }) => !ITEM.isReturned(status));
  return Math.min(...(kept.length > 0 ? kept : items).map(stepsOf));
}

function stepsOf({ status, isPlanned, isHandedOver, isPaidOut }: PickupItem): number {
  if (ITEM.isCompleted(status) && isPaidOut) return 4;
  if (isHandedOver) return 3;
  return isPlanned || ITEM.hasOpenProblem(status) || ITEM.isDelivered(status) ? 2 : 1;
}

/** The statuses of items as an order shows them. Any other status is shown as it is. */
const SHOWN_AS = new Map<string, OrderStatus>([
  ["cancel_requested", "processing"],
  ["problem_reported", "shipped"],
  ["offered", "shipped"],
  ["in_review", "shipped"],
  ["completed", "delivered"],
  ["refunded", "cancelled"],
]);

/**
 * The status of a paid order, from the status of its items: delivered once every item is, otherwise the most common one
 * of the other items. On a tie, the first one found. Cancelled and refunded items count only when all are.
 */
export function orderStatusOf(itemStatuses: readonly string[]): string {
  const shown = itemStatuses.map((status) => SHOWN_AS.get(status) ?? status);
  const kept = shown.filter((status) => status !== "cancelled");
  const open = kept.filter((status) => status !== "delivered");
  return mostCommon(open.length > 0 ? open : kept.length > 0 ? kept : shown);
}

function mostCommon(statuses: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  let best = statuses[0] ?? "unknown";
  for (const [status, count] of counts) if (count > (counts.get(best) ?? 0)) best = status;
  return best;
}

/** The step of a paid order's progress bar for `status`. An unknown status is step 0. */
export function progressStep(status: string): number {
  return STEP_OF_STATUS.get(status) ?? 0;
}

/** A paid order's status in a list: one of five, and "Unknown" for anything else. */
export function orderListStatus(status: string): string {
  return ["pending", "processing", "shipped", "delivered", "cancelled"].includes(status)
    ? capitalized(status)
    : "Unknown";
}

/** What people read for an item's status, where it isn't the status itself. */
const ITEM_LABELS = new Map([
  ["cancel_requested", "Cancellation requested"],
  ["problem_reported", "Problem reported"],
  ["offered", "Problem reported"],
  ["in_review", "With our team"],
]);

export function itemStatusLabel(status: string, handover: Handover = "thing"): string {
  if (status === "shipped") return capitalized(HANDOVER_MARKS[handover].sent);
  if (status === "delivered") return capitalized(HANDOVER_MARKS[handover].done);
  return ITEM_LABELS.get(status) ?? capitalized(status.replaceAll("_", " "));
}

/** What an order is called: its first thing, and how many more there are. */
export function orderTitle([first, ...more]: readonly { name: string }[]): string {
  return `${first?.name ?? "Order"}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}

/** An order's id as people see it: its first 8 characters. */
export function shortOrderId(orderId: string): string {
  return orderId.slice(0, 8);
}

/** Whole days from `since` to `now` (both ms since 1970) as a calendar counts them: 1 is yesterday. Never below 0. */
export function daysElapsed(since: number, now: number): number {
  return Math.max(0, dayOf(now) - dayOf(since));
}

/** Why a closed order can't be paid, for its buyer. */
export function closedText(order: { closedReason: ClosedReason | null }): string {
  switch (order.closedReason) {
    case "replaced":
      return "You have a newer order for this, so we closed this one. Please pay for the newer one.";
    case "account_deleted":
      return "This order is closed because an account was deleted. You haven't been charged.";
    default:
      return "This order expired before it was paid. Please order again.";
  }
}

/** The same, if a product in the order was sold or taken down since. */
export function unavailableText(name: string): string {
  return `${name} is no longer available. Please order again without it.`;
}

/** The same, if the order has the price of an offer that is over. */
export function offerOverText(name: string): string {
  return `Your offer for ${name} is over, so this order can't be paid any more. Please make a new offer, or pay the full price.`;
}

/** The same, if the listing has come to cost less than the offer. `price` in KES. */
export function offerCheaperText({ name, price }: { name: string; price: number }): string {
  return `${name} costs less now: ${formatKes(price)}. Press Pay in your offer again, and you pay that.`;
}

/** For a buyer who has taken as many free pieces as they can. */
export const FREE_TOO_MANY_TEXT = `You can take ${FREE_PIECES_A_DAY} free pieces in 24 hours, so that others get some, too. Please try again tomorrow.`;

/** For a buyer who has reached the daily limit of orders. */
export const ORDERED_TOO_OFTEN_TEXT = "You've placed too many orders today. Please try again tomorrow.";

/**
 * Leads a buyer to the order that they are already paying. `names`: the products to order again. `held`: our team is
 * checking the payment.
 */
export function payingText({ names, held }: { names: string[]; held: boolean }): string {
  const what = names.length > 2 ? `${names.slice(0, 2).join(", ")} and more` : names.join(" and ");
  if (held)
    return `We are checking your payment for ${what} in this order. You can order other things in the meantime.`;
  return `You are already paying for ${what} in this order. Finish that payment, or wait until the prompt ends, then order again.`;
}

/** The same, if the buyer has paid another order of the same products. */
export const PAID_ELSEWHERE_TEXT = "You have already paid for this in another order. There is nothing more to pay.";

export interface DeliveryChoice {
  option: "pickup" | "delivery";
  pickupConfirmed: boolean;
  address: string;
  instructions: string;
}

/**
 * Why an order can't be delivered, with the sellers who don't deliver; null when all of them do. `askedBy`: the campus
 * that asks for meeting points.
 */
export function refuseDeliveryBy(
  items: readonly { sellerName: string | null; sellerDelivers: boolean }[],
  askedBy: string | null,
): string | null {
  const names = new Set(items.filter((item) => !item.sellerDelivers).map((item) => item.sellerName || "The seller"));
  if (names.size === 0) return null;
  if (askedBy !== null) return `${askedBy} asks that you meet at one of its meeting points`;
  return names.size === 1
    ? `${[...names].join()} doesn't deliver`
    : `These sellers don't deliver: ${[...names].join(", ")}`;
}

export const NO_DELIVERY_ERROR = "Delivery isn't available for this order any more. Please choose pickup.";

const PICKUP_ERROR = "Please confirm pickup arrangements: tick “I'll agree on a pickup time and place with the seller”";
const ADDRESS_ERROR = "Please provide a delivery address";

/** The wrong field and its error; null when the choice is complete. */
export function refuseDelivery(choice: DeliveryChoice): { field: "pickupConfirmed" | "address"; error: string } | null {
  if (choice.option === "pickup")
    return choice.pickupConfirmed ? null : { field: "pickupConfirmed", error: PICKUP_ERROR };
  return choice.address.trim() === "" ? { field: "address", error: ADDRESS_ERROR } : null;
}

/** The texts of an issue report. */
export const ISSUE_TEXTS = {
  required: "Please provide a description of your issue",
  reported: "Issue reported successfully!",
  failed: "Failed to report issue",
  signedOut: "You must be logged in to report issues",
  tooMany: "You've already reported several issues. We're reading them. Please try again later.",
} as const;

/** What a report does with the money of what it is about. */
export type ReportedMoney =
  /** It stays with us. */
  | "held"
  /** M-Pesa was asked to pay the seller, or an admin began to pay by hand: it has left, or will wait. */
  | "leaving"
  /** The seller has it. */
  | "paid_out"
  /** There is none, or the buyer gets it back. */
  | "none";

/** What a buyer who has just sent a report reads about the money. */
export function reportEffect(money: ReportedMoney): string[] {
  if (money === "held") return ["Your money stays with us until our team decides, or you take the report back."];
  if (money === "leaving")
    return [
      "We had begun to pay the seller before you reported it, so the money may have left. If it hasn't, it waits for our team. They read your report and write to you. They can ask the seller to refund you, and close the account of a seller who cheats.",
    ];
  if (money === "paid_out")
    return [
      "The seller was paid before you reported it, so we can't hold the money any more. Our team reads your report and writes to you. They can ask the seller to refund you, and close the account of a seller who cheats.",
    ];
  return [];
}

/** Maximum length of a description, in characters. */
export const ISSUE_MAX_LENGTH = 2000;

/** The error of a description; null when it is fine. */
export function refuseIssue(description: string): string | null {
  if (description.trim() === "") return ISSUE_TEXTS.required;
  return description.trim().length > ISSUE_MAX_LENGTH
    ? `Please keep it under ${ISSUE_MAX_LENGTH.toLocaleString("en-KE")} characters`
    : null;
}
