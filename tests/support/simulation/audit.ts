/** What must be true when time has run out, whatever went wrong before. */
import { FEATURED_WEEK_MS, WEEKS_AHEAD_MAX } from "#app/accounts/invitations/invitation-rules.ts";
import { openDatabase } from "#app/db/client.ts";
import { booksBalance, readBooks } from "#app/payments/books/ledger.server.ts";
import { planLengthMs, type PlanId, PLANS } from "#app/shops/plan-rules.ts";
import { auditDeals } from "./audit-deals.ts";
import type { Campus } from "./invocation.ts";
import { hasMoved, type Records } from "./staged-m-pesa.ts";

interface AttemptRow {
  id: string;
  /** 1: the payer's account is deleted. */
  deleted: number;
  orderId: string | null;
  subscriptionId: string | null;
  state: string;
  amount: number;
  token: string;
  receipt: string | null;
  confirmed: number;
  settledAt: number | null;
}
interface PayoutRow {
  id: string;
  state: string;
  amount: number;
  token: string;
  reason: string | null;
  reported: number;
}

interface RefundRow {
  id: string;
  attemptId: string;
  state: string;
  method: string | null;
  amount: number;
  token: string;
  reason: string | null;
}

interface SubscriptionRow {
  id: string;
  userId: string;
  plan: PlanId;
  status: string;
  startsAt: number | null;
  endsAt: number | null;
  proUntil: number | null;
  featuredUntil: number | null;
  isPro: number;
  /** 1: the seller's account is deleted, which ends its plans. */
  deleted: number;
  /** 1: the account was suspended, at least for a while. */
  suspended: number;
}

/** What the rows say; read at once. */
const QUERIES = {
  attempts: `SELECT id, user_id IN (SELECT id FROM profiles WHERE deleted_at IS NOT NULL) AS deleted,
    order_id AS orderId, subscription_id AS subscriptionId, state, amount, callback_token AS token, receipt,
        confirmed_at IS NOT NULL AS confirmed, settled_at AS settledAt FROM payment_attempts`,
  // A report that is open waits in our team's queue.
  payouts: `SELECT id, state, amount, callback_token AS token, wait_reason AS reason,
    EXISTS (SELECT 1 FROM payout_items s JOIN order_items i ON i.id = s.order_item_id
      JOIN issue_reports r ON r.order_id = i.order_id WHERE s.payout_id = y.id AND r.status = 'open')
      OR EXISTS (SELECT 1 FROM moderation_cases k WHERE k.reported_id = y.seller_id AND k.state = 'open') AS reported
        FROM payouts y`,
  open: "SELECT kind, subject FROM discrepancies WHERE resolved_at IS NULL",
  allRefunds: `SELECT id, attempt_id AS attemptId, state, method, amount, callback_token AS token, wait_reason AS reason
      FROM refunds`,
  // Of whole payments. Those of items are checked with their deals.
  refunds: "SELECT attempt_id AS attemptId, amount, reason FROM refunds WHERE order_item_id IS NULL",
  callbacks: "SELECT token, body, applied_at AS appliedAt FROM payment_callbacks",
  orders: `SELECT id, payment_status AS paymentStatus, order_status AS orderStatus, amount, replaced_by AS replacedBy
      FROM orders`,
  items: `SELECT i.id, i.order_id AS orderId, i.status, o.payment_status = 'completed' AS paid, p.id AS productId,
    p.stock IS NOT NULL AS limited
    FROM order_items i JOIN orders o ON o.id = i.order_id JOIN products p ON p.id = i.product_id`,
  subscriptions: `SELECT s.id, s.user_id AS userId, s.plan, s.status, s.starts_at AS startsAt, s.ends_at AS endsAt,
    p.pro_until AS proUntil, p.is_pro AS isPro, p.deleted_at IS NOT NULL AS deleted,
    EXISTS (SELECT 1 FROM moderation_cases k
      WHERE k.reported_id = s.user_id AND k.decision = 'suspended' AND k.decided_at IS NOT NULL) AS suspended,
    h.featured_until AS featuredUntil FROM subscriptions s JOIN profiles p ON p.id = s.user_id
      LEFT JOIN shops h ON h.id = s.user_id`,
  weeks: `SELECT invited_id AS userId, invited_week_at AS at FROM invitations WHERE invited_week_at IS NOT NULL
    UNION ALL SELECT inviter_id, inviter_week_at FROM invitations
      WHERE inviter_id IS NOT NULL AND inviter_week_at IS NOT NULL`,
  mails: "SELECT dedupe_key AS key FROM outbox",
} as const;

