import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { issueReports } from "#app/orders/tables.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { type Deal, db, makeDeal, makeUser, servicesAt } from "#tests/support/fixtures.ts";

function report(deal: Deal, input: Partial<Parameters<typeof reportIssue>[1]> = {}, offsetMs = 0) {
  return reportIssue(servicesAt(offsetMs), {
    userId: deal.buyerId,
    orderId: deal.orderId,
    itemId: deal.itemId,
    description: "It never arrived",
    ...input,
  });
}

function reportsOf(deal: Deal) {
  return db.select().from(issueReports).where(eq(issueReports.orderId, deal.orderId));
}

test("a buyer reports an issue with an item of theirs: it starts open, with its seller and product", async () => {
  const deal = await makeDeal();
  expect(await report(deal, { description: "  It never arrived \n" })).toMatchObject({ ok: true });
  expect(await reportsOf(deal)).toMatchObject([
    {
      userId: deal.buyerId,
      sellerId: deal.sellerId,
      productId: deal.productId,
      description: "It never arrived",
      status: "open",
    },
  ]);
});

test("the same report sent twice is kept once", async () => {
  const deal = await makeDeal();
  await report(deal);
  expect(await report(deal)).toMatchObject({ ok: true });
  expect(await reportsOf(deal)).toHaveLength(1);
});

test("an order as a whole can be reported", async () => {
  const deal = await makeDeal();
  expect(await report(deal, { itemId: null })).toMatchObject({ ok: true });
  expect(await reportsOf(deal)).toMatchObject([{ sellerId: deal.sellerId, productId: deal.productId }]);
});

test("another's order, and an item of another order, are not found", async () => {
  const deal = await makeDeal();
  const other = await makeDeal();
  expect(await report(deal, { userId: await makeUser() })).toEqual({ ok: false, code: "not_found" });
  expect(await report(deal, { userId: deal.sellerId })).toEqual({ ok: false, code: "not_found" });
  expect(await report(deal, { itemId: other.itemId })).toEqual({ ok: false, code: "not_found" });
  expect(await reportsOf(deal)).toEqual([]);
});

test("nothing but blanks is refused in the specification's words, and so is a novel", async () => {
  const deal = await makeDeal();
  expect(await report(deal, { description: " \n " })).toEqual({
    ok: false,
    code: "refused",
    error: "Please provide a description of your issue",
  });
  expect(await report(deal, { description: "x".repeat(2001) })).toMatchObject({ ok: false, code: "refused" });
});

test("an account reports five issues an hour, and more later", async () => {
  const deal = await makeDeal();
  for (let n = 1; n <= 5; n += 1) expect(await report(deal, { description: `Issue ${n}` })).toMatchObject({ ok: true });
  expect(await report(deal, { description: "Issue 6" })).toEqual({ ok: false, code: "too_many" });
  expect(await report(deal, { description: "Issue 6" }, 61 * 60_000)).toMatchObject({ ok: true });
});
