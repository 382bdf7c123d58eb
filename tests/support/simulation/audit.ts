/** What must hold when time has run out, whatever went wrong before. */
import { env } from "cloudflare:workers";
import { openDatabase } from "#app/db/client.ts";
import { booksBalance, readBooks } from "#app/payments/ledger.server.ts";
import type { Campus } from "./campus.ts";
import { isPaid } from "./m-pesa.ts";

interface AttemptRow {
  id: string;
  orderId: string;
  state: string;
  amount: number;
  token: string;
  receipt: string | null;
  confirmed: number;
}
interface PayoutRow {
  id: string;
  itemId: string;
  state: string;
  amount: number;
  token: string;
  reason: string | null;
}

/** Everything that is wrong, in words; empty where all is well. */
export async function auditCampus({ mPesa }: Campus): Promise<string[]> {
  const read = async <T>(query: string) => (await env.DB.prepare(query).all<T>()).results;
  const attempts = await read<AttemptRow>(
    "SELECT id, order_id AS orderId, state, amount, callback_token AS token, receipt, confirmed_at IS NOT NULL AS confirmed FROM payment_attempts",
  );
  const payouts = await read<PayoutRow>("SELECT id, order_item_id AS itemId, state, amount, callback_token AS token, reason FROM payouts");
  const open = await read<{ kind: string; subject: string }>("SELECT kind, subject FROM discrepancies WHERE resolved_at IS NULL");
  const refunds = await read<{ attemptId: string; amount: number }>("SELECT attempt_id AS attemptId, amount FROM refunds");
  const callbacks = await read<{ token: string; body: string }>("SELECT token, body FROM payment_callbacks WHERE kind = 'push'");
  const isTold = (subject: string) => open.some((row) => row.subject === subject);
  const wrong: string[] = [];
  const must = (holds: boolean, otherwise: string) => {
    if (!holds) wrong.push(otherwise);
  };

  // The books against themselves and against what our own rows say.
  const books = await readBooks(openDatabase(env.DB));
  must(booksBalance(books), `the books are off: ${JSON.stringify(books)}`);
  must(!open.some(({ kind }) => kind === "job_failed" || kind === "callback_failed"), "something failed that nothing should make fail");
  const balance = (account: string) => books.balances[account] ?? 0;
  const held = -(balance("escrow") + balance("seller_payable") + balance("mpesa_payout_float") + balance("refunds_due"));
  must(balance("mpesa_collection") === held, "money in is not escrow, owed to sellers, paid out and refunds due");

  // Against what M-PESA took from customers.
  for (const attempt of attempts) {
    const name = `attempt ${attempt.id.slice(0, 8)} (${attempt.state})`;
    const prompt = mPesa.prompts.find(({ callbackUrl }) => callbackUrl.endsWith(attempt.token));
    const paid = prompt !== undefined && isPaid(prompt);
    must(["succeeded", "failed", "refused", "expired", "held"].includes(attempt.state), `${name} is still open`);
    must(attempt.state !== "succeeded" || paid, `${name} was never paid`);
    must(!paid || attempt.state === "succeeded" || isTold(attempt.id), `${name} was paid and nobody knows`);
    must(attempt.state !== "held" || isTold(attempt.id), `${name} waits and nobody is told`);
    must(attempt.state !== "succeeded" || attempt.confirmed === 1 || isTold(attempt.id), `${name} was never confirmed and nobody is told`);
    // Which of two claims to a receipt is true nobody can tell from outside; that there are two must be known.
    const claimed = callbacks.some(({ token, body }) => token === attempt.token && prompt?.receipt && body.includes(prompt.receipt));
    const taken = attempts.some(({ token, receipt }) => token !== attempt.token && receipt !== null && receipt === prompt?.receipt);
    const misreported = callbacks.some(({ token, body }) => token === attempt.token && body.includes(`"Amount","Value":${attempt.amount + 1}`));
    must(!misreported || isTold(attempt.id), `a callback gave ${name} another amount and nobody is told`);
    must(!claimed || !taken || isTold(attempt.id), `the receipt of ${name} stands on another and nobody is told`);
  }
  const receipts = attempts.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
  must(new Set(receipts).size === receipts.length, "a receipt stands on two attempts");

  // Orders: paid once, and what was paid beyond that is owed back.
  const orders = await read<{ id: string; paymentStatus: string; orderStatus: string; amount: number }>(
    "SELECT id, payment_status AS paymentStatus, order_status AS orderStatus, amount FROM orders",
  );
  for (const order of orders) {
    const name = `order ${order.id.slice(0, 8)} (${order.paymentStatus}, ${order.orderStatus})`;
    const own = attempts.filter(({ orderId }) => orderId === order.id);
    const successes = own.filter(({ state }) => state === "succeeded");
    const owed = successes.filter(({ id }) => refunds.some(({ attemptId }) => attemptId === id));
    must((order.paymentStatus === "completed") === successes.length > 0, `${name} has ${successes.length} payments`);
    must(owed.length === Math.max(0, successes.length - 1), `${name} has ${successes.length} payments and ${owed.length} refunds`);
    must(order.paymentStatus !== "processing" || own.some(({ state }) => state === "held"), `${name} waits for nothing`);
    must(order.orderStatus !== "pending_payment" || own.some(({ state }) => state === "held"), `${name} was never closed`);
  }
  must(refunds.every(({ attemptId }) => attempts.some(({ id, state }) => id === attemptId && state === "succeeded")), "a refund is owed for a payment that never was");

  // Items: paid out once, by M-PESA's own count.
  const items = await read<{ id: string; status: string; subtotal: number; paid: number }>(
    "SELECT i.id, i.status, i.subtotal, o.payment_status = 'completed' AS paid FROM order_items i JOIN orders o ON o.id = i.order_id",
  );
  for (const item of items) {
    const payout = payouts.find(({ itemId }) => itemId === item.id);
    const name = `item ${item.id.slice(0, 8)} (${item.status}, payout ${payout?.state ?? "none"}${payout?.reason ? `: ${payout.reason}` : ""})`;
    must(item.paid === 0 || item.status === "delivered", `${name} was paid and never delivered`);
    must(item.paid === 1 || item.status === "expired" || item.status === "pending_payment", `${name} moved on unpaid`);
    must((item.status === "delivered") === (payout !== undefined), `${name}: delivered and payout do not agree`);
    if (!payout) continue;
    const sent = mPesa.payments.filter(({ resultUrl, code }) => resultUrl.endsWith(payout.token) && code === "0");
    must(sent.length <= 1, `${name} was paid out ${sent.length} times`);
    must(payout.state !== "paid" || sent.length === 1, `${name} was never paid out`);
    must(payout.amount === item.subtotal, `${name} pays another amount`);
    must(sent.length === 0 || payout.state === "paid" || isTold(payout.id), `${name} was paid out and nobody knows`);
    must(payout.state === "paid" || isTold(payout.id) || attempts.some(({ id }) => isTold(id)), `${name} waits and nobody is told`);
  }
  must(mPesa.payments.every(({ resultUrl }) => payouts.some(({ token }) => resultUrl.endsWith(token))), "M-PESA paid out what we do not know of");

  const [unapplied] = await read<{ n: number }>("SELECT COUNT(*) AS n FROM payment_callbacks WHERE applied_at IS NULL");
  must(unapplied?.n === 0, `${unapplied?.n} callbacks were never applied`);
  wrong.push(...(await auditMails(read)));
  return wrong;
}

/** Who is told by mail, exactly once: the outbox sends each key once. */
async function auditMails(read: <T>(query: string) => Promise<T[]>): Promise<string[]> {
  const expected = [
    ["payment_received", "SELECT id FROM orders WHERE payment_status = 'completed'"],
    ["new_sale", "SELECT i.id FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.payment_status = 'completed'"],
    ["item_shipped", "SELECT id FROM order_items WHERE status IN ('shipped', 'delivered')"],
    ["item_delivered", "SELECT id FROM order_items WHERE status = 'delivered'"],
    ["payout_sent", "SELECT id FROM payouts WHERE state = 'paid'"],
    ["refund_due", "SELECT attempt_id AS id FROM refunds"],
  ] as const;
  const wrong: string[] = [];
  const keys = (await read<{ key: string }>("SELECT dedupe_key AS key FROM outbox")).map(({ key }) => key);
  for (const [template, query] of expected) {
    const due = (await read<{ id: string }>(query)).map(({ id }) => `${template}:${id}`).toSorted();
    const queued = keys.filter((key) => key.startsWith(`${template}:`)).toSorted();
    if (due.join() !== queued.join()) wrong.push(`mails ${template}: due ${due.join()}, queued ${queued.join()}`);
  }
  return wrong;
}
