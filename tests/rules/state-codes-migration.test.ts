import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";

const FOLDER = resolve(import.meta.dirname, "../../migrations");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

/** A database from before the codes, with sentences in its columns, after the migration. */
const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });

function migrate(names: string[]): void {
  for (const name of names) db.exec(readFileSync(resolve(FOLDER, name), "utf8"));
}

const PAID_IN_ANOTHER_ORDER =
  "You had paid for this in another order already, so we are sending this payment back to you.";
const SOLD = "Somebody else bought this just before your payment reached us, so we are sending your money back to you.";
const HELD =
  "We received a payment that does not match this order. Please do not pay again: our team is checking it and will contact you.";

type OrderCase = [
  name: string,
  before: { payment: string; status: string; error: string | null; replacedBy?: string; refund?: string },
  after: { closed_reason: string | null; payment_review: string | null; payment_failure: string | null },
];

const NOTHING = { closed_reason: null, payment_review: null, payment_failure: null };

const ORDERS: OrderCase[] = [
  ["paid", { payment: "completed", status: "processing", error: null }, NOTHING],
  ["unpaid", { payment: "pending", status: "pending_payment", error: null }, NOTHING],
  ["waiting for M-Pesa", { payment: "processing", status: "pending_payment", error: null }, NOTHING],
  [
    "held",
    { payment: "processing", status: "pending_payment", error: HELD },
    { ...NOTHING, payment_review: "mismatch" },
  ],
  [
    "held though closed",
    { payment: "processing", status: "expired", error: HELD },
    {
      ...NOTHING,
      payment_review: "mismatch",
      closed_reason: "expired_unpaid",
    },
  ],
  [
    "not paid in a day",
    { payment: "pending", status: "expired", error: null },
    { ...NOTHING, closed_reason: "expired_unpaid" },
  ],
  [
    "replaced",
    { payment: "pending", status: "expired", error: null, replacedBy: "paid" },
    { ...NOTHING, closed_reason: "replaced" },
  ],
  [
    "paid in another order",
    { payment: "failed", status: "expired", error: PAID_IN_ANOTHER_ORDER, replacedBy: "paid" },
    { ...NOTHING, closed_reason: "paid_in_another_order" },
  ],
  [
    "sold to someone else",
    { payment: "failed", status: "expired", error: SOLD },
    { ...NOTHING, closed_reason: "sold_to_someone_else" },
  ],
  [
    "sold to someone else, then another prompt was cancelled",
    {
      payment: "failed",
      status: "expired",
      error: "You cancelled the request on your phone. You can try again.",
      refund: "It had been sold to somebody else before this payment came in",
    },
    { ...NOTHING, closed_reason: "sold_to_someone_else", payment_failure: "cancelled" },
  ],
  ...(
    [
      ["You cancelled the request on your phone. You can try again.", "cancelled"],
      ["The M-Pesa PIN was wrong. Try again with the right PIN.", "wrong_pin"],
      ["There is not enough money in that M-Pesa account. Top up or use another number.", "insufficient_funds"],
      ["The phone did not answer in time. Keep it on and unlocked, then try again.", "no_answer"],
      ["The request expired before it was answered. You can try again.", "expired"],
      ["That M-Pesa PIN is locked. Call 100 to unlock it, or use another number.", "pin_locked"],
      ["This payment is over the M-Pesa limit of that number. Use another number.", "payer_limit"],
      ["M-Pesa does not take this amount in one payment.", "amount_limit"],
      ["M-Pesa refuses the same amount twice within two minutes. Wait a moment, then try again.", "duplicate_request"],
      ["Another M-Pesa request is open on that phone. Finish or cancel it, then try again in a minute.", "payer_busy"],
      ["M-Pesa does not know that phone number. Check it and try again.", "invalid_phone"],
      ["That phone number is not registered for M-Pesa.", "not_registered"],
      ["The receiving M-Pesa account is full for now.", "receiver_limit"],
      ["M-Pesa is busy. Please try again in a few minutes.", "provider_busy"],
      ["M-Pesa payments are not available right now. We have been told and are on it.", "our_configuration"],
      ["M-Pesa could not take the payment. You can try again.", "other"],
      [
        "We heard nothing from M-Pesa. If you did pay, it will show here by itself; otherwise you can try again.",
        "no_result",
      ],
      [
        "We have looked into your payment: it did not go through, or has been sent back to you. You can pay again.",
        "dismissed",
      ],
      ["A sentence that nobody remembers", "other"],
    ] as const
  ).map(([error, payment_failure]): OrderCase => [
    `failed: ${payment_failure} (${error.slice(0, 12)})`,
    { payment: "failed", status: "pending_payment", error },
    { ...NOTHING, payment_failure },
  ]),
];

type PayoutCase = [before: { state: string; reason: string | null; result?: string }, code: string | null];

