import { expect, test } from "vitest";
import { isRead } from "#app/db/patience.ts";

test.each<[query: string, reads: boolean]>([
  ["SELECT 1", true],
  ["\n  select id FROM products", true],
  ["WITH newest AS (SELECT 1) SELECT * FROM newest", true],
  ["WITH tidy AS (SELECT replace(name, ' ', '') AS name FROM products) SELECT name FROM tidy", true],
  ["INSERT INTO orders DEFAULT VALUES", false],
  ["UPDATE products SET price = 1", false],
  ["DELETE FROM cart_items", false],
  ["REPLACE INTO leases VALUES (1)", false],
  ["WITH old AS (SELECT 1) INSERT INTO orders SELECT * FROM old", false],
  ["WITH old AS (SELECT 1)\nUPDATE products SET price = 1", false],
  ["with old AS (SELECT 1) delete FROM cart_items", false],
  ["WITH old AS (SELECT 1) REPLACE  INTO leases SELECT * FROM old", false],
  ["PRAGMA optimize", false],
])("%s", (query, reads) => {
  expect(isRead(query)).toBe(reads);
});
