/** The check of the books: what it finds. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ledgerEntries } from "#app/payments/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { booksBalance, readBooks } from "#app/payments/books/ledger.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { addFinishedDeals, ENTRIES_OF_A_DEAL } from "#tests/support/finished-deals.ts";
import { booksOff, type Deal, db, makeDeal, readAttempts, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { meteredServices } from "#tests/support/metered.ts";

const HOUR = 60 * 60_000;

async function paidDeal(): Promise<Deal> {
  const deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  const receipt = `TBOOK${deal.itemId.slice(0, 5).toUpperCase()}`;
  const paid = { event: "paid", receipt, paidAt: null, checkoutRequestId: null } as const;
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", paid);
  return deal;
}

async function setStatus(deal: Deal, status: "shipped" | "in_review"): Promise<void> {
  await db.update(orderItems).set({ status }).where(eq(orderItems.id, deal.itemId));
}

/** What escrow holds for an item, in KES. */
async function heldFor(deal: Deal): Promise<number> {
  const rows = await db.select().from(ledgerEntries).where(eq(ledgerEntries.orderItemId, deal.itemId));
  return rows.filter(({ account }) => account === "escrow").reduce((sum, { amount }) => sum - amount, 0);
}

test("each item's money is held until its deal is over: earned, refunded, or split", async () => {
  const [earned, cancelled, split] = [await paidDeal(), await paidDeal(), await paidDeal()];
  for (const deal of [earned, cancelled, split]) expect(await heldFor(deal)).toBe(deal.amount);
  await setStatus(earned, "shipped");
  await setStatus(split, "in_review");
  expect(await booksOff()).toEqual({});

  await applyDealEvent(servicesAt(), { itemId: earned.itemId, event: "accepted", by: earned.buyerId });
  await applyDealEvent(servicesAt(), { itemId: cancelled.itemId, event: "cancelled_by_buyer", by: cancelled.buyerId });
  await applyDealEvent(servicesAt(), {
    itemId: split.itemId,
    event: "team_split",
    by: null,
    refundAmount: 400,
  });
  for (const deal of [earned, cancelled, split]) expect(await heldFor(deal)).toBe(0);
  const { balances } = await readBooks(db);
  expect(balances).toMatchObject({ mpesa_collection: 5_700, seller_payable: -3_400, refunds_due: -2_300 });
  expect(await booksOff()).toEqual({});
});

test("money that is released while the item is held is found under the item, though all accounts add up", async () => {
  const deal = await paidDeal();
  const release = (transactionId: string, amount: number) => {
    const entry = { transactionId, kind: "release", orderItemId: deal.itemId, createdAt: Date.now() } as const;
    return db.insert(ledgerEntries).values([
      { ...entry, id: crypto.randomUUID(), account: "escrow", amount },
      { ...entry, id: crypto.randomUUID(), account: "seller_payable", amount: -amount },
    ]);
  };
  await release("forged", deal.amount);
  const books = await readBooks(db);
  expect(books).toMatchObject({ sumOff: 0, unbalanced: 0 });
  expect(books.differences).toEqual([
    { account: "escrow", subject: deal.itemId, booked: 0, expected: -deal.amount },
    { account: "seller_payable", subject: deal.itemId, booked: -deal.amount, expected: 0 },
  ]);
  await release("taken back", -deal.amount);
  expect(await booksOff()).toEqual({});
});

test("an amount that somebody changes after the payment is found, however old", async () => {
  const deal = await paidDeal();
  const change = (by: number) =>
    env.DB.prepare("UPDATE payment_attempts SET amount = amount + ?, updated_at = ? WHERE order_id = ?")
      .bind(by, Date.now() - 400 * 24 * HOUR, deal.orderId)
      .run();
  await change(100);
  expect((await readBooks(db)).differences).toMatchObject([{ account: "mpesa_collection", subject: "" }]);
  await change(-100);
  expect(await booksOff()).toEqual({});
});

test("the books of a long ledger are added up in one round trip", async () => {
  const deal = await paidDeal();
  await addFinishedDeals(env.DB, deal, 0, Math.ceil(1_000 / ENTRIES_OF_A_DEAL));
  const { meter, db: metered } = meteredServices();
  expect(booksBalance(await readBooks(metered))).toBe(true);
  expect(meter.trips).toBe(1);
});