interface Rows {
  attempts: AttemptRow[];
  payouts: PayoutRow[];
  open: { kind: string; subject: string }[];
  allRefunds: RefundRow[];
  refunds: { attemptId: string; amount: number; reason: string }[];
  callbacks: { token: string; body: string; appliedAt: number | null }[];
  orders: { id: string; paymentStatus: string; orderStatus: string; amount: number; replacedBy: string | null }[];
  items: {
    id: string;
    orderId: string;
    status: string;
    paid: number;
    productId: string;
    limited: number;
  }[];
  subscriptions: SubscriptionRow[];
  /** When the weeks began that invitations brought. */
  weeks: { userId: string; at: number }[];
  mails: { key: string }[];
}

async function readRows(d1: D1Database): Promise<Rows> {
  const answers = await d1.batch(Object.values(QUERIES).map((query) => d1.prepare(query)));
  // Each query's own columns.
  return Object.fromEntries(Object.keys(QUERIES).map((name, n) => [name, answers[n]?.results])) as unknown as Rows;
}

/** Everything that is wrong, in words. Empty when all is well. */
export async function auditCampus({ d1, kept, mPesa }: Campus): Promise<string[]> {
  const rows = await readRows(d1);
  const records = mPesa.records();
  const { attempts, payouts, open, allRefunds, refunds, callbacks, orders, items } = rows;
  const isTold = (subject: string) => open.some((row) => row.subject === subject);
  const wrong: string[] = [];
  const must = (holds: boolean, otherwise: string) => {
    if (!holds) wrong.push(otherwise);
  };

  // Compares the books with themselves and with our own rows.
  const books = await readBooks(openDatabase(d1));
  must(booksBalance(books), `the books are off: ${JSON.stringify(books)}`);
  must(kept.size === 0, "what was kept while the database was away was not applied");
  must(
    !open.some(({ kind }) => kind === "job_failed" || kind === "callback_failed"),
    "something failed that nothing should make fail",
  );
  const balance = (account: string) => books.balances[account] ?? 0;
  const held = -(
    balance("escrow") +
    balance("seller_payable") +
    balance("mpesa_payout_float") +
    balance("refunds_due") +
    balance("plans") +
    balance("fees")
  );
  must(
    balance("mpesa_collection") === held,
    "money in is not escrow, owed to sellers, paid out, earned by plans and fees, and refunds due",
  );
  // Compares with M-PESA's own accounts: money in that isn't in the books has a discrepancy; money out is in the books
  // or has a discrepancy.
  const promptOf = (token: string) => records.prompts.find(({ callback_url: url }) => url.endsWith(token));
  const unexplained = attempts.filter(({ state, token }) => state !== "succeeded" && promptOf(token)?.code === "0");
  const taken = records.prompts.filter(hasMoved).reduce((sum, { amount }) => sum + amount, 0);
  // What M-PESA did, and for which the result is missing, is on a list that people read.
  const untold = wrongRefunds(rows, records, isTold);
  wrong.push(...untold.wrong);
  const inBooks = balance("mpesa_collection") + unexplained.reduce((sum, { amount }) => sum + amount, 0);
  must(
    taken - untold.reversed === inBooks - untold.reversedUnseen,
    `M-PESA took KES ${taken} and reversed ${untold.reversed}, the books say ${balance("mpesa_collection")}`,
  );
  const transferred = records.payouts.filter(hasMoved).reduce((sum, { amount }) => sum + amount, 0);
  const unseen = payouts
    .filter(
      ({ state, token }) =>
        state !== "done" && records.payouts.some((sent) => hasMoved(sent) && sent.result_url.endsWith(token)),
    )
    .reduce((sum, { amount }) => sum + amount, 0);
  must(
    transferred === -balance("mpesa_payout_float") + unseen + untold.transferredUnseen,
    `M-PESA sent KES ${transferred}, the books say ${-balance("mpesa_payout_float")}`,
  );

  // Compares with what M-PESA took from customers.
  for (const attempt of attempts) {
    const name = `attempt ${attempt.id.slice(0, 8)} (${attempt.state})`;
    const prompt = promptOf(attempt.token);
    const paid = prompt !== undefined && hasMoved(prompt);
    must(["succeeded", "failed", "refused", "expired", "held"].includes(attempt.state), `${name} is still open`);
    must(attempt.state !== "succeeded" || paid, `${name} was never paid`);
    must(!paid || attempt.state === "succeeded" || isTold(attempt.id), `${name} was paid and nobody knows`);
    must(attempt.state !== "held" || isTold(attempt.id), `${name} waits and nobody is told`);
    must(
      attempt.state !== "succeeded" || attempt.confirmed === 1 || isTold(attempt.id),
      `${name} was never confirmed and nobody is told`,
    );
    // Nobody outside can tell which of two claims to a receipt is true, but both must be known.
    const claimed = callbacks.some(
      ({ token, body }) => token === attempt.token && prompt?.receipt && body.includes(prompt.receipt),
    );
    const claimedTwice = attempts.some(
      ({ token, receipt }) => token !== attempt.token && receipt !== null && receipt === prompt?.receipt,
    );
    const misreported = callbacks.some(
      ({ token, body }) => token === attempt.token && body.includes(`"Amount","Value":${attempt.amount + 1}`),
    );
    must(!misreported || isTold(attempt.id), `a callback gave ${name} another amount and nobody is told`);
    must(
      !claimed || !claimedTwice || isTold(attempt.id),
      `the receipt of ${name} stands on another and nobody is told`,
    );
  }
  const receipts = attempts.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
  must(new Set(receipts).size === receipts.length, "a receipt stands on two attempts");

  // Orders are paid once, and every further payment is refunded or due.
  for (const order of orders) {
    const name = `order ${order.id.slice(0, 8)} (${order.paymentStatus}, ${order.orderStatus})`;
    const own = attempts.filter(({ orderId }) => orderId === order.id);
    const successes = own.filter(({ state }) => state === "succeeded");
    const owed = successes.filter(({ id }) => refunds.some(({ attemptId }) => attemptId === id));
    // Of orders that replace one another, one is paid.
    const paidReplacement = orders.find(
      (other) => other !== order && other.paymentStatus === "completed" && isReplacement(order, other),
    );
    const completed = order.paymentStatus === "completed";
    // The buyer, a seller or a listing was gone by then: the money goes back, and a person is told.
    const closed = owed.filter(({ id }) => refunds.some((refund) => refund.attemptId === id && isOfClosedDeal(refund)));
    must(
      closed.every(
        ({ id }) => isTold(id) || allRefunds.some((refund) => refund.attemptId === id && refund.state === "done"),
      ),
      `${name} was paid for nobody, and nobody is told`,
    );
    // There were too few pieces left when the money came in. `stockCheck` finds out whether that was so.
    const cameTooLate =
      items.some((item) => item.orderId === order.id && item.limited === 1) &&
      owed.some(({ id }) =>
        refunds.some((refund) => refund.attemptId === id && refund.reason === "sold_to_someone_else"),
      );
    must(!completed || successes.length > 0, `${name} has no payment`);
    must(
      completed || successes.length === 0 || paidReplacement !== undefined || cameTooLate || closed.length > 0,
      `${name} has ${successes.length} payments`,
    );
    must(
      !completed || paidReplacement === undefined,
      `${name} was paid, and so was order ${paidReplacement?.id.slice(0, 8)} in its place`,
    );
    must(
      owed.length === successes.length - (completed ? 1 : 0),
      `${name} has ${successes.length} payments and ${owed.length} refunds`,
    );
    must(
      order.paymentStatus !== "processing" || own.some(({ state }) => state === "held"),
      `${name} waits for nothing`,
    );
    must(
      order.orderStatus !== "pending_payment" || own.some(({ state }) => state === "held"),
      `${name} was never closed`,
    );
  }
  must(
    attempts.every(({ orderId, subscriptionId }) => (orderId === null) !== (subscriptionId === null)),
    "an attempt pays for nothing, or for two things",
  );
  must(
    refunds.every(({ attemptId }) => attempts.some(({ id, state }) => id === attemptId && state === "succeeded")),
    "a refund is owed for a payment that never was",
  );

  // Payouts are paid once, by M-PESA's own count.
  for (const payout of payouts) {
    const name = `payout ${payout.id.slice(0, 8)} (${payout.state}${payout.reason ? `: ${payout.reason}` : ""})`;
    const sent = records.payouts.filter((row) => hasMoved(row) && row.result_url.endsWith(payout.token));
    must(sent.length <= 1, `${name} was paid ${sent.length} times`);
    must(payout.state !== "done" || sent.length === 1, `${name} was never paid`);
    must(
      sent.every(({ amount }) => amount === payout.amount),
      `${name} was paid with another amount`,
    );
    must(payout.reason !== "our_float", `${name} waits for money that our account has`);
    const waitsForReport = payout.reason === "reported" && payout.reported === 1;
    // Once the report is closed, M-PESA answers that it knows this payout.
    must(
      sent.length === 0 || payout.state === "done" || isTold(payout.id) || waitsForReport,
      `${name} was paid and nobody knows`,
    );
    must(
      payout.state === "done" || isTold(payout.id) || waitsForReport || attempts.some(({ id }) => isTold(id)),
      `${name} waits and nobody is told`,
    );
  }
  must(
    records.payouts.every(({ result_url: url }) =>
      [...payouts, ...allRefunds].some(({ token }) => url.endsWith(token)),
    ),
    "M-PESA paid out what we do not know of",
  );

  const unapplied = callbacks.filter(({ appliedAt }) => appliedAt === null).length;
  must(unapplied === 0, `${unapplied} callbacks were never applied`);
  wrong.push(...auditPlans(rows), ...auditMails(rows), ...(await auditDeals(d1)));
  return wrong;
}

