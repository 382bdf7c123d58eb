import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ratingScore } from "#app/accounts/rating-rules.ts";

const FOLDER = resolve(import.meta.dirname, "../../migrations");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();
const AT = NAMES.findIndex((name) => name.includes("one_voice_a_person"));

test("ratings and records are counted anew, one voice a person, and category names lose the marks of the search", () => {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  const migrate = (names: string[]) => {
    for (const name of names) db.exec(readFileSync(resolve(FOLDER, name), "utf8"));
  };
  const row = (query: string) => ({ ...db.prepare(query).get() });
  migrate(NAMES.slice(0, AT));
  db.exec(`INSERT INTO credentials (id, email, created_at, updated_at) VALUES ('seller', 's@x', 1, 1);
    INSERT INTO profiles (id, email, phone, created_at, updated_at) VALUES ('seller', 's@x', '254700000001', 1, 1);
    INSERT INTO shops (id, shop_name, created_at, updated_at) VALUES ('seller', 'Duka', 1, 1);
    INSERT INTO categories (id, name, name_key, status, created_at) VALUES ('forged', 'drums \u{E0F1}', 'drums', 'approved', 1);
    INSERT INTO products (id, name, description, price, category, seller_id, created_at, updated_at)
      VALUES ('p', 'Marimba', 'Loud', 100, 'forged', 'seller', 1, 1)`);
  // A friend three times, once more from a second account with the friend's number, a stranger, and the seller's own number.
  const deals = [
    ["friend", "254700000002", "completed", 100, 5],
    ["friend", "254700000002", "completed", 100, 5],
    ["friend", "254700000002", "refunded", 100, 4],
    ["double", "254700000002", "completed", 100, 5],
    ["stranger", "254700000003", "completed", 100, 2],
    ["myself", "254700000001", "completed", 100, 5],
    ["guest", null, "completed", 0, 5],
  ] as const;
  for (const [n, [buyer, phone, status, price, stars]] of deals.entries()) {
    db.prepare(
      "INSERT INTO orders (id, user_id, amount, phone_number, idempotency_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 1)",
    ).run(`o${n}`, buyer, price, phone, `k${n}`, n);
    db.prepare(
      `INSERT INTO order_items (id, order_id, product_id, seller_id, product_name, quantity, price_per_unit, subtotal, status, created_at, updated_at)
        VALUES (?, ?, 'p', 'seller', 'Marimba', 1, ?, ?, ?, ?, 1)`,
    ).run(`i${n}`, `o${n}`, price, price, status, n);
    db.prepare(
      `INSERT INTO reviews (id, order_item_id, author_id, subject_id, subject_role, rating, created_at, publish_at, published_at)
        VALUES (?, ?, ?, 'seller', 'seller', ?, ?, 1, ?)`,
    ).run(`r${n}`, `i${n}`, buyer, stars, n, 10 + n);
  }
  const ratings = "SELECT stars1, stars2, stars3, stars4, stars5 FROM user_ratings WHERE user_id = 'seller'";
  expect(row(ratings)).toEqual({ stars1: 0, stars2: 1, stars3: 0, stars4: 1, stars5: 5 });

  migrate(NAMES.slice(AT, AT + 1));
  expect(row(ratings)).toEqual({ stars1: 0, stars2: 1, stars3: 0, stars4: 1, stars5: 0 });
  expect(row("SELECT rating_score AS score FROM shops")).toEqual({ score: ratingScore([0, 1, 0, 1, 0]) });
  expect(row("SELECT handed_over, refunded, cancelled FROM seller_records")).toEqual({
    handed_over: 2,
    refunded: 1,
    cancelled: 0,
  });
  expect(db.prepare("SELECT id FROM reviews WHERE counts = 1 ORDER BY id").all()).toHaveLength(2);
  const found = (query: string) =>
    row(`SELECT COUNT(*) AS n FROM product_search WHERE product_search MATCH '${query}'`);
  expect(found("{category} : drums")).toEqual({ n: 1 });
  expect(found('{category} : "\u{E0F1}"')).toEqual({ n: 0 });
  // Later steps go on from there.
  migrate(NAMES.slice(AT + 1));
  db.exec("UPDATE reviews SET removed_at = 1 WHERE id = 'r4'");
  expect(row(ratings)).toEqual({ stars1: 0, stars2: 0, stars3: 0, stars4: 1, stars5: 0 });
});
