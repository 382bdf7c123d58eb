import { and, eq, sql } from "drizzle-orm";
import type { Mail } from "#app/accounts/mailer.ts";
import { expectOneChange, PreconditionFailed, runBatch, type Statement, UniqueViolation } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { credentials, orders, paymentAttempts, profiles, refunds, shops, subscriptions } from "#app/db/schema.ts";
import { markSold, soldAway } from "#app/orders/availability.server.ts";
import { clearOrderedCart } from "#app/orders/place-order.server.ts";
import { closeKinOfPaid, paidKin } from "#app/orders/replaced-orders.server.ts";
import { shortOrderId } from "#app/orders/rules.ts";
import { type DiscrepancyKind, raiseDiscrepancy, recordDiscrepancy, resolveDiscrepancies, runRaising } from "./discrepancies.server.ts";
import type { FailureReason } from "./gateway.ts";
import { bookTransaction } from "./ledger.server.ts";
import { chargeLegs, DISMISSED_TEXT, EXPIRED_TEXT, FAILURE_TEXTS, HELD_TEXT, nextAttemptState, REFUND_COMES_TEXT, refundDueLegs, SOLD_AWAY_TEXT } from "./rules.ts";
import { firstPlanPayment, type PlanBeingPaid, secondPlanPayment } from "./plan-settlement.server.ts";
import type { PaymentServices } from "./services.ts";

/** What became known of an attempt, with what came along. */
export type AttemptReport =
  | { event: "accepted"; checkoutRequestId: string; merchantRequestId: string }
  | { event: "refused" | "declined"; code: string; message: string; reason: FailureReason }
  | { event: "lost"; code: string; message: string }
  /** Amount and ids were already held against the attempt. `checkoutRequestId`: null where nobody knows it. */
  | { event: "paid"; receipt: string; paidAt: number | null; checkoutRequestId: string | null }
  | { event: "confirmed" }
  | { event: "mismatched"; detail: string }
  | { event: "timed_out" }
  | { event: "dismissed" };

/** What an event did: it moved the attempt on, or there was nothing (more) to do. */
export type Applied = "applied" | "unchanged" | "unknown_attempt";

type Attempt = typeof paymentAttempts.$inferSelect;
type Order = typeof orders.$inferSelect;

const MAX_RACES = 6;

/**
 * Takes an attempt where `report` leads it, together with everything that follows (order, items, ledger, cart, mail), in one
 * guarded batch. Safe to call twice, at once, and in any order: whoever comes second finds the state changed and looks again.
 */
export async function applyAttemptEvent(services: PaymentServices, attemptId: string, report: AttemptReport): Promise<Applied> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const found = await readAttempt(services, attemptId);
    if (!found) return "unknown_attempt";
    try {
      return await applyOnce(services, found, report);
    } catch (error) {
      if (error instanceof UniqueViolation && error.columns.includes("payment_attempts.receipt") && report.event === "paid") {
        return applyAttemptEvent(services, attemptId, { event: "mismatched", detail: `receipt ${report.receipt} was seen on another payment` });
      }
      if (!(error instanceof PreconditionFailed) && !(error instanceof UniqueViolation)) throw error;
    }
  }
  throw new Error(`attempt ${attemptId} kept changing while ${report.event} was applied`);
}

interface Found {
  attempt: Attempt;
  /** What the attempt pays for: one of the two. */
  order: Order | null;
  plan: PlanBeingPaid | null;
  buyer: { email: string; name: string } | null;
  /** The order that was paid in this one's place; null where there is none. */
  paidInstead: string | null;
  /** 1: something in the order was there once, and is sold to somebody else. */
  soldAway: number;
}

