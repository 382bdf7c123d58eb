/** Explaining a shilling: whatever an admin knows of a payment leads to one history of its money. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { explainMoney, searchMoney } from "#app/admin/money/explain.server.ts";
import { parkDuePayout, recordTransfer, reserveTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { findItemMoney } from "#app/screens/item-money/item-money.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { payouts, refunds } from "#app/payments/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  type Deal,
  db,
  makeDeal,
  makeUser,
  readAttempts,
  readPayout,
  runSandbox,
  servicesAt,
} from "#tests/support/fixtures.ts";
import { payInSandbox } from "#tests/support/paid-deal.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { asPayout, asRefund } from "#tests/support/transfers.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

const dealServices = () => ({ ...servicesAt(), deals: { inspectionHours: 0, codeKey: "test-key" } });

let sold: Deal;
let cancelled: Deal;
const [SOLD_PHONE, CANCELLED_PHONE] = ["254733118877", "254733229977"];

beforeAll(async () => {
  sold = await makeDeal({ buyerId: await makeUser({ name: "Zawadi Kipkemboi" }) });
  await payInSandbox(sold, SOLD_PHONE);
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, sold.itemId));
  expect(await deliverItem(servicesAt(), { itemId: sold.itemId, sellerId: sold.sellerId })).toMatchObject({ ok: true });
  cancelled = await makeDeal();
  await payInSandbox(cancelled, CANCELLED_PHONE);
  await applyDealEvent(dealServices(), {
    itemId: cancelled.itemId,
    event: "cancelled_by_buyer",
    by: cancelled.buyerId,
  });
  for (const minute of [1, 2]) {
    await advancePayments(servicesAt(minute * 60_000));
    await runSandbox();
  }
  await eventually(async () => expect(await readPayout(sold.itemId)).toMatchObject({ state: "done" }));
  await eventually(async () => {
    const row = await env.DB.prepare("SELECT state FROM refunds").first<{ state: string }>();
    expect(row?.state).toBe("done");
  });
});

async function found(typed: string): Promise<string[]> {
  return (await searchMoney({ db }, typed)).found.map(({ id }) => id);
}

test("the page says what ends the wait of a parked payout", async () => {
  const payout = await readPayout(sold.itemId);
  const waiting = async (row: Partial<typeof payouts.$inferInsert>) => {
    await db
      .update(payouts)
      .set(row)
      .where(eq(payouts.id, payout?.id ?? ""));
    const explained = await explainMoney({ db }, { kind: "order", id: sold.orderId });
    return explained?.waiting.map(({ words }) => words).join();
  };
  expect(await waiting({ state: "parked", waitReason: "our_float", nextActionAt: Date.now() })).toMatch(
    /the seller reads “We are topping up our M-Pesa account”\. We try again every 15 minutes/,
  );
  expect(await waiting({ waitReason: "our_configuration", nextActionAt: null })).toMatch(
    /paused on our side”\. It waits until an admin presses "Try Again"\. Admins do so under Money, Payouts\.$/,
  );
  expect(await waiting({ waitReason: "not_registered" })).toMatch(/until an admin or the seller presses "Try Again"/);
  expect(await waiting({ waitReason: "sending_by_hand" })).not.toContain("Try Again");
  expect(await waiting({ state: "done", waitReason: null })).toBe("");
});

describe("the search", () => {
  test("finds an order by its payment's receipt, phone or its ending, id, reference and payer, and by its payout", async () => {
    const [attempt] = await readAttempts(sold.orderId);
    const payout = await readPayout(sold.itemId);
    for (const typed of [
      attempt?.receipt,
      attempt?.receipt?.toLowerCase(),
      "0733118877",
      "118877",
      "…8877",
      sold.orderId,
      sold.orderId.slice(0, 8),
      `ORD${sold.orderId.slice(0, 8).toUpperCase()}`,
      attempt?.id,
      payout?.receipt,
      payout?.id,
      "zawadi",
    ])
      expect(await found(typed ?? ""), `"${typed}"`).toEqual([sold.orderId]);
  });

  test("finds a refund by its receipt, and nothing by what nobody has", async () => {
    const refund = await env.DB.prepare("SELECT id, receipt FROM refunds").first<{ id: string; receipt: string }>();
    expect(await found(refund?.receipt ?? "")).toEqual([cancelled.orderId]);
    expect(await found(refund?.id ?? "")).toEqual([cancelled.orderId]);
    for (const typed of ["", "ZZZZZZZZZZ", "0799999999", "00000000", "nobody@nowhere.test", "77778"])
      expect(await found(typed), `"${typed}"`).toEqual([]);
  });

  test("finds an order by its seller, whoever types the name how", async () => {
    const sellerId = await makeUser({ name: "Élodie Ng’ang’a Mũthoni" });
    const deal = await makeDeal({ sellerId });
    for (const typed of ["ÉLODIE", "elodie", "nganga", "NG'ANG'A", "muthoni élodie", "ng`ang`a  Muthoni"])
      expect(await found(typed), `"${typed}"`).toEqual([deal.orderId]);
    expect(await found("elodie kamau")).toEqual([]);
    const [money] = (await searchMoney({ db }, "nganga")).found;
    expect(money?.sellers).toBe("Élodie Ng’ang’a Mũthoni");
  });

  test("finds an order by a name that has as many letters as a receipt", async () => {
    const deal = await makeDeal({ sellerId: await makeUser({ name: "Zuri Wekesa" }) });
    expect(await found("zuri wekesa")).toEqual([deal.orderId]);
  });

  test("lists several, and leads to the only one", async () => {
    // With the dots, because digits alone may stand in somebody's email.
    expect((await found("…977")).length + (await found("…877")).length).toBe(2);
    expect((await found("…77")).length).toBe(0);
    const admin = await makeAdmin();
    const answer = await visit(`/admin/money/explain?q=${SOLD_PHONE}`, { as: admin.id });
    expect(answer.headers.get("Location")).toBe(`/admin/money/explain?order=${sold.orderId}`);
  });
});

describe("the history", () => {
  test("of a sale goes from the request to the payout, in words, with what M-Pesa sent", async () => {
    const explained = await explainMoney({ db }, { kind: "order", id: sold.orderId });
    if (!explained) throw new Error("nothing is explained");
    const lines = explained.timeline.map(({ words }) => words);
    const [attempt] = await readAttempts(sold.orderId);
    const payout = await readPayout(sold.itemId);
    const expected = [
      "The buyer ordered for KES 1,900.",
      "We asked 2547•••••877 to pay KES 1,900.",
      "M-Pesa reported about the payment: applied.",
      `Paid, receipt ${attempt?.receipt}.`,
      "M-Pesa confirmed the payment when we asked, so payouts may leave.",
      "Casio fx-991ES: the seller marked it as delivered.",
      "We asked M-Pesa for the payout to Wanjiku Otieno.",
      `Wanjiku Otieno was paid KES 1,900, receipt ${payout?.receipt}.`,
    ];
    for (const words of expected) expect(lines).toContain(words);
    expect(lines[0]).toBe(expected[0]);
    expect(explained.places).toEqual({ paid: 1_900, held: 0, toSellers: 1_900, kept: 0, toBuyer: 0, unconfirmed: 0 });
    const bodies = explained.timeline.flatMap(({ body }) => body ?? []);
    expect(bodies.join("")).toContain(attempt?.receipt);
    expect(bodies.join("")).not.toContain(SOLD_PHONE);
  });

  test("of a cancelled sale ends with the refund", async () => {
    const explained = await explainMoney({ db }, { kind: "order", id: cancelled.orderId });
    if (!explained) throw new Error("nothing is explained");
    const lines = explained.timeline.map(({ words }) => words);
    expect(lines.join("\n")).toMatch(/The buyer got KES 1,900 back, receipt [A-Z0-9]{10}\./);
    expect(lines.join("\n")).toMatch(/We owe the buyer KES 1,900 back\./);
    expect(explained.places).toEqual({ paid: 1_900, held: 0, toSellers: 0, kept: 0, toBuyer: 1_900, unconfirmed: 0 });
  });

  test("of a payout and a refund that were sent by hand says who sent them, and what M-Pesa said of the receipts", async () => {
    const deal = await makeDeal();
    const attemptId = await payInSandbox(deal, "254733330077");
    await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
    const delivered = await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
    if (!delivered.ok || !delivered.payoutId) throw new Error("not delivered");
    const payout = asPayout(delivered.payoutId);
    const admin = await makeAdmin("Atieno Odhiambo");
    await parkDuePayout(servicesAt(), admin, payout.id, "Their line is closed");
    expect(await reserveTransfer(servicesAt(), admin, payout)).toBe(true);
    const [wrong, right] = ["UHAND00001", "UHAND00002"] as const;
    expect(await recordTransfer(servicesAt(), admin, payout, wrong)).toEqual({ ok: true });
    expect(await mpesaConfirms(wrong, { amount: 1 })).toBe("receipt_rejected");
    expect(await found(wrong)).toEqual([deal.orderId]);
    expect(await recordTransfer(servicesAt(), admin, payout, right)).toEqual({ ok: true });
    const lines = async () => {
      const explained = await explainMoney({ db }, { kind: "order", id: deal.orderId });
      return explained?.timeline.map(({ words }) => words) ?? [];
    };
    expect((await lines()).join("\n")).not.toContain(`M-Pesa confirmed it: ${right}`);
    expect(await mpesaConfirms(right)).toBe("receipt_confirmed");
    const told = await lines();
    for (const words of [
      expect.stringMatching(
        /^Atieno Odhiambo took over the payout, to send it by hand: “read the number 254\d•{5}\d{3}”\.$/,
      ),
      `Atieno Odhiambo sent the payout by hand, and entered receipt ${wrong}. We asked M-Pesa about it.`,
      `Atieno Odhiambo sent the payout by hand, and entered receipt ${right}. We asked M-Pesa about it.`,
      "M-Pesa reported about a receipt that an admin entered: confirmed.",
      "M-Pesa reported about a receipt that an admin entered: not confirmed.",
      `M-Pesa confirmed it: ${right}.`,
      `Wanjiku Otieno was paid KES 1,900 by hand, receipt ${right}.`,
    ])
      expect(told).toContainEqual(words);
    expect(told.join("\n")).toMatch(new RegExp(`M-Pesa didn't confirm it \\(.+\\): ${wrong}\\.`));
    expect(told.join("\n")).not.toContain("recorded");

    const refundId = crypto.randomUUID();
    await db.insert(refunds).values({
      id: refundId,
      attemptId,
      amount: 100,
      reason: "not_shipped",
      state: "parked",
      conversationId: crypto.randomUUID(),
      callbackToken: crypto.randomUUID(),
      createdAt: Date.now(),
      updatedAt: Date.now(),
    });
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(true);
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), "UHAND00003")).toEqual({ ok: true });
    expect(await found("UHAND00003")).toEqual([deal.orderId]);
    expect(await lines()).toContain(
      "Atieno Odhiambo sent the refund by hand, and entered receipt UHAND00003. We asked M-Pesa about it.",
    );
  });

  test("is a page for admins that shows no phone number, and 404 for what isn't there", async () => {
    const admin = await makeAdmin();
    const page = await (await visit(`/admin/money/explain?order=${sold.orderId}`, { as: admin.id })).text();
    expect(page).toContain("What M-Pesa sent");
    expect(page).not.toContain(SOLD_PHONE);
    expect((await visit("/admin/money/explain?order=none", { as: admin.id })).status).toBe(404);
    expect((await visit("/admin/money/explain?plan=none", { as: admin.id })).status).toBe(404);
  });
});

describe("where is my money", () => {
  const moneyOf = async (deal: Deal, viewerId: string) => findItemMoney(servicesAt(), deal.itemId, viewerId);

  test("tells each side of a sale that was paid out its own receipt, and nobody else anything", async () => {
    const [attempt] = await readAttempts(sold.orderId);
    const payout = await readPayout(sold.itemId);
    const [buyer, seller] = [await moneyOf(sold, sold.buyerId), await moneyOf(sold, sold.sellerId)];
    expect(buyer?.now.title).toBe("The seller has KES 1,900");
    expect(seller?.now.title).toBe("KES 1,900 is in your M-Pesa");
    const read = (money: typeof buyer) => JSON.stringify(money);
    expect(read(buyer)).toContain(attempt?.receipt ?? "no receipt");
    expect(read(seller)).toContain(payout?.receipt ?? "no receipt");
    expect(read(buyer)).not.toContain(payout?.receipt);
    expect(read(seller)).not.toContain(attempt?.receipt);
    for (const money of [buyer, seller]) expect(read(money)).not.toMatch(/Zawadi|7331|callback|We ask M-Pesa/);
    expect(read(buyer)).toContain("•877");
    expect(read(seller)).not.toContain("•877");
    expect(await moneyOf(sold, await makeUser())).toBeNull();
    expect(await moneyOf(sold, (await makeAdmin()).id)).toBeNull();
  });

  test("tells the buyer of a cancelled item by which receipt it came back, and the seller only that it did", async () => {
    const [refund] = await db.select().from(refunds);
    const [buyer, seller] = [await moneyOf(cancelled, cancelled.buyerId), await moneyOf(cancelled, cancelled.sellerId)];
    expect(buyer?.now.sentences.join(" ")).toContain(refund?.receipt ?? "no receipt");
    expect(JSON.stringify(seller)).not.toContain(refund?.receipt);
    expect(seller?.now).toMatchObject({ title: "It goes back to the buyer", sentences: ["Refunded to the buyer."] });
  });

  test("opens as a page without scripts for the two, and for nobody else", async () => {
    const page = async (as: string) => visit(`/money/${sold.itemId}`, { as });
    const answer = await page(sold.sellerId);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Where is my money?");
    expect((await page(await makeUser())).status).toBe(404);
  });
});
