/** What must be true of every deal when time has run out: its money, its clock, its history and its emails. */
import { divideMoney, type ItemPrice, paidFor } from "#app/orders/item-price-rules.ts";
import { BY_HELPER } from "#app/deals/code/handover-link-rules.ts";
import type { DealEvent, DealHoldStep, DealReminder } from "#app/db/states/deal.ts";
import { DEAL_HOLD_STEPS, DEAL_REMINDERS, isRecordedOnly } from "#app/db/states/deal.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { DEAL_READERS, isOutcome, moneyEffect, nextItemStatus } from "#app/deals/deal-rules.ts";

const QUERIES = {
  items: `SELECT i.id, i.status, i.subtotal, i.buyer_fee AS buyerFee, i.seller_fee AS sellerFee,
    i.fee_taken AS feeTaken, i.buyer_contacted AS contacted, i.buyer_agreed AS agreed,
    o.payment_status = 'completed' AS paid, o.order_status AS orderStatus
    FROM order_items i JOIN orders o ON o.id = i.order_id`,
  timers: "SELECT order_item_id AS itemId, kind FROM deal_timers",
  events: "SELECT id, order_item_id AS itemId, event, reason, amount, created_at AS at FROM deal_events ORDER BY rowid",
  shares: `SELECT s.order_item_id AS itemId, s.amount, s.payout_id AS payoutId, p.amount AS payoutAmount
    FROM payout_items s JOIN payouts p ON p.id = s.payout_id`,
  refunds: "SELECT order_item_id AS itemId, amount FROM refunds WHERE order_item_id IS NOT NULL",
  ledger: `SELECT order_item_id AS itemId, account, SUM(amount) AS amount FROM ledger_entries
    WHERE order_item_id IS NOT NULL GROUP BY order_item_id, account`,
  problems: "SELECT order_item_id AS itemId, refunded, settled_at AS settledAt FROM problems",
  mails: "SELECT dedupe_key AS key FROM outbox WHERE dedupe_key LIKE 'deal:%'",
  // The sides of deals that were ever suspended.
  suspended: `SELECT i.id AS itemId, iif(k.reported_id = o.user_id, 'buyer', 'seller') AS role
    FROM order_items i JOIN orders o ON o.id = i.order_id
      JOIN moderation_cases k ON k.reported_id IN (i.seller_id, o.user_id)
    WHERE k.decision = 'suspended' AND k.decided_at IS NOT NULL`,
} as const;

interface OfItem {
  itemId: string;
}
interface Rows {
  items: (ItemPrice & {
    id: string;
    status: ItemStatus;
    feeTaken: number;
    contacted: number;
    agreed: number;
    paid: number;
    orderStatus: string;
  })[];
  timers: (OfItem & { kind: string })[];
  events: (OfItem & { id: string; event: DealEvent; reason: string | null; amount: number | null; at: number })[];
  shares: (OfItem & { amount: number; payoutId: string; payoutAmount: number })[];
  refunds: (OfItem & { amount: number })[];
  ledger: (OfItem & { account: string; amount: number })[];
  problems: (OfItem & { refunded: number | null; settledAt: number | null })[];
  mails: { key: string }[];
  suspended: (OfItem & { role: string })[];
}

/** Everything that is wrong with a deal, in words. */
export async function auditDeals(d1: D1Database): Promise<string[]> {
  const answers = await d1.batch(Object.values(QUERIES).map((query) => d1.prepare(query)));
  const rows = Object.fromEntries(
    Object.keys(QUERIES).map((name, n) => [name, answers[n]?.results]),
  ) as unknown as Rows; // each query's own columns
  const wrong = rows.items.flatMap((item) => auditItem(item, rows));
  for (const { payoutId, payoutAmount } of rows.shares) {
    const listed = sum(rows.shares.filter((share) => share.payoutId === payoutId));
    if (listed !== payoutAmount)
      wrong.push(`payout ${payoutId.slice(0, 8)} of KES ${payoutAmount} lists items for KES ${listed}`);
  }
  return [...wrong, ...auditMails(rows)];
}

