import { handoverOf } from "#app/catalogue/types/handover-rules.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { dayOf, dayStart, inEastAfrica } from "#app/platform/east-africa-time.ts";
import { priceGroupOf } from "#app/catalogue/price-group.server.ts";
import { createHash } from "node:crypto";
import type { FailureReason } from "#app/payments/gateway.ts";
import {
  chargeLegs,
  type LedgerLeg,
  payoutLegs,
  refundDueLegs,
  releaseLegs,
} from "#app/payments/books/ledger-rules.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import { DEAL_HOURS, timersOf } from "#app/orders/deal-timer-rules.ts";
import { EVENT_ACTORS } from "#app/db/states/deal.ts";
import { publishAtOf } from "#app/reviews/review-rules.ts";
import { remindAt } from "#app/meetings/meeting-rules.ts";
import { stepMessage } from "#app/meetings/meeting-step-texts.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { chanceOf, idOf } from "./chance.ts";
import { type Deal, DEALS, type LineState } from "./deals.ts";
import { meetingPointId } from "./meeting-points.ts";
import { PEOPLE, type PersonName } from "./people.ts";
import { idOfPerson, NAMES } from "./residents.ts";
import { DAY, HOUR, MINUTE, type Row } from "./rows.ts";
import { FEATURED, type Product } from "./stock.ts";

const SECOND = 1000;
const SUCCESS = { resultCode: "0", resultDesc: "The service request is processed successfully." };

/** How the payment attempts of failed orders ended, in turn. */
const FAILURES: { reason: FailureReason; resultCode: string; resultDesc: string }[] = [
  { reason: "cancelled", resultCode: "1032", resultDesc: "Request cancelled by user." },
  { reason: "insufficient_funds", resultCode: "1", resultDesc: "The balance is insufficient for the transaction." },
];

export interface Trade {
  orders: Row<"orders">[];
  orderItems: Row<"orderItems">[];
  paymentAttempts: Row<"paymentAttempts">[];
  payouts: Row<"payouts">[];
  payoutItems: Row<"payoutItems">[];
  dealEvents: Row<"dealEvents">[];
  dealTimers: Row<"dealTimers">[];
  refunds: Row<"refunds">[];
  ledgerEntries: Row<"ledgerEntries">[];
  subscriptions: Row<"subscriptions">[];
  messages: Row<"messages">[];
  meetings: Row<"meetings">[];
  reviews: Row<"reviews">[];
}

/** Orders, payments, payouts and plans, with balanced books. */
export function trade(now: number, products: Product[]): Trade {
  const books: Trade = {
    orders: [],
    orderItems: [],
    paymentAttempts: [],
    payouts: [],
    payoutItems: [],
    dealEvents: [],
    dealTimers: [],
    refunds: [],
    ledgerEntries: [],
    subscriptions: [],
    messages: [],
    meetings: [],
    reviews: [],
  };
  DEALS.forEach((deal, at) => addDeal(books, deal, `deal ${at}`, now, products));
  for (const name of NAMES) if (FEATURED[name] !== undefined) subscribe(books, name, FEATURED[name], now);
  return books;
}

/** The listing of that name. Throws when there is none. */
export function productNamed(name: string, products: Product[]): Product {
  const product = products.find((candidate) => candidate.name === name);
  if (!product) throw new Error(`nobody sells "${name}"`);
  return product;
}

function personOf(id: string): PersonName {
  const name = NAMES.find((candidate) => idOfPerson(candidate) === id);
  if (!name) throw new Error(`nobody has the id ${id}`);
  return name;
}

interface PlacedOrder {
  deal: Deal;
  label: string;
  now: number;
  orderId: string;
  buyerId: string;
  phone: string;
  amount: number;
  /** When the order was placed, and when it was paid. */
  placedAt: number;
  paidAt: number;
}

