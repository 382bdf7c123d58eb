/** A seller's statement of a month and a buyer's receipts of a year, as pages and as a file. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { openBuyerReceipts } from "#app/payments/books/buyer-receipts.server.ts";
import { openSellerStatement } from "#app/payments/books/seller-statement.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { eq } from "drizzle-orm";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { monthName } from "#app/platform/east-africa-time.ts";
import { eventually } from "#tests/support/eventually.ts";
import { db, makeDeal, makeUser, runSandbox, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { payInSandbox } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

const month = monthName(Date.now());
const year = Number(month.slice(0, 4));
let sellerId: string;
let buyerId: string;

async function pay(price: number) {
  const deal = await makeDeal({ sellerId, buyerId, price });
  await payInSandbox(deal, uniquePhone("77"));
  return deal;
}

beforeAll(async () => {
  sellerId = await makeUser({ name: "Makena Kirimi", phone: uniquePhone("50") });
  buyerId = await makeUser({ name: "Brian Mutua" });
  const [delivered, cancelled] = [await pay(1_900), await pay(500), await pay(70)];
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, delivered.itemId));
  await deliverItem(servicesAt(), { itemId: delivered.itemId, sellerId });
  const services = { ...servicesAt(), deals: { inspectionHours: 0, codeKey: "test-key" } };
  await applyDealEvent(services, { itemId: cancelled.itemId, event: "cancelled_by_buyer", by: buyerId });
  await advancePayments(servicesAt());
  await runSandbox();
  await eventually(async () => {
    const open = await env.DB.prepare(
      `SELECT (SELECT COUNT(*) FROM payouts WHERE state <> 'done') +
        (SELECT COUNT(*) FROM refunds WHERE state <> 'done') AS n`,
    ).first("n");
    expect(open).toBe(0);
  });
});

describe("a seller's statement", () => {
  test("goes from the opening to the closing balance, which is what the ledger has for them", async () => {
    const { statement, seller } = await openSellerStatement({ db }, { sellerId, month });
    expect(seller).toBe("Makena Kirimi");
    expect(statement).toMatchObject({ opening: 0, totals: { sale: 2_470, refund: 500, payout: 1_900 }, closing: 70 });
    const booked = await env.DB.prepare(
      "SELECT -SUM(amount) AS held FROM ledger_entries WHERE account IN ('escrow', 'seller_payable')",
    ).first("held");
    expect(statement.closing).toBe(booked);
  });

  test("opens the next month with the balance, and one before the first sale with nothing", async () => {
    const next = await openSellerStatement({ db }, { sellerId, month: "2031-01" });
    expect(next.statement).toMatchObject({ opening: 70, lines: [], closing: 70 });
    const before = await openSellerStatement({ db }, { sellerId, month: "2020-01" });
    expect(before.statement).toMatchObject({ opening: 0, lines: [], closing: 0 });
  });

  test("is a page and a file of the seller alone", async () => {
    const page = await (await visit("/myshop/statement", { as: sellerId })).text();
    for (const words of ["Makena Kirimi", "Opening balance", "KES 2,470", "−KES 1,900", "Closing balance"])
      expect(page).toContain(words);
    const other = await (await visit(`/myshop/statement?month=${month}`, { as: buyerId })).text();
    expect(other).toContain("Nothing was sold, sent back or paid out in this month.");
    const file = await visit(`/myshop/statement.csv?month=${month}`, { as: sellerId });
    expect(file.headers.get("Content-Disposition")).toContain(`statement-${month}.csv`);
    const rows = (await file.text()).split("\r\n");
    expect(rows).toHaveLength(1 + 2 + 5);
    expect(rows.at(-1)).toContain('"Closing balance","","","","","70"');
    expect((await visit("/myshop/statement?month=9999-99", { as: sellerId })).status).toBe(200);
  });
});

describe("a buyer's receipts", () => {
  test("have every payment of the year and what came back, with M-Pesa's receipts", async () => {
    const { receipts, paid, returned } = await openBuyerReceipts({ db }, { userId: buyerId, year });
    expect([paid, returned]).toEqual([2_470, 500]);
    expect(receipts.map(({ kind, amount }) => `${kind} ${amount}`).toSorted()).toEqual([
      "paid 1900",
      "paid 500",
      "paid 70",
      "returned 500",
    ]);
    for (const { receipt, names } of receipts) {
      expect(receipt).toMatch(/^[A-Z0-9]{10}$/);
      expect(names).toEqual(["Casio fx-991ES"]);
    }
    expect((await openBuyerReceipts({ db }, { userId: buyerId, year: year - 1 })).receipts).toEqual([]);
  });

  test("are a page of the buyer alone", async () => {
    const page = await (await visit("/receipts", { as: buyerId })).text();
    for (const words of ["Brian Mutua", "KES 2,470", "−KES 500", "KES 1,970", "Sent back: Casio fx-991ES"])
      expect(page).toContain(words);
    expect(await (await visit("/receipts", { as: sellerId })).text()).toContain("You paid nothing in this year.");
    expect((await visit("/receipts?year=x", { as: buyerId })).status).toBe(200);
  });
});