async function readAttempt(services: PaymentServices, attemptId: string): Promise<Found | null> {
  const [row] = await services.db
    .select({
      attempt: paymentAttempts,
      order: orders,
      subscription: subscriptions,
      proUntil: profiles.proUntil,
      featuredUntil: shops.featuredUntil,
      email: credentials.email,
      name: profiles.fullName,
      paidInstead: sql<string | null>`${paidKin({ id: sql`orders.id`, userId: sql`orders.user_id` })}`,
      soldAway: sql<number>`EXISTS ${soldAway(sql`orders.id`)}`,
    })
    .from(paymentAttempts)
    .leftJoin(orders, eq(orders.id, paymentAttempts.orderId))
    .leftJoin(subscriptions, eq(subscriptions.id, paymentAttempts.subscriptionId))
    .leftJoin(shops, eq(shops.id, paymentAttempts.userId))
    .leftJoin(credentials, eq(credentials.id, paymentAttempts.userId))
    .leftJoin(profiles, eq(profiles.id, paymentAttempts.userId))
    .where(eq(paymentAttempts.id, attemptId));
  if (!row) return null;
  const { attempt, order, subscription, proUntil, featuredUntil, paidInstead } = row;
  return {
    attempt,
    order,
    plan: subscription && { ...subscription, ownerName: row.name ?? "", proUntil, featuredUntil },
    buyer: row.email ? { email: row.email, name: row.name || "there" } : null,
    paidInstead,
    soldAway: row.soldAway,
  };
}

async function applyOnce(services: PaymentServices, found: Found, report: AttemptReport): Promise<Applied> {
  const { attempt } = found;
  const next = nextAttemptState(attempt.state, report.event);
  if (next === null) return fillIn(services, attempt, report);

  const settles = next === "succeeded";
  const back = settles ? whyBack(found) : null;
  const statements = [
    ...moveAttempt(services, attempt, next, report),
    ...attention(services, attempt, next, report),
    ...(settles ? (back ? paymentBack(services, found, back) : await firstPayment(services, found, report)) : unsettled(services, found, next, report)),
  ];
  await runRaising(services, statements);

  services.log({ event: "attempt_moved", attemptId: attempt.id, from: attempt.state, to: next, by: report.event });
  if (back) services.log({ event: "payment_goes_back", attemptId: attempt.id, orderId: attempt.orderId, reason: back.reason });
  await announce(services, found, { next, back: back !== null, error: errorText(next, report) });
  return "applied";
}

/** Failures of a payment that no buyer can help (Daraja facts §3.5). */
const OUR_FAULTS: Partial<Record<FailureReason, DiscrepancyKind>> = { our_configuration: "push_configuration", our_limit: "push_limit" };

/** What a person must know of the move, or need not look into any more. */
function attention(services: PaymentServices, attempt: Attempt, next: Attempt["state"], report: AttemptReport): Statement[] {
  const now = services.now();
  const statements: Statement[] = [];
  if (next === "held") statements.push(...raiseDiscrepancy("payment_mismatch", attempt.id, "detail" in report ? report.detail : "", now));
  if (next === "succeeded") statements.push(resolveDiscrepancies(["payment_in_doubt"], attempt.id, "paid after all", now));
  if (next === "failed") statements.push(resolveDiscrepancies(["payment_in_doubt"], attempt.id, "not paid", now));
  // Told once for all: every other payment fails for the same reason.
  const ours = "reason" in report ? OUR_FAULTS[report.reason] : undefined;
  if (ours && "reason" in report) statements.push(...raiseDiscrepancy(ours, report.code, report.message, now));
  return statements;
}

/** Why money that came in goes back. */
interface GoesBack {
  /** For the desk. */
  reason: string;
  /** For the buyer, on an order that closes with it; null where the order stands. */
  text: string | null;
}

