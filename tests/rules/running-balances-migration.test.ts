import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const FOLDER = resolve(import.meta.dirname, "../../migrations");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();
const AT = NAMES.findIndex((name) => name.includes("running_balances"));

/** A database whose payments were booked for whole orders, after the migration. */
function migrated(): DatabaseSync {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  const migrate = (names: string[]) => {
    for (const name of names) db.exec(readFileSync(resolve(FOLDER, name), "utf8"));
  };
  migrate(NAMES.slice(0, AT));
  db.exec(`INSERT INTO orders (id, user_id, amount, payment_status, order_status, idempotency_key, source, created_at, updated_at)
      VALUES ('order', 'buyer', 1000, 'completed', 'processing', 'key', 'cart', 1, 1);
    INSERT INTO order_items (id, order_id, product_id, seller_id, product_name, quantity, price_per_unit, subtotal, status, paid_at, created_at, updated_at)
      VALUES ('held', 'order', 'p1', 'seller', 'Kettle', 1, 700, 700, 'processing', 1, 1, 1), ('over', 'order', 'p2', 'seller', 'Cup', 1, 300, 300, 'completed', 1, 1, 1),
        ('free', 'order', 'p3', 'seller', 'Pen', 1, 0, 0, 'processing', 1, 1, 1);
    INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token, created_at, updated_at)
      VALUES ('kept', 'order', 'order', 'buyer', '254722000020', 1000, 'succeeded', 't1', 1, 1), ('second', 'order', 'order', 'buyer', '254722000020', 1000, 'succeeded', 't2', 1, 1),
        ('third', 'order', 'order', 'buyer', '254722000020', 1000, 'succeeded', 't3', 1, 1);
    INSERT INTO payouts (id, order_item_id, seller_id, amount, state, conversation_id, callback_token, created_at, updated_at)
      VALUES ('payout', 'over', 'seller', 300, 'paid', 'c1', 't1', 1, 1);
    INSERT INTO refunds (id, attempt_id, order_id, amount, reason, state, conversation_id, callback_token, created_at)
      VALUES ('done refund', 'second', 'order', 1000, 'order_already_paid', 'done', 'c2', 't2', 1), ('due refund', 'third', 'order', 1000, 'order_already_paid', 'due', 'c3', 't3', 1);`);
  const entry = db.prepare(
    "INSERT INTO ledger_entries (id, transaction_id, account, kind, amount, order_id, order_item_id, attempt_id, created_at) VALUES (?1 || ?2, ?1, ?2, ?3, ?4, 'order', ?5, ?6, 1)",
  );
  const book = (
    id: string,
    kind: string,
    debit: string,
    credit: string,
    amount: number,
    item: string | null,
    attempt: string | null,
  ) => {
    entry.run(id, debit, kind, amount, item, attempt);
    entry.run(id, credit, kind, -amount, item, attempt);
  };
  book("charge:kept", "charge", "mpesa_collection", "escrow", 1000, null, "kept");
  book("release:over", "release", "escrow", "seller_payable", 300, "over", null);
  book("payout:over", "payout", "seller_payable", "mpesa_payout_float", 300, "over", null);
  book("refund_due:second", "refund_due", "mpesa_collection", "refunds_due", 1000, null, "second");
  book("refund:second", "refund", "refunds_due", "mpesa_collection", 1000, null, "second");
  book("refund_due:third", "refund_due", "mpesa_collection", "refunds_due", 1000, null, "third");
  migrate(NAMES.slice(AT));
  return db;
}

test("money that was booked for a whole order is held for the items that it pays for", () => {
  const db = migrated();
  const rows = (query: string) =>
    db
      .prepare(query)
      .all()
      .map((row) => Object.values(row));
  expect(rows("SELECT account, subject, amount FROM ledger_balances ORDER BY account, subject")).toEqual([
    ["escrow", "held", -700],
    ["mpesa_collection", "", 2000],
    ["mpesa_payout_float", "", -300],
    ["refunds_due", "due refund", -1000],
  ]);
  expect(rows("SELECT account, amount FROM settled_totals ORDER BY account")).toEqual([
    ["mpesa_collection", 2000],
    ["mpesa_payout_float", -300],
    ["plans", 0],
  ]);
  expect(rows("SELECT * FROM unbalanced_transactions")).toEqual([]);
});

test("balances are the sums of their entries, and nothing that is zero stays", () => {
  const db = migrated();
  const entry = db.prepare(
    "INSERT INTO ledger_entries (id, transaction_id, account, kind, amount, order_item_id, created_at) VALUES (?, ?, ?, ?, ?, ?, 1)",
  );
  const accounts = ["mpesa_collection", "escrow", "seller_payable"];
  // Amounts from -2 to 2, so that balances often cross zero.
  for (let n = 0; n < 600; n += 1) {
    const [transaction, account, amount, item] = [n % 7, accounts[n % 3], ((n * 31) % 97) % 5, `item-${(n * 13) % 11}`];
    if (amount !== 2) entry.run(`entry-${n}`, `t-${transaction}`, account ?? "", `kind-${n}`, amount - 2, item);
  }
  const rows = (query: string) => db.prepare(query).all();
  const subject = "CASE WHEN account IN ('escrow', 'seller_payable') THEN COALESCE(order_item_id, '') ELSE '' END";
  const ofTest = "id LIKE 'entry-%'";
  expect(
    rows("SELECT account, subject, amount FROM ledger_balances WHERE subject LIKE 'item-%' ORDER BY 1, 2"),
  ).toEqual(
    rows(
      `SELECT account, ${subject} AS subject, SUM(amount) AS amount FROM ledger_entries WHERE ${ofTest} AND account <> 'mpesa_collection'
        GROUP BY 1, 2 HAVING SUM(amount) <> 0 ORDER BY 1, 2`,
    ),
  );
  expect(rows("SELECT * FROM unbalanced_transactions WHERE transaction_id LIKE 't-%' ORDER BY 1")).toEqual(
    rows(
      `SELECT transaction_id, SUM(amount) AS amount FROM ledger_entries WHERE ${ofTest} GROUP BY 1 HAVING SUM(amount) <> 0 ORDER BY 1`,
    ),
  );
  expect(rows("SELECT 1 FROM unbalanced_transactions")).not.toEqual([]);
});