/** Refunds: each is sent once by M-PESA's own count, never more than was paid, and none waits where nobody looks. */
function wrongRefunds({ allRefunds, attempts }: Rows, records: Records, isTold: (subject: string) => boolean) {
  const wrong: string[] = [];
  const sums = { reversed: 0, reversedUnseen: 0, transferredUnseen: 0 };
  for (const refund of allRefunds) {
    const name = `refund ${refund.id.slice(0, 8)} (${refund.method}, ${refund.state}${refund.reason ? `: ${refund.reason}` : ""})`;
    const must = (holds: boolean, otherwise: string) => {
      if (!holds) wrong.push(`${name} ${otherwise}`);
    };
    const attempt = attempts.find(({ id }) => id === refund.attemptId);
    const transfers = records.payouts.filter((row) => hasMoved(row) && row.result_url.endsWith(refund.token));
    const asked = records.reversals.filter(({ result_url: url }) => url.endsWith(refund.token));
    const reversals = asked.filter(hasMoved);
    const times = transfers.length + reversals.length;
    must(times <= 1, `was sent ${times} times`);
    must(refund.state !== "done" || times === 1, "was never sent");
    must(refund.reason !== "our_float", "waits for money that our account has");
    must(times === 0 || refund.state === "done" || isTold(refund.id), "was sent and nobody knows");
    must(
      transfers.every(({ amount }) => amount === refund.amount),
      "was sent with another amount",
    );
    must(
      asked.every((row) => row.original_receipt === attempt?.receipt && row.amount === attempt.amount),
      "asked to reverse another payment, or a part of one",
    );
    must(
      refund.state === "done" || isTold(refund.id) || attempts.some(({ id }) => isTold(id)),
      "waits and nobody is told",
    );
    sums.reversed += reversals.length * refund.amount;
    if (refund.state === "done") continue;
    sums.reversedUnseen += reversals.length * refund.amount;
    sums.transferredUnseen += transfers.length * refund.amount;
  }
  for (const attempt of attempts) {
    const back = allRefunds.filter(({ attemptId }) => attemptId === attempt.id);
    const amount = back.reduce((sum, refund) => sum + refund.amount, 0);
    if (amount > attempt.amount)
      wrong.push(`attempt ${attempt.id.slice(0, 8)} of KES ${attempt.amount} refunds ${amount}`);
  }
  return { wrong, ...sums };
}