function auditItem(item: Rows["items"][number], rows: Rows): string[] {
  const wrong: string[] = [];
  const own = <T extends OfItem>(list: T[]) => list.filter(({ itemId }) => itemId === item.id);
  const must = (holds: boolean, otherwise: string) => {
    if (!holds) wrong.push(`item ${item.id.slice(0, 8)} (${item.status}) ${otherwise}`);
  };
  const kinds = own(rows.timers).map(({ kind }) => kind);
  const events = own(rows.events).map(({ event }) => event);
  const [shares, refunds] = [own(rows.shares), own(rows.refunds)];
  const [released, refunded] = [sum(shares), sum(refunds)];
  let returned = 0;

  // The clock. All people are silent by now, so only our team can still have something to do.
  must(!ITEM.isRunning(item.status), "is still running");
  must(ITEM.isRunning(item.status) === kinds.some((kind) => !isReminder(kind)), `has the timers ${kinds.join()}`);
  must(ITEM.isRunning(item.status) || kinds.length === 0, `still has the timers ${kinds.join()}`);

  // The history.
  if (item.paid === 0) {
    must(ITEM.isUnpaid(item.status), "moved on unpaid");
    must(events.length + shares.length + refunds.length === 0, `has a history without a payment: ${events.join()}`);
    return wrong;
  }
  const last = followHistory(events);
  const times = (event: DealEvent) => events.filter((one) => one === event).length;
  must(times("buyer_contacted") === item.contacted, `was contacted ${times("buyer_contacted")} times in its history`);
  must(times("buyer_agreed") === item.agreed, `was agreed on ${times("buyer_agreed")} times in its history`);
  must(last?.status === item.status, `has the history ${events.join()}, which leads to ${last?.status}`);

  // The money: never both released and refunded, and all of it decided when the deal is over.
  must(shares.length <= 1 && refunds.length <= 1, `has ${shares.length} payouts and ${refunds.length} refunds`);
  const paid = paidFor(item);
  let due = { buyer: 0, seller: 0, fee: 0 };
  if (last && ITEM.isOver(item.status)) {
    const effect = moneyEffect(last.event, item.status);
    const part = own(rows.events).findLast(({ event }) => event === last.event)?.amount ?? 0;
    returned = effect === "refund" ? item.subtotal : effect === "split" ? part : 0;
    due = divideMoney(item, returned);
    must(effect !== "refund" || released === 0, `ended by ${last.event} and released KES ${released}`);
  }
  const given = `${refunded}, ${released} and ${item.feeTaken}`;
  must(given === `${due.buyer}, ${due.seller} and ${due.fee}`, `divided KES ${paid} into ${given}`);
  const left = paid - released - refunded - item.feeTaken;
  must(left === (ITEM.isOver(item.status) ? 0 : paid), `has KES ${left} of ${paid} left`);
  const booked = (account: string) => sum(own(rows.ledger).filter((entry) => entry.account === account));
  must(booked("fees") === 0 - item.feeTaken, `has a fee of KES ${-booked("fees")}, not ${item.feeTaken}`);
  must(booked("escrow") === 0 - left, `has KES ${-booked("escrow")} in escrow, not ${left}`);

  for (const problem of own(rows.problems)) {
    must((problem.settledAt !== null) === ITEM.isOver(item.status), "has a problem that ended at another time");
    must((problem.refunded ?? 0) === returned, `has a problem that refunded KES ${problem.refunded}`);
  }
  return wrong;
}

/** The last event that changed the status, and the status to which the events lead; null when they can't happen. */
function followHistory(events: DealEvent[]): { status: ItemStatus; event: DealEvent } | null {
  let at: { status: ItemStatus; event: DealEvent } | null = null;
  for (const event of events) {
    if (isRecordedOnly(event)) continue;
    const status = nextItemStatus(at?.status ?? "pending_payment", event);
    if (status === null) return null;
    at = { status, event };
  }
  return at;
}

/** What an email about an event is told apart by. */
function occasionOf({ id, event, at }: Rows["events"][number]): string {
  if (event === "code_closed" || event === "buyer_missed" || event === "seller_missed") return event;
  return event === "report_lifted" ? `${event}:${Math.floor(at / DAY_MS)}` : id;
}

/** The seller who has asked somebody else isn't there. */
const BOTH = ["buyer", "seller"] as const;

const DAY_MS = 24 * 60 * 60_000;

/**
 * Each event is queued once for each side that it concerns; that a report is taken back, once a day. (What was seen in
 * time, or overtaken, is dropped when it would be sent.) Somebody who was suspended for a while may have missed what
 * isn't an outcome.
 */
function auditMails({ events, mails, suspended }: Rows): string[] {
  const keys = events.flatMap((event) =>
    (event.reason === BY_HELPER ? BOTH : (DEAL_READERS[event.event] ?? [])).map(
      (role) => `deal:${event.itemId}:${occasionOf(event)}:${role}`,
    ),
  );
  const due = [...new Set(keys)].toSorted();
  const sent = mails.map(({ key }) => key).filter((key) => !isReminder(key.split(":")[2] ?? ""));
  const optional = new Set(
    events
      .filter(({ event }) => !isOutcome(event))
      .flatMap((event) =>
        suspended
          .filter(({ itemId }) => itemId === event.itemId)
          .map(({ itemId, role }) => `deal:${itemId}:${occasionOf(event)}:${role}`),
      ),
  );
  const missing = due.filter((key) => !sent.includes(key) && !optional.has(key));
  const extra = sent.filter((key) => !due.includes(key));
  return missing.length + extra.length === 0
    ? []
    : [`emails of deals: due ${missing.join()}, too many ${extra.join()}`];
}

/** A reminder, or that the clock stands still: such an email changes nothing, and is no event. */
function isReminder(step: string): boolean {
  return DEAL_REMINDERS.includes(step as DealReminder) || DEAL_HOLD_STEPS.includes(step as DealHoldStep);
}

function sum(rows: readonly { amount: number }[]): number {
  return rows.reduce((total, { amount }) => total + amount, 0);
}
