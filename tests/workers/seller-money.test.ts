/** A seller's money: the totals, a line for each sale, the file, and what the API says while money is held. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { discrepancies, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { REFUND_PLACES, type RefundPlace } from "#app/db/states/refund.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { openSellerStatement } from "#app/payments/books/seller-statement.server.ts";
import { REFUND_WORDS } from "#app/payments/transfers/refund-words.ts";
import { monthName } from "#app/platform/east-africa-time.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { deliveredPayout } from "#app/payments/payment-api.server.ts";
import { openSellerMoney, readAllMoney } from "#app/payments/books/seller-money.server.ts";
import { moneyAsCsv } from "#app/payments/books/seller-money-lines.ts";
import { openDatabase } from "#app/db/client.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { TransferState } from "#app/db/states/transfer.ts";
import { db, makeDeal, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const DAY = 24 * 60 * 60_000;
const UNTIL = Date.UTC(2030, 4, 3, 11);

let sellerId: string;
let age = 0;

/** A sale of the seller, older than those made before, in this state. */
async function sale(
  name: string,
  status: ItemStatus,
  {
    price = 100,
    payout,
    until,
    share = price,
  }: { price?: number; payout?: TransferState; until?: number; share?: number } = {},
): Promise<string> {
  age += 1;
  const at = Date.now() - age * DAY;
  const { itemId, orderId } = await makeDeal({ sellerId, price });
  await env.DB.batch([
    env.DB.prepare("UPDATE orders SET payment_status = 'completed' WHERE id = ?").bind(orderId),
    env.DB.prepare(
      "UPDATE order_items SET status = ?1, product_name = ?2, created_at = ?3, paid_at = ?3 WHERE id = ?4",
    ).bind(status, name, at, itemId),
  ]);
  if (until)
    await env.DB.prepare("INSERT INTO deal_timers (order_item_id, kind, due_at) VALUES (?, 'inspection_ended', ?)")
      .bind(itemId, until)
      .run();
  if (payout) {
    const id = crypto.randomUUID();
    await db.insert(payouts).values({
      id,
      orderItemId: itemId,
      sellerId,
      amount: share,
      state: "sent",
      conversationId: crypto.randomUUID(),
      callbackToken: crypto.randomUUID(),
      createdAt: at,
      updatedAt: at,
    });
    await db.insert(payoutItems).values({ orderItemId: itemId, payoutId: id, amount: share, createdAt: at });
    const done = payout === "done" ? { receipt: `T${id.slice(0, 9).toUpperCase()}`, doneAt: at } : {};
    await db
      .update(payouts)
      .set({ state: payout, ...done })
      .where(eq(payouts.id, id));
  }
  return itemId;
}

beforeAll(async () => {
  sellerId = await makeUser();
  await sale("Kettle", "delivered", { until: UNTIL });
  await sale("Lamp", "in_review");
  await sale("=Pen", "completed", { payout: "due" });
  await sale("Book", "refunded");
  await sale("Bag", "completed", { payout: "done", share: 60 });
  await sale("Free book", "completed", { price: 0 });
  await sale("Chair", "completed", { payout: "done" });
});

describe("the page", () => {
  test("shows the totals and a line for each sale, newest first, with a running balance", async () => {
    const { totals, lines, next } = await openSellerMoney(db, { sellerId, filter: null });
    expect(totals).toEqual({ waiting: 200, onItsWay: 100, paid: 160 });
    expect(lines.map(({ name, state, amount, balance }) => [name, state, amount, balance])).toEqual([
      ["Kettle", "waiting", 100, 460],
      ["Lamp", "waiting", 100, 360],
      ["=Pen", "on_its_way", 100, 260],
      ["Book", "refunded", 100, 160],
      ["Bag", "paid", 60, 160],
      ["Chair", "paid", 100, 100],
    ]);
    expect(lines[0]?.reason).toBe("Waiting for the buyer until 3 May 2030, 14:00.");
    expect(next).toBeNull();
  });

  test.each([
    ["waiting", ["Kettle 200", "Lamp 100"]],
    ["on_its_way", ["=Pen 100"]],
    ["paid", ["Bag 160", "Chair 100"]],
    ["refunded", ["Book null"]],
  ] as const)("shows only what is %s, with the balance of these", async (filter, expected) => {
    const { lines } = await openSellerMoney(db, { sellerId, filter });
    expect(lines.map(({ name, balance }) => `${name} ${balance}`)).toEqual(expected);
  });

  test("goes on where the page before ended, and its balance ends at the oldest sale", async () => {
    const many = await makeUser();
    const before = sellerId;
    sellerId = many;
    for (let n = 0; n < 23; n += 1)
      await sale(`Item ${n}`, n % 2 ? "delivered" : "completed", {
        price: 10,
        ...(n % 2 ? {} : { payout: "done" as const }),
      });
    sellerId = before;
    let trips = 0;
    const counting = openDatabase(
      new Proxy(env.DB, {
        get(target, name) {
          if (name === "batch") trips += 1;
          return Reflect.get(target, name).bind(target);
        },
      }),
    );
    const first = await openSellerMoney(counting, { sellerId: many, filter: null });
    const second = await openSellerMoney(counting, { sellerId: many, filter: null, after: first.next });
    expect(trips).toBe(2);
    const lines = [...first.lines, ...second.lines];
    expect([first.lines.length, second.lines.length, second.next]).toEqual([20, 3, null]);
    expect(lines.map(({ name }) => name)).toEqual(Array.from({ length: 23 }, (_, n) => `Item ${n}`));
    expect([lines[0]?.balance, lines.at(-1)?.balance]).toEqual([230, 10]);
  });

  test("is the seller's own, and works without scripts", async () => {
    const page = await (await visit("/myshop/money", { as: sellerId })).text();
    expect(page).toContain("KES 460");
    expect(page).toContain("Waiting for the buyer until 3 May 2030, 14:00.");
    const other = await (await visit("/myshop/money", { as: await makeUser() })).text();
    expect(other).toContain("No sales yet");
    expect(other).not.toContain("Kettle");
    expect(await (await visit("/myshop/money?show=refunded&after=x", { as: sellerId })).text()).toContain("Book");
  });
});