/** Null where the payment is kept: it is the first for what can still be had. */
function whyBack({ order, plan, paidInstead, soldAway: sold }: Found): GoesBack | null {
  if (plan) return plan.status === "pending_payment" ? null : { reason: "The plan had been paid before", text: null };
  if (order?.paymentStatus === "completed") return { reason: "The order had been paid before", text: null };
  if (paidInstead !== null) return { reason: `Order ${shortOrderId(paidInstead)} had been paid in its place`, text: REFUND_COMES_TEXT };
  return sold === 1 ? { reason: "It had been sold to somebody else before this payment came in", text: SOLD_AWAY_TEXT } : null;
}

/** The attempt's own row; aborts the batch where its state or its order's payment changed since it was read. */
function moveAttempt(services: PaymentServices, attempt: Attempt, next: Attempt["state"], report: AttemptReport): Statement[] {
  const now = services.now();
  const settled = next !== "pushed" && next !== "unknown";
  return [
    services.db
      .update(paymentAttempts)
      .set({
        state: next,
        ...detailsOf(report, now),
        // A settled attempt is asked about no more, but for a failure that may yet turn out paid, and a success to confirm.
        ...(next === "refused" || next === "held" ? { nextQueryAt: null } : {}),
        ...(report.event === "paid" ? { nextQueryAt: attempt.confirmedAt ? null : now } : {}),
        ...(report.event === "confirmed" ? { nextQueryAt: null } : {}),
        ...(next === "failed" && !("reason" in report && report.reason === "no_answer") ? { nextQueryAt: null } : {}),
        ...(settled ? { settledAt: now } : {}),
        updatedAt: now,
      })
      .where(and(eq(paymentAttempts.id, attempt.id), eq(paymentAttempts.state, attempt.state))),
    expectOneChange(),
  ];
}

function detailsOf(report: AttemptReport, now: number): Partial<Attempt> {
  switch (report.event) {
    case "accepted":
      return { checkoutRequestId: report.checkoutRequestId, merchantRequestId: report.merchantRequestId };
    case "paid":
      return { receipt: report.receipt, ...(report.checkoutRequestId && { checkoutRequestId: report.checkoutRequestId }), resultCode: "0", failureReason: null };
    case "confirmed":
      return { confirmedAt: now, resultCode: "0", failureReason: null };
    case "refused":
    case "declined":
      return { resultCode: report.code, resultDesc: report.message.slice(0, 300), failureReason: report.reason };
    case "lost":
      return { resultCode: report.code, resultDesc: report.message.slice(0, 300) };
    case "mismatched":
      return { resultDesc: report.detail.slice(0, 300) };
    case "timed_out":
      return { failureReason: "expired" };
    case "dismissed":
      return { failureReason: "other" };
  }
}

/** The state stands, but the report may still carry something missing: a receipt after a query, an id after a callback. */
async function fillIn(services: PaymentServices, attempt: Attempt, report: AttemptReport): Promise<Applied> {
  const now = services.now();
  if (attempt.state === "succeeded" && report.event === "confirmed" && attempt.confirmedAt === null) {
    await runBatch(services.db, [
      services.db
        .update(paymentAttempts)
        .set({ confirmedAt: now, nextQueryAt: null, updatedAt: now })
        .where(and(eq(paymentAttempts.id, attempt.id), sql`confirmed_at IS NULL`)),
      resolveDiscrepancies(["payment_unconfirmed"], attempt.id, "confirmed", now),
    ]);
    return "applied";
  }
  if (attempt.state === "succeeded" && report.event === "paid" && attempt.receipt === null) {
    await runBatch(services.db, [
      services.db
        .update(paymentAttempts)
        .set({ receipt: report.receipt, updatedAt: now })
        .where(and(eq(paymentAttempts.id, attempt.id), sql`receipt IS NULL`)),
      expectOneChange(),
      sql`UPDATE orders SET mpesa_receipt = ${report.receipt}, payment_date = COALESCE(${report.paidAt}, payment_date), updated_at = ${now}
        WHERE id = ${attempt.orderId} AND mpesa_receipt IS NULL`,
    ]);
    return "applied";
  }
  if (report.event === "accepted" && attempt.checkoutRequestId === null) {
    await services.db
      .update(paymentAttempts)
      .set({ checkoutRequestId: report.checkoutRequestId, merchantRequestId: report.merchantRequestId, updatedAt: now })
      .where(and(eq(paymentAttempts.id, attempt.id), sql`checkout_request_id IS NULL`));
    return "applied";
  }
  // A query had settled it, which knows neither amount nor receipt; now they do not fit.
  if (attempt.state === "succeeded" && report.event === "mismatched") await recordDiscrepancy(services, "payment_mismatch", attempt.id, report.detail);
  if (attempt.state === "succeeded" && report.event === "paid" && attempt.receipt !== null && attempt.receipt !== report.receipt) {
    await recordDiscrepancy(services, "payment_mismatch", attempt.id, `paid as ${attempt.receipt}, and again as ${report.receipt}`);
  }
  if (attempt.state === "succeeded" && report.event === "declined") {
    await recordDiscrepancy(services, "declined_after_success", attempt.id, `code ${report.code} after the payment had settled`);
  }
  return "unchanged";
}