function addDeal(books: Trade, deal: Deal, label: string, now: number, products: Product[]): void {
  const lines = deal.lines.map(([name, quantity, state]) => ({
    product: productNamed(name, products),
    quantity,
    state,
  }));
  const placedAt = now - deal.hoursAgo * HOUR;
  const placed: PlacedOrder = {
    deal,
    label,
    now,
    orderId: idOf(`order ${label}`),
    buyerId: idOfPerson(deal.buyer),
    phone: PEOPLE[deal.buyer].phone,
    amount: lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0),
    placedAt,
    paidAt: placedAt + 75 * SECOND,
  };
  const attempts = payFor(placed);
  books.paymentAttempts.push(...attempts);
  books.orders.push(orderRow(placed, attempts[0]));
  const [first, second] = attempts;
  lines.forEach((line, at) => books.orderItems.push(fulfil(books, placed, line, at, first?.id)));
  if (second) refund(books, placed, second);
  chat(books, placed);
  meet(books, placed);
  reviewLines(books, placed, new Map(products.map(({ id, images }) => [id, images])));
}

/** The payment attempts of an order. None for one that isn't paid yet, or was free. */
function payFor(placed: PlacedOrder): Row<"paymentAttempts">[] {
  const { deal, amount } = placed;
  if (amount === 0 || deal.payment === "unpaid" || deal.payment === "expired") return [];
  if (deal.payment === "failed") return [attempt(placed, 0, chanceOf(placed.label).pick(FAILURES))];
  return deal.payment === "paid_twice" ? [attempt(placed, 0), attempt(placed, 9 * MINUTE)] : [attempt(placed, 0)];
}

function attempt(
  placed: Pick<PlacedOrder, "label" | "buyerId" | "phone" | "amount" | "placedAt"> & { orderId?: string },
  later: number,
  failure?: (typeof FAILURES)[number],
): Row<"paymentAttempts"> {
  const label = `attempt ${placed.label} ${later}`;
  const createdAt = placed.placedAt + 40 * SECOND + later;
  const settledAt = createdAt + 35 * SECOND;
  const outcome = failure
    ? {
        state: "failed" as const,
        receipt: null,
        confirmedAt: null,
        failureReason: failure.reason,
        resultCode: failure.resultCode,
        resultDesc: failure.resultDesc,
      }
    : {
        state: "succeeded" as const,
        receipt: receipt(label, settledAt),
        confirmedAt: settledAt + 35 * SECOND,
        failureReason: null,
        ...SUCCESS,
      };
  return {
    id: idOf(label),
    purpose: "order",
    orderId: placed.orderId ?? null,
    userId: placed.buyerId,
    phone: placed.phone,
    amount: placed.amount,
    callbackToken: token(label),
    merchantRequestId: `${10_000 + chanceOf(label).below(80_000)}-${10_000_000 + chanceOf(label).below(80_000_000)}-1`,
    checkoutRequestId: `ws_CO_${dayFirst(createdAt)}${100 + chanceOf(label).below(900)}${placed.phone.slice(-9)}`,
    queryCount: 1,
    nextQueryAt: null,
    createdAt,
    settledAt,
    updatedAt: settledAt,
    ...outcome,
  };
}

function orderRow(placed: PlacedOrder, first: Row<"paymentAttempts"> | undefined): Row<"orders"> {
  const { deal, placedAt, amount, now } = placed;
  const states = deal.lines.map(([, , state]) => state);
  const order = {
    id: placed.orderId,
    userId: placed.buyerId,
    amount,
    phoneNumber: first?.phone ?? null,
    checkoutRequestId: first?.checkoutRequestId ?? null,
    deliveryOption: deal.payment === "unpaid" ? null : deal.deliverTo ? ("delivery" as const) : ("pickup" as const),
    deliveryAddress: deal.deliverTo ?? null,
    deliveryInstructions: deal.instructions ?? null,
    idempotencyKey: idOf(`order key ${placed.label}`),
    source: deal.lines.length > 1 ? ("cart" as const) : ("buy_now" as const),
    createdAt: placedAt,
    updatedAt: first?.settledAt ?? placedAt,
  };
  switch (deal.payment) {
    case "unpaid":
      return order;
    case "expired":
      return {
        ...order,
        orderStatus: "expired",
        closedReason: "expired_unpaid",
        updatedAt: Math.min(now, placedAt + DAY + HOUR),
      };
    case "failed":
      return {
        ...order,
        paymentStatus: "failed",
        paymentFailure: FAILURES.find(({ resultCode }) => resultCode === first?.resultCode)?.reason ?? "cancelled",
      };
    case "paid_twice":
    case undefined:
      return {
        ...order,
        paymentStatus: "completed",
        orderStatus: orderStatus(states),
        receipt: first?.receipt ?? null,
        paymentDate: first?.settledAt ?? placedAt,
      };
  }
}