test("the file has the same lines, and a spreadsheet runs none of them", async () => {
  const answer = await visit("/myshop/money.csv?show=on_its_way", { as: sellerId });
  expect(answer.headers.get("Content-Type")).toContain("text/csv");
  expect(answer.headers.get("Content-Disposition")).toContain("attachment");
  const rows = (await answer.text()).split("\r\n");
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain(`"'=Pen"`);
});

test("a file that leaves out the oldest sales says so, and no other does", async () => {
  const all = { sellerId, filter: null };
  const { lines } = await readAllMoney(db, all);
  const first = await readAllMoney(db, all, 2);
  expect(moneyAsCsv(first.lines, first.hasMore).split("\r\n")).toEqual([
    ...moneyAsCsv(lines).split("\r\n").slice(0, 3),
    '"Only the newest 2 sales are here. My Money shows the older ones."',
  ]);
  expect(await (await visit("/myshop/money.csv", { as: sellerId })).text()).not.toContain("Only the newest");
});

test.each<[ItemStatus, number | undefined, string]>([
  ["delivered", UNTIL, "We hold this money. Waiting for the buyer until 3 May 2030, 14:00."],
  ["problem_reported", UNTIL, "We hold this money. The buyer reported a problem. Answer by 3 May 2030, 14:00."],
  ["in_review", undefined, "We hold this money. Our team is deciding."],
  ["refunded", undefined, "The money goes back to the buyer."],
])("a payout asked for while the item is %s is refused with the reason", async (status, until, error) => {
  const before = sellerId;
  sellerId = await makeUser();
  const orderItemId = await sale("Stool", status, until ? { until } : {});
  const asked = { orderItemId, sellerId };
  sellerId = before;
  expect(await deliveredPayout(servicesAt(), asked)).toEqual({ ok: false, code: "held", error });
  expect(await deliveredPayout(servicesAt(), { ...asked, sellerId: await makeUser() })).toMatchObject({
    code: "not_found",
  });
});

test("a refund is in the same place on the order, in My Money, in its file and in the statement", async () => {
  const deal = await payDeal();
  await applyDealEvent(
    { ...servicesAt(), deals: { inspectionHours: 0, codeKey: "test-key" } },
    { itemId: deal.itemId, event: "cancelled_by_seller", by: deal.sellerId },
  );
  const [refund] = await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId));
  const { id = "", amount = 0 } = refund ?? {};
  const facts = { amount, receipt: null, doneAt: 1 };
  const cases: [RefundPlace, Partial<typeof refunds.$inferInsert>][] = [
    ["due", { state: "due", waitReason: null }],
    ["sending", { state: "sending" }],
    ["sent", { state: "sent" }],
    ["unknown", { state: "unknown", waitReason: "result_overdue" }],
    ["delayed", { state: "due", waitReason: "channel_paused" }],
    ["delayed", { state: "parked", waitReason: "receipt_invalid" }],
    ["in_question", { state: "done", doneAt: 1, waitReason: null }],
    ["done", { state: "done", doneAt: 1 }],
  ];
  expect([...new Set(cases.map(([place]) => place))]).toEqual([...REFUND_PLACES]);
  for (const [place, change] of cases) {
    await db.update(refunds).set(change).where(eq(refunds.id, id));
    if (place === "in_question")
      await db
        .insert(discrepancies)
        .values({ id: "asked", kind: "refund_already_reversed", subject: id, detail: "By hand", createdAt: 1 });
    if (place === "done") await db.update(discrepancies).set({ resolvedAt: 1 }).where(eq(discrepancies.id, "asked"));
    const read = async (path: string, as: string) =>
      (await (await visit(path, { as })).text())
        .replaceAll("&#x27;", "'")
        .replaceAll("\u00A0", " ")
        .replaceAll(/<[^>]+>/g, "");
    const words = REFUND_WORDS[place];
    const plain = (text: string) => text.replaceAll("\u00A0", " ");
    expect(await read(`/orders/${deal.orderId}`, deal.buyerId)).toContain(plain(words.buyer(facts)));
    expect(await read("/myshop/money", deal.sellerId)).toContain(plain(words.seller(facts)));
    expect(await read("/myshop/money.csv", deal.sellerId)).toContain(plain(words.seller(facts)));
    const { statement } = await openSellerStatement({ db }, { sellerId: deal.sellerId, month: monthName(Date.now()) });
    expect(statement.lines.find(({ kind }) => kind === "refund")?.place).toBe(place);
  }
});
