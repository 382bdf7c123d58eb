import { and, eq, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import type { DealStep, DealStepData } from "#app/notifications/kinds.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { markSeen } from "#app/notifications/seen.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { type Statement, expectOneChange, expectThat, retryOnConflict, write } from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { problems } from "./tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import type { OrderStatus } from "#app/db/states/order.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- whatever ends a review ends what a second admin was asked
import { voidProposal } from "#app/moderation/second-admin/open-proposals.server.ts";
import { noteAttendance } from "./attendance.server.ts";
import { noteInvitedDeal } from "./invitations.server.ts";
import { against } from "./deal-blame-rules.ts";
import { BY_HELPER } from "./code/handover-link-rules.ts";
import { type DealRecord, recordDealEvent, setTimers } from "./deal-records.server.ts";
import {
  DEAL_READERS,
  type DealRefusal,
  type DealRole,
  isOutcome,
  isWarning,
  moneyEffect,
  nextItemStatus,
  refuseDealEvent,
  refusePart,
  returnedBy,
} from "./deal-rules.ts";
import { divideMoney } from "#app/orders/item-price-rules.ts";
import { inspectionHours, timersOf } from "#app/orders/deal-timer-rules.ts";
import { CODE_EVENTS, EVENT_ACTORS } from "#app/db/states/deal.ts";
import { afterSalesEnded } from "#app/orders/sale-effects.server.ts";
import { liftReports, openReport } from "#app/payments/reports-stop-money.server.ts";
import { reclaimStatements, refundStatements, releaseStatements } from "#app/payments/transfers/item-money.server.ts";
import { holdsFor } from "./deal-facts.server.ts";
import type { DealServices } from "./deal-services.ts";
import { dealNotice } from "#app/deals/words/deal-notice-rules.ts";
import { type Deal, findDeal } from "./find-deal.server.ts";

/** An event that happens to an item. */
export interface DealInput extends Pick<DealRecord, "reason" | "note"> {
  itemId: string;
  event: DealEvent;
  /** Who causes it; null for the clock. A buyer or seller must be the item's own. */
  by: string | null;
  /** KES that the buyer gets back, where the event offers or splits. */
  refundAmount?: number;
  /** Statements for the same batch. They run first, and abort the batch when their guards refuse. */
  together?: Statement[];
}

export type DealResult =
  /** `payoutId`: the payout that the event created. `subtotal` in KES. */
  | { ok: true; status: ItemStatus; payoutId: string | null; subtotal: number }
  /** No such item, or not theirs. */
  | { ok: false; code: "not_found" }
  | { ok: false; code: DealRefusal; status: ItemStatus };

const MAX_TRIES = 6;

/**
 * Applies an event to a paid item: its status, timers and history, the money, the listing and the emails, in one
 * guarded batch. Safe to call twice, and at the same time as other events: each try reads the item again, and the batch
 * aborts if the item has changed since.
 * @throws PreconditionFailed when a guard in `together` refuses each time
 */
export async function applyDealEvent(services: DealServices, input: DealInput): Promise<DealResult> {
  return retryOnConflict(MAX_TRIES, async () => {
    const deal = await findDeal(services, input.itemId);
    if (!deal || !isTheirs(deal, input)) return { ok: false, code: "not_found" };
    const refusal = refuseDealEvent(input.event, deal, services.now());
    const next = nextItemStatus(deal.status, input.event);
    if (refusal || next === null) return { ok: false, code: refusal ?? "wrong_state", status: deal.status };
    const payoutId = await applyOnce(services, deal, next, input);
    await announce(services, deal, input);
    return { ok: true, status: next, payoutId, subtotal: deal.subtotal };
  });
}

function isTheirs(deal: Deal, { event, by }: DealInput): boolean {
  const actor = EVENT_ACTORS[event];
  if (actor === "buyer") return by === deal.buyer.id;
  return actor !== "seller" || by === deal.seller.id;
}

async function applyOnce(
  services: DealServices,
  deal: Deal,
  next: ItemStatus,
  input: DealInput,
): Promise<string | null> {
  const now = services.now();
  const { event } = input;
  const eventId = crypto.randomUUID();
  const hours = inspectionHours(services.deals.inspectionHours, deal.seller, {
    now,
    agreedFor: deal.turn.missed.agreedFor,
  });
  const timers = timersOf(next, {
    handover: deal.handover,
    now,
    paidAt: deal.paidAt ?? now,
    problemOpenedAt: deal.problemOpenedAt,
    inspectionHours: hours,
  });
  const money = await moneyStatements(services, deal, next, input);
  const isEnding = ITEM.isOver(next) || ITEM.isOver(deal.status);
  const isCodeEntered = CODE_EVENTS.includes(event) || deal.isCodeEntered;
  await write(services.db, [
    ...(input.together ?? []),
    // A report may have come since the item was read.
    ...reportGuard(deal, event, now),
    moveItem(deal, next, { now, feeTaken: money.feeTaken }),
    expectOneChange(),
    ...setTimers(deal.id, timers),
    recordDealEvent(
      eventId,
      deal.id,
      {
        ...input,
        actor: EVENT_ACTORS[event],
        actorId: input.by,
        amount: money.returned ?? input.refundAmount ?? null,
        against: against(event, { ...deal.turn, reviewCause: deal.reviewCause, now }),
      },
      now,
    ),
    ...(isEnding ? afterSalesEnded(idList(deal.id)) : []),
    ...(isEnding || CODE_EVENTS.includes(event) ? noteAttendance(deal, { status: next, isCodeEntered }) : []),
    ...(deal.isInvited && isCodeEntered && ITEM.isCompleted(next) ? noteInvitedDeal(deal, now) : []),
    ...money.statements,
    ...settleProblem(deal, next, money.returned, now),
    updateOrderStatus(deal.orderId, now),
    // Who ends a deal because of a block may still have the thing, for others.
    ...(event === "cancelled_by_seller" && deal.turn.blockedBy === null ? takeOffSale(deal.productId, now) : []),
    ...(event === "problem_withdrawn" ? liftReports(deal.id, now) : []),
    // A proposal to decide about it must not come to life again if the item returns to our team.
    ...(ITEM.isInReview(deal.status) ? [voidProposal(`order_item:${deal.id}`, now)] : []),
    // Who acts has seen how things stood.
    ...(input.by === null || isByHelper(input) ? [] : [markSeen(input.by, [`item:${deal.id}`], now)]),
    ...tellSides(deal, event, eventId, {
      amount: money.returned ?? input.refundAmount ?? null,
      // Both sides read each other's words on the order's page, where an account that is deleted takes its own along.
      note: EVENT_ACTORS[event] === "admin" ? (input.note ?? null) : null,
      until: timers.at(-1)?.dueAt ?? null,
      now,
      // The seller wasn't there.
      ...(isByHelper(input) && { reason: BY_HELPER, readers: ["buyer", "seller"] }),
    }),
  ]);
  services.log({ event: "deal_moved", itemId: deal.id, from: deal.status, to: next, by: event });
  return money.payoutId;
}

/** Somebody whom the seller asked has entered the code. */
function isByHelper({ reason }: Pick<DealInput, "reason">): boolean {
  return reason === BY_HELPER;
}

/** Updates the item. Changes nothing if anything that decided the event has changed since it was read. */
function moveItem(
  deal: Deal,
  next: ItemStatus,
  { now, feeTaken }: { now: number; feeTaken: number | undefined },
): Statement {
  return build
    .update(orderItems)
    .set({
      status: next,
      updatedAt: now,
      feeTaken,
      shippedAt: next === "shipped" ? now : undefined,
      deliveredAt: ITEM.isDelivered(next) ? sql`COALESCE(${orderItems.deliveredAt}, ${now})` : undefined,
    })
    .where(
      and(
        eq(orderItems.id, deal.id),
        eq(orderItems.status, deal.status),
        eq(orderItems.buyerAgreed, deal.buyerAgreed),
        eq(orderItems.wrongCodes, deal.wrongCodes),
      ),
    );
}

interface Money {
  payoutId: string | null;
  /** KES of the price that go back to the buyer; null while the money stays held. */
  returned: number | null;
  /** KES of the fee that we take; undefined where nothing is decided. */
  feeTaken: number | undefined;
  statements: Statement[];
}

/** What happens to the money: all of it to one side, or a part to each. With our fee the parts sum to what was paid. */
async function moneyStatements(
  services: DealServices,
  deal: Deal,
  next: ItemStatus,
  { event, refundAmount }: DealInput,
): Promise<Money> {
  const effect = moneyEffect(event, next);
  if (effect === "hold") return { payoutId: null, returned: null, feeTaken: undefined, statements: [] };
  const item = { id: deal.id, orderId: deal.orderId, sellerId: deal.seller.id };
  if (effect === "reclaim")
    return { payoutId: null, returned: null, feeTaken: 0, statements: await reclaimStatements(services, item) };
  const part = effect === "split" ? splitOf(deal, event, refundAmount) : 0;
  const returned = returnedBy(effect, deal.subtotal, part);
  const shares = divideMoney(deal, returned);
  const release = await releaseStatements(services, item, { amount: shares.seller, fee: shares.fee });
  if (shares.buyer > 0 && deal.attemptId === null) throw new Error(`item ${deal.id} has no payment to refund`);
  const refund = refundStatements(services, item, {
    attemptId: deal.attemptId ?? "",
    amount: shares.buyer,
    reason: refundReasonOf(event),
  });
  const statements = [...release.statements, ...refund];
  return { payoutId: release.payoutId, returned, feeTaken: shares.fee, statements };
}

/** The part that goes back. A buyer accepts what was offered, whatever the request says. */
function splitOf(deal: Deal, event: DealEvent, asked: number | undefined): number {
  const amount = event === "part_accepted" ? deal.offeredRefund : (asked ?? null);
  const refusal = amount === null ? "no amount" : refusePart(amount, deal.subtotal);
  if (amount === null || refusal) throw new Error(`item ${deal.id} cannot be split: ${refusal}`);
  return amount;
}

const REFUND_REASONS: Partial<Record<DealEvent, RefundReason>> = {
  cancelled_by_buyer: "cancelled_by_buyer",
  cancel_accepted: "cancelled_by_buyer",
  cancel_unanswered: "cancelled_by_buyer",
  cancelled_by_seller: "cancelled_by_seller",
  not_shipped: "not_shipped",
  party_gone: "account_closed",
  refunded_by_seller: "refunded_by_seller",
  part_accepted: "part_agreed",
};

function refundReasonOf(event: DealEvent): RefundReason {
  return REFUND_REASONS[event] ?? "decided_by_team";
}

/** Records how a problem ended. `refunded`: KES of the price; null while it is open. */
function settleProblem(deal: Deal, next: ItemStatus, refunded: number | null, now: number): Statement[] {
  if (deal.problemOpenedAt === null) return [];
  const problem = eq(problems.orderItemId, deal.id);
  // The money is held again.
  if (ITEM.isOver(deal.status)) return [build.update(problems).set({ refunded: null, settledAt: null }).where(problem)];
  if (!ITEM.isOver(next)) return [];
  return [
    build
      .update(problems)
      .set({ refunded, settledAt: now })
      .where(and(problem, isNull(problems.settledAt))),
  ];
}

/** A paid order's status follows its items. Items that were returned count only if all were. */
function updateOrderStatus(orderId: string, now: number): Statement {
  const is = (status: OrderStatus) => sql`${status}`;
  const { status } = orderItems;
  const some = (condition?: SQL) =>
    hasRow(orderItems, and(eq(orderItems.orderId, orderId), not(stateIs(status, ITEM.isReturned)), condition));
  return build
    .update(orders)
    .set({
      orderStatus: sql`CASE
        WHEN NOT ${some()} THEN ${is("cancelled")}
        WHEN NOT ${some(not(stateIs(status, ITEM.isDelivered)))} THEN ${is("delivered")}
        WHEN ${some(not(stateIs(status, ITEM.isCancellable)))} THEN ${is("shipped")}
        ELSE ${is("processing")} END`,
      updatedAt: now,
    })
    .where(eq(orders.id, orderId));
}

/** The seller doesn't have it any more, so nobody else can buy it. */
function takeOffSale(productId: string, now: number): Statement[] {
  const isListed = and(ne(products.status, "out_of_stock"), isNull(products.deletedAt));
  return [
    updateListings(
      { status: "out_of_stock", soldAt: sql`COALESCE(${products.soldAt}, ${now})`, updatedAt: now },
      and(eq(products.id, productId), isListed),
    ),
    ...afterListingsChanged(idList(productId), now),
  ];
}

/** Aborts the batch if a report that decides about the event was made, or taken back, since the item was read. */
function reportGuard(deal: Deal, event: DealEvent, now: number): Statement[] {
  const has = holdsFor(deal.id, openReport);
  const refusal = (hasOpenReport: boolean) => refuseDealEvent(event, { ...deal, hasOpenReport }, now);
  if (refusal(true) === refusal(false)) return [];
  return [expectThat(deal.hasOpenReport ? has : not(has))];
}

/** What is told about a step. */
export interface StepNews {
  /** KES; null where the step isn't about a part of the price. */
  amount: number | null;
  note: string | null;
  /** A code that explains the step, where its words depend on it. */
  reason?: string | null;
  /** Until when the reader can act, ms since 1970; null when there is no limit. */
  until: number | null;
  now: number;
  /** Who gets it, where that depends on whose turn it is. Otherwise `DEAL_READERS` says. */
  readers?: readonly DealRole[] | undefined;
}

/** Tells each side that the step concerns. `key` names the step, so that it is told once. */
export function tellSides(
  deal: Deal,
  step: DealStep,
  key: string,
  { amount, note, reason = null, until, now, readers = DEAL_READERS[step] ?? [] }: StepNews,
): Statement[] {
  return readers.flatMap((role) => {
    const data: DealStepData = {
      role,
      step,
      productName: deal.productName,
      handover: deal.handover,
      price: deal.subtotal,
      buyerFee: deal.buyerFee,
      sellerFee: deal.sellerFee,
      orderId: deal.orderId,
      orderItemId: deal.id,
      amount,
      note,
      reason,
      until,
    };
    const kind = isOutcome(step) ? "deal_outcome" : isWarning(step) ? "deal_warning" : "deal_step";
    return notify(deal[role], { kind, data }, `deal:${deal.id}:${key}:${role}`, now);
  });
}

/** Tells the open pages of both sides. Never fails. */
async function announce(services: DealServices, deal: Deal, { event, by, reason = null }: DealInput): Promise<void> {
  const tell = (role: DealRole) => {
    const notice =
      deal[role].id === by && !isByHelper({ reason })
        ? undefined
        : dealNotice(event, role, deal.productName, { ...deal, reason });
    const about = { orderId: deal.orderId, orderItemId: deal.id };
    return services.notifier.send(deal[role].id, { type: "order", ...about, ...(notice && { notice }) });
  };
  await Promise.all([tell("buyer"), tell("seller")]);
}
