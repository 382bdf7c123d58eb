/** A shop's figures, what waits for its seller, and the groups of its orders: pure rules. */
import { countLabel } from "#app/catalogue/labels.ts";

/** The sales of one day. `day`: days since 1970 in East Africa Time. Revenue in KES. */
export interface SalesDay {
  day: number;
  sales: number;
  revenue: number;
}

/** How many days the sales chart shows, and how many it compares them with. */
export const CHART_DAYS = 30;

/** How many things of one kind wait for a seller. `one`: which it is, where there is just one. */
interface Waiting {
  count: number;
  one: string | null;
}

/** What a seller can be waited for, the most urgent first. */
const TODO_KINDS = ["answer", "meeting", "contact", "hand_over", "offer", "confirm"] as const;
type TodoKind = (typeof TODO_KINDS)[number];

export interface Todo {
  kind: TodoKind;
  text: string;
  /** Where it is done: at the one thing, or at the list of them. */
  to: string;
}

/** What a seller has to do next. Each line names how much there is of it; nothing that is done has a line. */
export function todoList(waiting: Record<TodoKind, Waiting>): Todo[] {
  return TODO_KINDS.flatMap((kind) => {
    const { count, one } = waiting[kind];
    if (count === 0) return [];
    return [{ kind, text: todoText(kind, count), to: todoPlace(kind, count === 1 ? one : null) }];
  });
}

function todoText(kind: TodoKind, count: number): string {
  const number = countLabel(count);
  switch (kind) {
    case "answer":
      return count === 1 ? "Answer 1 problem or cancellation" : `Answer ${number} problems or cancellations`;
    case "meeting":
      return count === 1 ? "Answer 1 meeting" : `Answer ${number} meetings`;
    case "contact":
      return count === 1 ? "Message 1 buyer" : `Message ${number} buyers`;
    case "hand_over":
      return count === 1 ? "Hand over 1 order" : `Hand over ${number} orders`;
    case "offer":
      return count === 1 ? "Answer 1 offer" : `Answer ${number} offers`;
    case "confirm":
      return count === 1 ? "Still selling 1 listing?" : `Still selling ${number} listings?`;
  }
}

/** `one`: the order item, or the buyer who made the offer. */
function todoPlace(kind: TodoKind, one: string | null): string {
  if (kind === "offer") return `/profile?tab=messages${one === null ? "" : `&with=${one}`}`;
  if (kind === "confirm") return "/myshop/still-available";
  if (one !== null) return `/seller/orders/${one}`;
  if (kind === "meeting") return orderListPath();
  return orderListPath(kind === "contact" ? "new" : "processing");
}

/** A seller's orders, scrolled to the list. */
export function orderListPath(group?: OrderGroup): string {
  return `/myshop?tab=orders${group ? `&show=${group}` : ""}#shop-lists`;
}

/** The groups a seller sorts their orders by. */
export const ORDER_GROUPS = ["new", "processing", "shipped", "delivered", "cancelled"] as const;
export type OrderGroup = (typeof ORDER_GROUPS)[number];

export const ORDER_GROUP_LABELS: Record<OrderGroup, string> = {
  new: "New",
  processing: "Processing",
  shipped: "In transit",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

export function readOrderGroup(text: string | null): OrderGroup | null {
  return ORDER_GROUPS.find((group) => group === text) ?? null;
}

/** A position in a seller's list of open items: the rank, order time (ms) and id of the last item shown. */
export interface OrderPlace {
  rank: number;
  at: number;
  id: string;
}

export function writeOrderPlace({ rank, at, id }: OrderPlace): string {
  return `${rank}.${at}.${id}`;
}

/** Returns null for an unreadable cursor. */
export function readOrderPlace(text: string | null): OrderPlace | null {
  const place = /^(?<rank>[0-6])\.(?<at>\d{1,15})\.(?<id>[0-9a-f-]{36})$/.exec(text ?? "");
  const { rank, at, id } = place?.groups ?? {};
  return rank && at && id ? { rank: Number(rank), at: Number(at), id } : null;
}

/** How many characters of an order's number a search needs. */
const ORDER_SEARCH_MIN = 4;
export const ORDER_SEARCH_ERROR = `Type at least ${ORDER_SEARCH_MIN} characters of the order number`;

/**
 * Reads an order's number as people type it ("#0A1B2C3D" or a whole id) and returns the beginning of an id. Null when
 * it is too short or can't be an id.
 */
export function readOrderNumber(typed: string): string | null {
  const number = typed
    .trim()
    .toLowerCase()
    .replace(/^(order|ord)?\s*#?\s*/, "");
  return number.length >= ORDER_SEARCH_MIN && number.length <= 36 && /^[0-9a-f-]+$/.test(number) ? number : null;
}