function orderStatus(states: (LineState | undefined)[]): "processing" | "shipped" | "delivered" {
  const all = (reached: LineState[]) => states.every((state) => state !== undefined && reached.includes(state));
  return all(DELIVERED) ? "delivered" : all(SHIPPED) ? "shipped" : "processing";
}

function refund(books: Trade, { orderId, amount, now }: PlacedOrder, second: Row<"paymentAttempts">): void {
  const createdAt = second.settledAt ?? second.createdAt;
  const parkedAt = Math.max(createdAt, now - HOUR);
  const id = idOf(`refund ${second.id}`);
  books.refunds.push({
    id,
    attemptId: second.id,
    orderId,
    amount,
    reason: "order_already_paid",
    // An example of what waits for a person, not yet for so long that there is an alarm. "Try Again" sends it.
    state: "parked",
    method: "reversal",
    conversationId: idOf(`conversation ${id}`),
    callbackToken: token(`refund ${id}`),
    waitReason: "receipt_invalid",
    resultCode: "R000002",
    resultDesc: "The OriginalTransactionID is invalid.",
    sendCount: 1,
    sentAt: parkedAt,
    nextActionAt: null,
    createdAt,
    updatedAt: parkedAt,
  });
  const about = { orderId, attemptId: second.id, refundId: id, createdAt };
  books.ledgerEntries.push(...book(`refund_due:${second.id}`, refundDueLegs(amount), about));
}

interface Line {
  product: Product;
  quantity: number;
  state?: LineState;
}

const DELIVERED: LineState[] = ["delivered", "completed"];
const SHIPPED: LineState[] = ["shipped", ...DELIVERED];
const AGREED: LineState[] = ["ready", ...SHIPPED];
const CONTACTED: LineState[] = ["waiting", ...AGREED];

function priceGroupOfProduct({ type, condition, facts }: Product): string | null {
  return type == null ? null : priceGroupOf({ type, isNew: condition === "new", brand: facts?.brand });
}

function fulfil(
  books: Trade,
  placed: PlacedOrder,
  { product, quantity, state }: Line,
  at: number,
  attemptId: string | undefined,
): Row<"orderItems"> {
  const { placedAt, now } = placed;
  const within = (share: number) => Math.round(placedAt + Math.min(now - placedAt, 5 * DAY) * share);
  const reached = (states: LineState[]) => state !== undefined && states.includes(state);
  const item = {
    id: idOf(`item ${placed.label} ${at}`),
    orderId: placed.orderId,
    productId: product.id,
    sellerId: product.sellerId,
    productName: product.name,
    productImage: product.images[0] ?? null,
    quantity,
    pricePerUnit: product.price,
    subtotal: product.price * quantity,
    priceGroup: priceGroupOfProduct(product),
    handover: handoverOf({ type: product.type ?? null, category: product.category ?? null }, KEPT_TABLE.types),
    status: itemStatus(placed.deal, state),
    buyerContacted: reached(CONTACTED),
    buyerAgreed: reached(AGREED),
    paidAt: state === undefined ? null : placed.paidAt,
    shippedAt: reached(SHIPPED) ? within(0.5) : null,
    deliveredAt: reached(DELIVERED) ? within(0.8) : null,
    createdAt: placedAt,
    updatedAt: within(reached(DELIVERED) ? 0.8 : state === "shipped" ? 0.5 : 0.2),
  } satisfies Row<"orderItems">;
  if (item.paidAt !== null) keepDeal(books, placed, { ...item, paidAt: item.paidAt });
  if (item.subtotal > 0 && item.paidAt !== null && attemptId !== undefined) {
    const about = { orderId: item.orderId, orderItemId: item.id, attemptId, createdAt: item.paidAt };
    books.ledgerEntries.push(...book(`charge:${attemptId}:${item.id}`, chargeLegs(item.subtotal), about));
  }
  if (state === "completed" && item.deliveredAt !== null && item.subtotal > 0)
    payOut(books, { ...item, deliveredAt: item.deliveredAt });
  return item;
}