/** The payment an order was waiting for: the order, its items, the ledger, the cart and the mails, all or nothing. */
async function firstPayment(services: PaymentServices, { attempt, order, plan, buyer }: Found, report: AttemptReport): Promise<Statement[]> {
  if (plan) return firstPlanPayment(plan, { attempt, buyer, receipt: report.event === "paid" ? report.receipt : null, now: services.now() });
  if (!order) throw new Error(`attempt ${attempt.id} has no order`);
  const now = services.now();
  const receipt = report.event === "paid" ? report.receipt : null;
  const paidAt = (report.event === "paid" ? report.paidAt : null) ?? now;
  return [
    services.db
      .update(orders)
      .set({
        paymentStatus: "completed",
        orderStatus: "processing",
        mpesaReceipt: receipt,
        paymentDate: paidAt,
        paymentError: null,
        phoneNumber: attempt.phone,
        ...(attempt.checkoutRequestId ? { checkoutRequestId: attempt.checkoutRequestId } : {}),
        updatedAt: now,
      })
      .where(and(eq(orders.id, order.id), sql`${orders.paymentStatus} <> 'completed' AND NOT EXISTS ${paidKin(order)} AND NOT EXISTS ${soldAway(order.id)}`)),
    expectOneChange(),
    ...paidOrderEffects(services, order),
    ...bookTransaction({ transactionId: `charge:${attempt.id}`, legs: chargeLegs(attempt.amount), orderId: order.id, attemptId: attempt.id, now }),
    ...(buyer ? [queueBuyerMail(order, buyer, receipt, now)] : []),
    ...(await sellerMails(services, order.id)),
  ];
}

/** What follows from an order being paid, whether by M-Pesa or because it was free. */
export function paidOrderEffects(services: Pick<PaymentServices, "now">, order: { id: string; userId: string }): Statement[] {
  const now = services.now();
  return [
    sql`UPDATE order_items SET status = 'processing', updated_at = ${now} WHERE order_id = ${order.id} AND status IN ('pending_payment', 'expired')`,
    clearOrderedCart(order.id),
    markSold(order.id, now),
    ...closeKinOfPaid(order, now),
  ];
}

function queueBuyerMail(order: Order, buyer: { email: string; name: string }, receipt: string | null, now: number): Statement {
  const mail: Mail = {
    to: buyer.email,
    template: "payment_received",
    data: { name: buyer.name, orderId: order.id, amount: order.amount, receipt },
  };
  return queueEffect("mail", `payment_received:${order.id}`, mail, now);
}