function isOfClosedDeal({ reason }: { reason: string }): boolean {
  return reason === "account_closed" || reason === "listing_removed";
}

/** One order replaced the other, or a third one replaced both. */
function isReplacement(
  one: { id: string; replacedBy: string | null },
  other: { id: string; replacedBy: string | null },
): boolean {
  return (
    one.replacedBy === other.id ||
    other.replacedBy === one.id ||
    (one.replacedBy !== null && one.replacedBy === other.replacedBy)
  );
}

/** Plans: each payment gives one full period, and nothing else does. By now all of them have ended. */
function auditPlans({ subscriptions, attempts, refunds, weeks }: Rows): string[] {
  const wrong: string[] = [];
  const must = (holds: boolean, otherwise: string) => {
    if (!holds) wrong.push(otherwise);
  };
  const given = new Map<string, { at: number; row: SubscriptionRow }[]>();
  for (const row of subscriptions) {
    const name = `plan ${row.id.slice(0, 8)} (${row.plan}, ${row.status})`;
    const successes = attempts.filter(
      ({ subscriptionId, state }) => subscriptionId === row.id && state === "succeeded",
    );
    const kept = successes.filter(({ id }) => !refunds.some(({ attemptId }) => attemptId === id));
    const isClosed = successes.some(({ id }) => refunds.some((r) => r.attemptId === id && isOfClosedDeal(r)));
    must(
      row.status === (kept.length > 0 ? "ended" : "pending_payment") || row.deleted === 1,
      `${name} has ${successes.length} payments`,
    );
    must(
      kept.length === Math.min(1, successes.length) || (isClosed && kept.length === 0),
      `${name} has ${successes.length} payments, of which ${kept.length} are not given back`,
    );
    must(
      kept.every(({ amount }) => amount === PLANS[row.plan].price),
      `${name} was paid with another amount`,
    );
    const paidAt = kept[0]?.settledAt;
    if (!paidAt) continue;
    must(
      row.startsAt !== null && row.startsAt >= paidAt && row.endsAt === row.startsAt + planLengthMs(row.plan),
      `${name} has not the period that was paid for`,
    );
    if (row.deleted === 0) given.set(row.userId, [...(given.get(row.userId) ?? []), { at: paidAt, row }]);
  }
  for (const [userId, periods] of given) {
    const { proUntil, featuredUntil, isPro } = periods[0]!.row;
    // Each period begins when the one before it ends, or at once.
    const fold = (of: typeof periods) =>
      of
        .toSorted((a, b) => a.at - b.at)
        .reduce((until, { at, row }) => Math.max(at, until) + planLengthMs(row.plan), 0);
    const pro = fold(periods.filter(({ row }) => PLANS[row.plan].pro));
    const extending = [
      ...periods.map(({ at, row }) => ({ at, lengthMs: planLengthMs(row.plan), aheadMs: Infinity })),
      ...weeks
        .filter((week) => week.userId === userId)
        .map(({ at }) => ({ at, lengthMs: FEATURED_WEEK_MS, aheadMs: WEEKS_AHEAD_MAX * FEATURED_WEEK_MS })),
    ].toSorted((a, b) => a.at - b.at);
    const featured = extending.reduce((until, { at, lengthMs, aheadMs }) => {
      const from = Math.max(at, until);
      return Math.max(from, Math.min(from + lengthMs, at + aheadMs));
    }, 0);
    must(
      featuredUntil === featured,
      `seller ${userId.slice(0, 8)} is featured until ${featuredUntil}, not ${featured}`,
    );
    must((proUntil ?? 0) === pro, `seller ${userId.slice(0, 8)} is Pro until ${proUntil}, not ${pro}`);
    must(isPro === 0, `seller ${userId.slice(0, 8)} is Pro for ever`);
  }
  return wrong;
}