function itemStatus(
  deal: Deal,
  state: LineState | undefined,
): "pending_payment" | "expired" | "processing" | "shipped" | "delivered" | "completed" {
  if (state === undefined) return deal.payment === "expired" ? "expired" : "pending_payment";
  return state === "shipped" || state === "delivered" || state === "completed" ? state : "processing";
}

interface PaidItem {
  id: string;
  buyerContacted: boolean;
  buyerAgreed: boolean;
  sellerId: string;
  handover: Handover;
  status: ItemStatus;
  paidAt: number;
  shippedAt: number | null;
  deliveredAt: number | null;
}

/** What happened to a paid item so far, and what the clock does next. */
function keepDeal(books: Trade, { buyerId, now }: PlacedOrder, item: PaidItem): void {
  const between = (share: number) => Math.round(item.paidAt + ((item.shippedAt ?? now) - item.paidAt) * share);
  const steps: [DealEvent, number | null, string][] = [
    ["paid", item.paidAt, buyerId],
    ["buyer_contacted", item.buyerContacted ? between(0.3) : null, item.sellerId],
    ["buyer_agreed", item.buyerAgreed ? between(0.6) : null, buyerId],
    ["shipped", item.shippedAt, item.sellerId],
    [item.status === "delivered" ? "delivered" : "code_entered", item.deliveredAt, item.sellerId],
  ];
  for (const [event, createdAt, actorId] of steps) {
    if (createdAt === null) continue;
    const id = idOf(`${event} ${item.id}`);
    books.dealEvents.push({ id, orderItemId: item.id, event, actor: EVENT_ACTORS[event], actorId, createdAt });
  }
  const facts = {
    handover: item.handover,
    now: item.deliveredAt ?? item.shippedAt ?? now,
    paidAt: item.paidAt,
    problemOpenedAt: null,
    inspectionHours: DEAL_HOURS.inspection,
  };
  books.dealTimers.push(...timersOf(item.status, facts).map((timer) => ({ orderItemId: item.id, ...timer })));
}

function payOut(
  books: Trade,
  item: { id: string; orderId: string; sellerId: string; subtotal: number; deliveredAt: number },
): void {
  const id = idOf(`payout ${item.id}`);
  const [createdAt, sentAt, doneAt] = [item.deliveredAt, item.deliveredAt + SECOND, item.deliveredAt + 9 * SECOND];
  books.payouts.push({
    id,
    orderItemId: item.id,
    sellerId: item.sellerId,
    phone: PEOPLE[personOf(item.sellerId)].phone,
    amount: item.subtotal,
    state: "done",
    conversationId: idOf(`conversation ${id}`),
    callbackToken: token(`payout ${id}`),
    providerConversationId: `AG_${new Date(sentAt).toISOString().slice(0, 10).replaceAll("-", "")}_${token(id).slice(0, 20)}`,
    receipt: receipt(`payout ${id}`, doneAt),
    ...SUCCESS,
    sendCount: 1,
    nextActionAt: null,
    createdAt,
    sentAt,
    doneAt,
    updatedAt: doneAt,
  });
  books.payoutItems.push({ orderItemId: item.id, payoutId: id, amount: item.subtotal, createdAt });
  const about = { orderId: item.orderId, orderItemId: item.id, payoutId: id };
  books.ledgerEntries.push(
    ...book(`release:${item.id}`, releaseLegs(item.subtotal), { ...about, createdAt }),
    ...book(`payout:${id}:${item.id}`, payoutLegs(item.subtotal), { ...about, createdAt: doneAt }),
  );
}