/** One mail a seller's item. */
export async function sellerMails(services: Pick<PaymentServices, "db" | "now">, orderId: string): Promise<Statement[]> {
  const rows = await services.db.all<{ id: string; name: string; quantity: number; subtotal: number; email: string; seller: string | null; used: number }>(
    sql`SELECT i.id, i.product_name AS name, i.quantity, i.subtotal, c.email, p.full_name AS seller, l.condition <> 'new' AS used
      FROM order_items i JOIN products l ON l.id = i.product_id JOIN credentials c ON c.id = i.seller_id LEFT JOIN profiles p ON p.id = i.seller_id WHERE i.order_id = ${orderId}`,
  );
  return rows.map((row) => {
    const mail: Mail = {
      to: row.email,
      template: "new_sale",
      data: { name: row.seller || "there", orderItemId: row.id, productName: row.name, quantity: row.quantity, subtotal: row.subtotal, taken: row.used === 1 },
    };
    return queueEffect("mail", `new_sale:${row.id}`, mail, services.now());
  });
}

/** The order, or another in its place, was paid before, or what it holds is sold: the money is owed back, and a person is told. */
function paymentBack(services: PaymentServices, { attempt, order, plan, buyer, paidInstead }: Found, { reason, text }: GoesBack): Statement[] {
  const now = services.now();
  if (plan) return secondPlanPayment(plan, { attempt, buyer, now });
  const mail: Mail | null = buyer && order && { to: buyer.email, template: "refund_due", data: { name: buyer.name, orderId: paidInstead ?? order.id, amount: attempt.amount, sold: text === SOLD_AWAY_TEXT } };
  return [
    services.db.insert(refunds).values({
      id: crypto.randomUUID(),
      attemptId: attempt.id,
      orderId: attempt.orderId,
      amount: attempt.amount,
      reason,
      createdAt: now,
    }),
    ...bookTransaction({ transactionId: `refund_due:${attempt.id}`, legs: refundDueLegs(attempt.amount), orderId: attempt.orderId, attemptId: attempt.id, now }),
    ...(mail ? [queueEffect("mail", `refund_due:${attempt.id}`, mail, now)] : []),
    ...(order && text !== null ? closeUnpaid(order, text, paidInstead, now) : []),
  ];
}

/** The order itself stays unpaid, unless it was paid too meanwhile, and says why. */
function closeUnpaid(order: Order, text: string, paidInstead: string | null, now: number): Statement[] {
  return [
    sql`UPDATE orders SET payment_status = 'failed', payment_error = ${text}, order_status = 'expired', replaced_by = COALESCE(${paidInstead}, replaced_by), updated_at = ${now}
      WHERE id = ${order.id} AND payment_status <> 'completed'`,
    sql`UPDATE order_items SET status = 'expired', updated_at = ${now} WHERE order_id = ${order.id} AND status = 'pending_payment'`,
  ];
}

/** What the order shows while it is not paid; another attempt that is still live, or a payment, is never overwritten. */
function unsettled(services: PaymentServices, { attempt, order, plan, buyer }: Found, next: Attempt["state"], report: AttemptReport): Statement[] {
  // A plan's page reads the attempt itself.
  if (plan) return [];
  const now = services.now();
  const status = next === "pushed" || next === "unknown" || next === "held" ? "processing" : "failed";
  const error = errorText(next, report);
  const checkoutRequestId = report.event === "accepted" ? report.checkoutRequestId : attempt.checkoutRequestId;
  return [
    // An earlier payment that is held keeps the buyer from paying again, whatever became of this one.
    sql`UPDATE orders SET (payment_status, payment_error) = (
        SELECT CASE WHEN held THEN 'processing' ELSE ${status} END, CASE WHEN held THEN ${HELD_TEXT} ELSE ${error} END
        FROM (SELECT EXISTS (SELECT 1 FROM payment_attempts h WHERE h.order_id = ${attempt.orderId} AND h.state = 'held') AS held)
      ), checkout_request_id = ${checkoutRequestId}, updated_at = ${now}
      WHERE id = ${attempt.orderId} AND payment_status <> 'completed' AND NOT EXISTS (
        SELECT 1 FROM payment_attempts other WHERE other.order_id = ${attempt.orderId} AND other.id <> ${attempt.id}
          AND (other.state IN ('created', 'pushed', 'unknown') OR (other.created_at > ${attempt.createdAt} AND other.state <> 'refused')))`,
    ...(buyer && order && order.paymentStatus !== "completed" ? unsettledMail(attempt, order, buyer, { next, error, now }) : []),
  ];
}