/** The emails that must be sent exactly once. The outbox sends each key once. */
function auditMails({ attempts, orders, items, payouts, refunds, subscriptions, mails }: Rows): string[] {
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const ended = subscriptions.filter(({ status, startsAt }) => status === "ended" && startsAt !== null);
  const expected = {
    payment_received: ids(orders.filter(({ paymentStatus }) => paymentStatus === "completed")),
    new_sale: ids(items.filter(({ paid }) => paid === 1)),
    payout_sent: ids(payouts.filter(({ state }) => state === "done")),
    // An account that was deleted before the payment came had no address any more. One deleted afterwards had.
    refund_due: ids(
      attempts.filter(({ id, deleted }) => deleted === 0 && refunds.some(({ attemptId }) => attemptId === id)),
    ),
    plan_active: ids(ended),
  };
  const gone = new Set(attempts.filter(({ deleted }) => deleted === 1).map(({ id }) => `refund_due:${id}`));
  const keys = mails.map(({ key }) => key).filter((key) => !gone.has(key));
  const wrong = Object.entries(expected).flatMap(([template, due]) => {
    const queued = keys.filter((key) => key.startsWith(`${template}:`)).toSorted();
    const wanted = due.map((id) => `${template}:${id}`).toSorted();
    return wanted.join() === queued.join() ? [] : [`mails ${template}: due ${wanted.join()}, queued ${queued.join()}`];
  });
  // Owners of ended plans are told, unless they are suspended. If another plan followed, only if that one had ended,
  // too.
  const last = ended.filter(
    (row) =>
      row.deleted === 0 &&
      row.suspended === 0 &&
      !ended.some((other) => other.userId === row.userId && (other.endsAt ?? 0) > (row.endsAt ?? 0)),
  );
  for (const { id } of last) if (!keys.includes(`plan_ended:${id}`)) wrong.push(`mails plan_ended: ${id} was not told`);
  const failed = keys.filter(
    (key) => key.startsWith("payment_failed:") && !attempts.some(({ id }) => key.endsWith(id)),
  );
  return failed.length === 0 ? wrong : [...wrong, `mails about payments that never were: ${failed.join()}`];
}