function book(
  transactionId: string,
  legs: LedgerLeg[],
  about: Omit<Row<"ledgerEntries">, "id" | "transactionId" | keyof LedgerLeg>,
): Row<"ledgerEntries">[] {
  return legs.map((leg) => ({ id: idOf(`ledger ${transactionId} ${leg.account}`), transactionId, ...leg, ...about }));
}

/**
 * The messages of seller and buyer about the first line, in turns. The last message of a seller who waits is unread.
 */
function chat(books: Trade, placed: PlacedOrder): void {
  const { deal, buyerId, orderId, label, placedAt, now } = placed;
  const item = books.orderItems.find((candidate) => candidate.id === idOf(`item ${label} 0`));
  if (!deal.chat || !item) return;
  const seller = { id: item.sellerId, name: PEOPLE[personOf(item.sellerId)].fullName };
  const buyer = { id: buyerId, name: PEOPLE[deal.buyer].fullName };
  const step = Math.min(40 * MINUTE, (now - placedAt) / 5);
  deal.chat.forEach((message, at) => {
    const [sender, recipient] = at % 2 === 0 ? [seller, buyer] : [buyer, seller];
    books.messages.push({
      id: idOf(`message ${label} ${at}`),
      thread: threadOf(seller.id, buyer.id),
      senderId: sender.id,
      recipientId: recipient.id,
      productId: item.productId,
      orderId,
      orderItemId: item.id,
      message,
      senderName: sender.name,
      recipientName: recipient.name,
      read: at + 1 < (deal.chat?.length ?? 0) || deal.lines[0]?.[2] !== "waiting",
      createdAt: Math.round(placedAt + step * (at + 1)),
    });
  });
}

/** An accepted meeting for the first line, with the two messages about it. */
function meet(books: Trade, { deal, label, orderId, buyerId, placedAt, now }: PlacedOrder): void {
  const item = books.orderItems.find((candidate) => candidate.id === idOf(`item ${label} 0`));
  if (!deal.meeting || !item) return;
  const { campus, point, hour, isMissed = false } = deal.meeting;
  const startsAt = dayStart(dayOf(now) + (isMissed ? -1 : 1)) + hour * HOUR;
  const suggestedAt = Math.min(Math.round(placedAt + 0.9 * (now - placedAt)), startsAt - 20 * HOUR);
  const acceptedAt = Math.min(now, suggestedAt + 20 * MINUTE);
  const suggestion = { place: point, startsAt };
  books.meetings.push({
    orderItemId: item.id,
    pointId: meetingPointId(campus, point),
    ...suggestion,
    proposedBy: item.sellerId,
    state: "accepted",
    remindAt: remindAt(startsAt, now),
    createdAt: suggestedAt,
    updatedAt: acceptedAt,
  });
  const says = (from: string, to: string, step: "suggested" | "accepted", createdAt: number) => ({
    id: idOf(`meeting ${label} ${step}`),
    thread: threadOf(from, to),
    senderId: from,
    recipientId: to,
    productId: item.productId,
    orderId,
    orderItemId: item.id,
    kind: "meeting" as const,
    message: stepMessage(step, suggestion, step === "accepted" ? "proposed" : null),
    senderName: PEOPLE[personOf(from)].fullName,
    recipientName: PEOPLE[personOf(to)].fullName,
    read: true,
    createdAt,
  });
  books.messages.push(
    says(item.sellerId, buyerId, "suggested", suggestedAt),
    says(buyerId, item.sellerId, "accepted", acceptedAt),
  );
}