/** The buyer may have put the phone away: who was asked and did not pay is told why, and whose payment is held that we look into it; once a request. */
function unsettledMail(attempt: Attempt, order: Order, buyer: { email: string; name: string }, { next, error, now }: { next: Attempt["state"]; error: string | null; now: number }): Statement[] {
  const facts = { name: buyer.name, orderId: order.id, amount: attempt.amount };
  if (next === "held") return [queueEffect("mail", `payment_held:${attempt.id}`, { to: buyer.email, template: "payment_held", data: facts } satisfies Mail, now)];
  if (next !== "failed" && next !== "expired") return [];
  const mail: Mail = { to: buyer.email, template: "payment_failed", data: { ...facts, reason: error ?? FAILURE_TEXTS.other } };
  return [queueEffect("mail", `payment_failed:${attempt.id}`, mail, now)];
}

function errorText(next: Attempt["state"], report: AttemptReport): string | null {
  if (next === "held") return HELD_TEXT;
  if (next === "expired") return EXPIRED_TEXT;
  if (report.event === "dismissed") return DISMISSED_TEXT;
  return "reason" in report ? FAILURE_TEXTS[report.reason] : null;
}

interface Move {
  next: Attempt["state"];
  /** The money goes back. */
  back: boolean;
  error: string | null;
}

/** Tells the open pages of buyer and sellers; never fails. */
async function announce(services: PaymentServices, found: Found, move: Move): Promise<void> {
  const { attempt, order } = found;
  const orderId = attempt.orderId;
  if (!orderId || !order) return services.notifier.notify(attempt.userId, { type: "plan" });
  await services.notifier.notify(attempt.userId, { type: "payment", orderId, notice: noticeOf(found, order, move), shownOn: `/checkout/${orderId}` });
  if (move.next === "succeeded" && !move.back) await tellSellers(services, orderId);
}

/** What the buyer's other pages say of it; the checkout itself shows it at length. */
function noticeOf(found: Found, order: Order, { next, back, error }: Move): string | undefined {
  const { attempt, paidInstead } = found;
  const name = `order ${shortOrderId(order.id)}`;
  if (back && whyBack(found)?.text === SOLD_AWAY_TEXT) return SOLD_AWAY_TEXT;
  if (back) return `You paid order ${shortOrderId(paidInstead ?? order.id)} twice. We are sending KES ${attempt.amount.toLocaleString("en-KE")} back to you.`;
  if (next === "succeeded") return `Paid: KES ${attempt.amount.toLocaleString("en-KE")} for ${name}`;
  if (order.paymentStatus === "completed") return undefined;
  if (next === "held") return `About ${name}: ${HELD_TEXT}`;
  if (next !== "failed" && next !== "expired") return undefined;
  return `The payment of ${name} did not go through. ${error ?? ""}`.trim();
}

/** A live notice to everyone who sells something in the order. */
export async function tellSellers(services: Pick<PaymentServices, "db" | "notifier">, orderId: string): Promise<void> {
  const items = await services.db.all<{ id: string; sellerId: string; name: string }>(
    sql`SELECT id, seller_id AS sellerId, product_name AS name FROM order_items WHERE order_id = ${orderId}`,
  );
  await Promise.all(
    items.map((item) =>
      services.notifier.notify(item.sellerId, { type: "order", orderId, orderItemId: item.id, notice: `New order: ${item.name} is paid` }),
    ),
  );
}