const WORDS = "The buyer complained";
const PAYOUTS: PayoutCase[] = [
  [{ state: "sent", reason: null }, null],
  [{ state: "parked", reason: "Your phone number is not registered for M-Pesa.", result: "2040" }, "not_registered"],
  [{ state: "parked", reason: "M-Pesa does not know your phone number.", result: "2001" }, "invalid_phone"],
  [{ state: "parked", reason: "Your M-Pesa account has reached its limit.", result: "8" }, "receiver_limit"],
  [{ state: "parked", reason: "M-Pesa does not pay out this amount.", result: "2" }, "amount_limit"],
  [{ state: "due", reason: "We are topping up our M-Pesa account." }, "our_float"],
  [{ state: "due", reason: "M-Pesa payouts are paused on our side." }, "our_configuration"],
  [{ state: "parked", reason: "Seller phone number not found in profile" }, "no_phone"],
  [
    { state: "parked", reason: "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX" },
    "unreadable_phone",
  ],
  [{ state: "parked", reason: "M-Pesa pays out KES 10 or more" }, "amount_too_small"],
  [{ state: "parked", reason: "M-Pesa pays out at most KES 250,000 at a time" }, "amount_too_large"],
  [{ state: "due", reason: "Payouts are paused" }, "payouts_paused"],
  [{ state: "due", reason: "Waiting for M-Pesa to confirm the buyer's payment" }, "payment_unconfirmed"],
  [{ state: "due", reason: "The M-Pesa number changed while money was on its way" }, "number_changed"],
  [{ state: "unknown", reason: "The answer to the payout was lost" }, "answer_lost"],
  [{ state: "unknown", reason: "M-Pesa has seen this payout before" }, "already_known"],
  [{ state: "unknown", reason: "The result of the payout is overdue" }, "result_overdue"],
  [{ state: "due", reason: "M-Pesa has no record of the payout" }, "no_record"],
  [{ state: "unknown", reason: "M-Pesa's queue timed out" }, "queue_timed_out"],
  [{ state: "parked", reason: WORDS }, "parked_by_admin"],
  [{ state: "parked", reason: "DS timeout user cannot be reached", result: "1037" }, "other"],
];

beforeAll(() => {
  const before = NAMES.filter((name) => name < "0011");
  migrate(before);
  const order = db.prepare(
    `INSERT INTO orders (id, user_id, amount, payment_status, order_status, payment_error, replaced_by, idempotency_key, source, created_at, updated_at)
      VALUES (?, 'buyer', 100, ?, ?, ?, ?, ?, 'cart', 0, 0)`,
  );
  const refund = db.prepare(
    "INSERT INTO refunds (id, attempt_id, order_id, amount, reason, state, created_at) VALUES (?, ?, ?, 100, ?, 'due', 0)",
  );
  for (const [name, { payment, status, error, replacedBy = null, refund: reason }] of ORDERS) {
    order.run(name, payment, status, error, replacedBy, name);
    if (reason) refund.run(`refund of ${name}`, name, name, reason);
  }
  for (const [n, reason] of [
    "The order had been paid before",
    "The plan had been paid before",
    "Order 0a1b2c3d had been paid in its place",
  ].entries())
    refund.run(`refund ${n}`, `attempt ${n}`, null, reason);
  const payout = db.prepare(
    `INSERT INTO payouts (id, order_item_id, seller_id, amount, state, conversation_id, callback_token, result_code, reason, created_at, updated_at)
      VALUES (?, ?, 'seller', 100, ?, ?, ?, ?, ?, 0, 0)`,
  );
  for (const [n, [{ state, reason, result = null }]] of PAYOUTS.entries())
    payout.run(`${n}`, `${n}`, state, `${n}`, `${n}`, result, reason);
  const callback = db.prepare(
    "INSERT INTO payment_callbacks (id, kind, token, body, received_at, outcome) VALUES (?, 'push', 't', '', 0, ?)",
  );
  for (const outcome of ["applied", "unknown token", "foreign id", "to be confirmed by query", "in doubt"])
    callback.run(outcome, outcome);
  migrate(NAMES.filter((name) => name >= "0011"));
});

test.each(ORDERS)("an order that was %s gets its codes", (name, _before, after) => {
  expect({
    ...db.prepare("SELECT closed_reason, payment_review, payment_failure FROM orders WHERE id = ?").get(name),
  }).toEqual(after);
});

test.each(PAYOUTS.map(([before, code], n) => [n, before, code] as const))(
  "payout %i, %j, gets the code %s, and keeps only words of an admin or of M-Pesa",
  (n, before, code) => {
    const words = code === "parked_by_admin" || code === "other" ? before.reason : null;
    expect({ ...db.prepare("SELECT reason_code, reason FROM payouts WHERE id = ?").get(`${n}`) }).toEqual({
      reason_code: code,
      reason: words,
    });
  },
);

test("refunds and callbacks get their codes", () => {
  expect(
    db
      .prepare("SELECT reason FROM refunds WHERE id LIKE 'refund _' ORDER BY id")
      .all()
      .map((row) => row.reason),
  ).toEqual(["order_already_paid", "plan_already_paid", "paid_in_another_order"]);
  expect(
    Object.fromEntries(
      db
        .prepare("SELECT id, outcome FROM payment_callbacks")
        .all()
        .map((row) => [row.id, row.outcome]),
    ),
  ).toEqual({
    applied: "applied",
    "unknown token": "unknown_token",
    "foreign id": "foreign_id",
    "to be confirmed by query": "awaiting_query",
    "in doubt": "in_doubt",
  });
});