/** What buyer and seller say about the completed lines. */
function reviewLines(
  books: Trade,
  { deal, label, buyerId, now }: PlacedOrder,
  images: Map<string, Product["images"]>,
): void {
  const completed = deal.lines.flatMap(([, , state], at) => (state === "completed" ? [at] : []));
  deal.reviews?.forEach(({ buyer, seller, reply, hasPhoto = false }, at) => {
    const item = books.orderItems.find((candidate) => candidate.id === idOf(`item ${label} ${completed[at]}`));
    if (!item?.deliveredAt) throw new Error(`${label} has a review of a line that isn't completed`);
    const writtenAt = Math.min(now - HOUR, item.deliveredAt + 20 * HOUR);
    const publishAt = publishAtOf(writtenAt);
    const publishedAt = buyer && seller ? writtenAt : publishAt <= now ? publishAt : null;
    const opinions = [
      { opinion: buyer, authorId: buyerId, subjectId: item.sellerId, subjectRole: "seller" as const },
      { opinion: seller, authorId: item.sellerId, subjectId: buyerId, subjectRole: "buyer" as const },
    ];
    for (const { opinion, ...people } of opinions) {
      if (!opinion) continue;
      const [rating, text, tags = []] = opinion;
      const isAnswered = people.subjectRole === "seller" && reply !== undefined && publishedAt !== null;
      books.reviews.push({
        id: idOf(`review ${label} ${at} ${people.subjectRole}`),
        orderItemId: item.id,
        ...people,
        rating,
        tags,
        text,
        photos: hasPhoto && people.subjectRole === "seller" ? (images.get(item.productId) ?? []).slice(0, 1) : [],
        createdAt: writtenAt,
        publishAt,
        publishedAt,
        reply: isAnswered ? reply : null,
        repliedAt: isAnswered ? Math.min(now, publishedAt + 3 * HOUR) : null,
      });
    }
  });
}

const PLANS = {
  monthly_premium: { amount: 2500, days: 30 },
  biweekly_featured: { amount: 700, days: 14 },
  weekly_featured: { amount: 400, days: 7 },
} as const;

/** A plan that runs for `days` more, and its payment. */
function subscribe(books: Trade, name: PersonName, days: number, now: number): void {
  const plan = days > 14 ? "monthly_premium" : days > 7 ? "biweekly_featured" : "weekly_featured";
  const { amount, days: length } = PLANS[plan];
  const startsAt = now - (length - days) * DAY;
  const id = idOf(`subscription ${name}`);
  const userId = idOfPerson(name);
  const paid = attempt(
    { label: `plan ${name}`, buyerId: userId, phone: PEOPLE[name].phone, amount, placedAt: startsAt - 2 * MINUTE },
    0,
  );
  books.subscriptions.push({
    id,
    userId,
    plan,
    amount,
    status: "active",
    startsAt,
    endsAt: now + days * DAY,
    createdAt: startsAt - 2 * MINUTE,
    updatedAt: startsAt,
  });
  books.paymentAttempts.push({ ...paid, purpose: "subscription", subscriptionId: id });
  const legs: LedgerLeg[] = [
    { account: "mpesa_collection", kind: "charge", amount },
    { account: "plans", kind: "charge", amount: -amount },
  ];
  books.ledgerEntries.push(
    ...book(`charge:${paid.id}`, legs, { attemptId: paid.id, createdAt: paid.settledAt ?? startsAt }),
  );
}

/** A token for callback paths: 64 hex digits. */
function token(label: string): string {
  return createHash("sha256").update(`token ${label}`).digest("hex");
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`;
const DAY_LETTERS = `0123456789${LETTERS}`;

/**
 * A receipt as M-Pesa writes it: a letter for the year (T is 2025), one for the month, a digit or letter for the day,
 * and seven more.
 */
function receipt(label: string, at: number): string {
  const chance = chanceOf(`receipt ${label}`);
  const date = inEastAfrica(at);
  const year = LETTERS.charAt((date.getUTCFullYear() - 2006) % 26);
  const rest = Array.from({ length: 7 }, () => chance.pick([...LETTERS_AND_DIGITS])).join("");
  return `${year}${LETTERS.charAt(date.getUTCMonth())}${DAY_LETTERS.charAt(date.getUTCDate())}${rest}`;
}

/** DDMMYYYYHHmmss in East Africa Time. */
function dayFirst(at: number): string {
  const [year, month, day, time] = inEastAfrica(at).toISOString().split(/[-T.]/);
  return `${day}${month}${year}${time?.replaceAll(":", "")}`;
}
