/** Payouts of several items: what goes out together, for how much, and how each item's share is booked. */
import { env } from "cloudflare:workers";
import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { discrepancies, ledgerEntries, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { leases, outbox } from "#app/db/tables.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import type { PayoutReport } from "#app/payments/gateway.ts";
import { payoutOfItem, startPayout } from "#app/payments/transfers/start-payout.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  makeUser,
  readAttempts,
  readPayout,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { newReceipt, paidReport } from "#tests/support/paid-deal.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { recordTransfer, reserveTransfer, retryTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { pauseChannel } from "#app/payments/transfers/paused-channels.server.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { asPayout, reportTransfer, retryBySeller } from "#tests/support/transfers.ts";

const MINUTE = 60_000;

let sellerId: string;
/** What M-Pesa was asked to pay, in KES. */
let sent: number[];

beforeEach(async () => {
  await env.DB.prepare("UPDATE payouts SET next_action_at = NULL").run();
  await db.delete(leases);
  sellerId = await makeUser({ phone: uniquePhone("50") });
  sent = [];
});

/** The app `minutes` from now, with an M-Pesa that takes a moment to accept a payout. */
function at(minutes = 0): DealServices {
  const services = servicesAt(minutes * MINUTE);
  return {
    ...services,
    deals: { inspectionHours: 48, codeKey: "test-key" },
    gateway: {
      ...services.gateway,
      payOut: async ({ amount, conversationId }) => {
        sent.push(amount);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { kind: "accepted", providerConversationId: `AG_${conversationId.slice(0, 8)}` };
      },
    },
  };
}

/** A paid item of the seller. */
async function sale(price = 100, { confirmed = true } = {}): Promise<Deal> {
  const deal = await makeDeal({ sellerId, price });
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", paidReport());
  if (confirmed) await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "confirmed" });
  return deal;
}

async function sales(count: number, price?: number): Promise<Deal[]> {
  const made: Deal[] = [];
  for (let n = 0; n < count; n += 1) made.push(await sale(price));
  return made;
}

/** The seller enters the buyer's code, so the money is theirs. */
async function complete(deal: Deal, services = at()): Promise<string> {
  const done = await applyDealEvent(services, { itemId: deal.itemId, event: "code_entered", by: sellerId });
  if (!done.ok || !done.payoutId) throw new Error("the item was not completed");
  return done.payoutId;
}

/** The seller's transfers, oldest first, with the shares of their items. */
async function transfers() {
  const rows = await db.select().from(payouts).where(eq(payouts.sellerId, sellerId)).orderBy(payouts.createdAt);
  const shares = await db
    .select()
    .from(payoutItems)
    .where(
      inArray(
        payoutItems.payoutId,
        rows.map(({ id }) => id),
      ),
    );
  return rows.map((row) => ({
    ...row,
    shares: shares.filter(({ payoutId }) => payoutId === row.id).map(({ amount }) => amount),
  }));
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

async function report(payoutId: string, outcome: PayoutReport["outcome"], minutes = 0): Promise<string> {
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, payoutId));
  return reportTransfer(servicesAt(minutes * MINUTE), asPayout(payoutId), {
    conversationId: payout?.conversationId ?? null,
    outcome,
    code: "x",
    message: "x",
    amountCents: null,
    receipt: null,
  });
}

const paid = () => ({ kind: "done", receipt: newReceipt() }) as const;

describe("what goes out together", () => {
  test("the first sale of a quiet seller is paid at once, and what follows within a minute goes out as one transfer", async () => {
    const [first, ...others] = await sales(5);
    if (!first) return;
    await startPayout(at(), await complete(first), first.itemId);
    expect(sent).toEqual([100]);

    const ids = [];
    for (const other of others) {
      const id = await complete(other);
      await startPayout(at(), id, other.itemId);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(1);
    expect(sent).toEqual([100]);

    await advancePayments(at(1.1));
    expect(sent).toEqual([100, 400]);
    expect((await transfers()).map(({ amount, shares }) => [amount, shares])).toEqual([
      [100, [100]],
      [400, [100, 100, 100, 100]],
    ]);
    expect(await booksOff()).toEqual({});
  });

  test("eight items that are completed at the same moment go out as one transfer", async () => {
    const items = await sales(8);
    await Promise.all(items.map((item) => complete(item)));
    await Promise.all(
      items.map(async (item) => advanceTransfer(at(), asPayout((await readPayout(item.itemId))?.id ?? ""))),
    );
    expect(sent).toEqual([800]);
    expect((await transfers()).map(({ shares }) => shares.length)).toEqual([8]);
    expect(await booksOff()).toEqual({});
  });

  test("items that join while workers send the payout are each paid once, and M-Pesa is asked for exactly their sum", async () => {
    const [first, ...others] = await sales(8);
    if (!first) return;
    const id = await complete(first);
    await Promise.all(others.flatMap((item) => [complete(item), advanceTransfer(at(), asPayout(id))]));
    await advancePayments(at(2));
    await advancePayments(at(4));
    const made = await transfers();
    expect(made.flatMap(({ shares }) => shares)).toHaveLength(8);
    for (const { amount, shares, state } of made) {
      expect(amount).toBe(sum(shares));
      expect(state).toBe("sent");
    }
    expect(sent.toSorted()).toEqual(made.map(({ amount }) => amount).toSorted());
    expect(sum(sent)).toBe(800);
    expect(await booksOff()).toEqual({});
  });

  test("nothing joins a payout that would then exceed M-Pesa's limit", async () => {
    const [one, two, three] = [await sale(200_000), await sale(60_000), await sale(50_000)];
    await complete(one);
    await complete(two);
    await complete(three);
    expect((await transfers()).map(({ amount }) => amount).toSorted()).toEqual([250_000, 60_000]);
  });

  test("nothing joins a payout that M-Pesa was asked for before, although it waits again", async () => {
    const [one, two] = [await sale(), await sale()];
    const busy = { kind: "refused", code: "26", message: "busy", reason: "provider_busy" } as const;
    const payOut = async () => ({ ...busy, pausesChannel: false, retryAfterMs: MINUTE });
    const id = await complete(one);
    await advanceTransfer({ ...at(), gateway: { ...at().gateway, payOut } }, asPayout(id));
    expect(await readPayout(one.itemId)).toMatchObject({ state: "due", sendCount: 1 });
    expect(await complete(two)).not.toBe(id);
  });

  test("a worker that was stopped after claiming a payout leaves it as it is: later items go out with the next one", async () => {
    const [one, two] = [await sale(), await sale()];
    const id = await complete(one);
    const payOut = () => Promise.reject(new Error("the worker was stopped"));
    await expect(advanceTransfer({ ...at(), gateway: { ...at().gateway, payOut } }, asPayout(id))).rejects.toThrow(
      "stopped",
    );
    expect(await complete(two)).not.toBe(id);
    expect(await report(id, paid())).toBe("done");
    expect((await transfers()).map(({ amount, state }) => [amount, state])).toEqual([
      [100, "done"],
      [100, "due"],
    ]);
    expect(await booksOff()).toEqual({});
  });

  test("nothing joins a payout that is parked, such as one below M-Pesa's least amount, which no price brings about", async () => {
    const [one, two] = [await sale(9), await sale(500)];
    const id = await complete(one);
    await advanceTransfer(at(), asPayout(id));
    expect(await readPayout(one.itemId)).toMatchObject({ state: "parked", waitReason: "amount_too_small" });
    expect(await complete(two)).not.toBe(id);
    await advanceTransfer(at(2), asPayout((await readPayout(two.itemId))?.id ?? ""));
    expect(sent).toEqual([500]);
    expect(await readPayout(one.itemId)).toMatchObject({ state: "parked", amount: 9 });
    expect(await booksOff()).toEqual({});
  });
});

test.each([1, 2])(
  "a channel is paused and our team told, or neither, if the database goes away at round trip %i",
  async (nth) => {
    const whatStops = [eq(leases.name, "payouts_hold"), eq(discrepancies.kind, "payouts_stopped")] as const;
    await db.delete(leases).where(whatStops[0]);
    await db.delete(discrepancies).where(whatStops[1]);
    let trips = 0;
    const goesAway: typeof env.DB = databaseThrough(env.DB, (call) => {
      trips += 1;
      return trips < nth ? call() : Promise.reject(new Error("D1_ERROR: the network is gone"));
    });
    const services = { ...servicesAt(), db: openDatabase(goesAway) };
    const fault = { code: "2001", message: "wrong password", reason: "our_configuration" } as const;
    await pauseChannel(services, "b2c", fault).catch(() => {});
    const isTold = nth === 1 ? 0 : 1;
    expect([await db.$count(leases, whatStops[0]), await db.$count(discrepancies, whatStops[1])]).toEqual([
      isTold,
      isTold,
    ]);
    await db.delete(leases);
    await db.delete(discrepancies).where(whatStops[1]);
  },
);

describe("what stops a transfer", () => {
  test("an item whose payment isn't confirmed gets a payout of its own, and holds up no other", async () => {
    const [doubtful, one, two] = [await sale(100, { confirmed: false }), await sale(), await sale()];
    const waiting = await complete(doubtful);
    const together = await complete(one);
    expect(await complete(two)).toBe(together);
    expect(together).not.toBe(waiting);
    await advanceTransfer(at(), asPayout(waiting));
    await advanceTransfer(at(2), asPayout(together));
    expect(sent).toEqual([200]);
    expect(await readPayout(doubtful.itemId)).toMatchObject({ state: "due", waitReason: "payment_unconfirmed" });

    // Nothing joins it while it waits, either.
    expect(await complete(await sale())).not.toBe(waiting);
    const [attempt] = await readAttempts(doubtful.orderId);
    await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "confirmed" });
    await advanceTransfer(at(5), asPayout(waiting));
    expect(sent).toEqual([200, 100]);
  });

  test("a refund of another item of the order doesn't stop it; a refund of the whole payment does", async () => {
    const item = await sale();
    const id = await complete(item);
    const [attempt] = await readAttempts(item.orderId);
    const refund = (orderItemId: string | null) =>
      db.insert(refunds).values({
        id: crypto.randomUUID(),
        attemptId: attempt?.id ?? "",
        orderId: item.orderId,
        orderItemId,
        amount: 1,
        reason: "not_shipped",
        conversationId: crypto.randomUUID(),
        callbackToken: crypto.randomUUID(),
        createdAt: 1,
        updatedAt: 1,
      });
    await refund(null);
    await advanceTransfer(at(), asPayout(id));
    expect(sent).toEqual([]);
    await db.delete(refunds).where(eq(refunds.attemptId, attempt?.id ?? ""));
    await refund((await sale()).itemId);
    await advanceTransfer(at(2), asPayout(id));
    expect(sent).toEqual([100]);
    await db.delete(refunds).where(eq(refunds.attemptId, attempt?.id ?? ""));
  });

  test("a payout and a refund at the same moment: the money goes one way", async () => {
    const item = await sale();
    await env.DB.prepare("UPDATE order_items SET status = 'in_review' WHERE id = ?").bind(item.itemId).run();
    const admin = await makeUser();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        applyDealEvent(at(), { itemId: item.itemId, event: n % 2 ? "team_refunded" : "team_released", by: admin }),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const back = await db.select().from(refunds).where(eq(refunds.orderItemId, item.itemId));
    expect(back.length + (await transfers()).length).toBe(1);
    expect(await booksOff()).toEqual({});
  });
});

describe("after a wrong password of our initiator", () => {
  const wrong = {
    kind: "failed",
    code: "2001",
    message: "The initiator information is invalid.",
    reason: "our_configuration",
    pausesChannel: true,
  } as const;

  test("one payout at a time is tried until M-Pesa has sent one; then all go on by themselves, and no seller was told", async () => {
    const ids = [];
    for (const price of [300, 200, 100]) {
      sellerId = await makeUser({ phone: uniquePhone("50") });
      ids.push(await complete(await sale(price)));
    }
    const smallest = ids.at(-1) ?? "";
    await advancePayments(at(1));
    expect(sent.toSorted()).toEqual([100, 200, 300]);
    for (const id of ids) expect(await report(id, wrong, 1)).toBe("parked");

    sent = [];
    await advancePayments(at(60));
    expect(sent).toEqual([]);
    await Promise.all([advancePayments(at(62)), advancePayments(at(62))]);
    await advancePayments(at(63));
    expect(sent).toEqual([300]);
    expect(await report(ids[0] ?? "", wrong, 63)).toBe("parked");
    for (const minutes of [65, 122]) await advancePayments(at(minutes));
    expect(sent).toEqual([300]);

    // Of those that waited together, the smallest is tried first.
    await advancePayments(at(124));
    expect(sent).toEqual([300, 100]);
    expect(await report(smallest, paid(), 124)).toBe("done");
    await advancePayments(at(127));
    expect(sent.toSorted()).toEqual([100, 200, 300, 300]);
    for (const id of ids)
      expect(await db.$count(outbox, sql`instr(${outbox.dedupeKey}, ${`payout_parked:${id}`}) > 0`)).toBe(0);
    expect(await booksOff()).toEqual({});
  });

  test("a payout that tells nothing of the cause lets the next one be tried after two minutes", async () => {
    const ids = [];
    for (const price of [100, 200, 300]) {
      sellerId = await makeUser({ phone: uniquePhone("50") });
      ids.push(await complete(await sale(price)));
    }
    await advanceTransfer(at(1), asPayout(ids[0] ?? ""));
    await report(ids[0] ?? "", wrong, 1);
    sent = [];
    const tried = [];
    for (const minutes of [2, 62, 63, 65, 66, 68]) {
      await advancePayments(at(minutes));
      tried.push(sent.length);
    }
    expect(tried).toEqual([0, 1, 1, 2, 2, 3]);
  });

  /** The first of so many payouts has met the wrong password. */
  async function afterWrong(count: number): Promise<string[]> {
    const ids = [];
    for (let n = 0; n < count; n += 1) {
      sellerId = await makeUser({ phone: uniquePhone("50") });
      ids.push(await complete(await sale(100 * (n + 1))));
    }
    const [first = ""] = ids;
    await advanceTransfer(at(1), asPayout(first));
    await report(first, wrong, 1);
    sent = [];
    return ids;
  }

  test("in a restored database, which has no leases, one payout is tried, too", async () => {
    await afterWrong(3);
    await db.delete(leases);
    await advancePayments(at(62));
    expect(sent).toHaveLength(1);
  });

  /** How many look-ups of these payouts M-Pesa has had by each of these minutes. */
  async function lookUps(ids: string[], atMinutes: number[]): Promise<number[]> {
    const unknown = { state: "unknown", sendCount: 1, sentAt: Date.now(), nextActionAt: 0 } as const;
    await db.update(payouts).set(unknown).where(inArray(payouts.id, ids));
    let asked = 0;
    const lookUpPayout = async () => {
      asked += 1;
      return { kind: "accepted" } as const;
    };
    const counts = [];
    for (const minutes of atMinutes) {
      const services = at(minutes);
      const gateway = { ...services.gateway, lookUpPayout };
      for (const id of ids) await advanceTransfer({ ...services, gateway }, asPayout(id));
      counts.push(asked);
    }
    return counts;
  }

  test("look-ups, which use the same password, wait too, and then one is asked an hour", async () => {
    const [, ...ids] = await afterWrong(3);
    expect(await lookUps(ids, [2, 59, 62, 63, 90, 123])).toEqual([0, 0, 1, 1, 1, 2]);
  });

  test("look-ups don't wait when only our account is empty later", async () => {
    const [, ...ids] = await afterWrong(3);
    await db.update(discrepancies).set({ resolvedAt: Date.now(), resolution: "money moves again" });
    await pauseChannel(at(70), "b2c", { code: "1", message: "Insufficient", reason: "our_float" });
    expect(await lookUps(ids, [71])).toEqual([2]);
  });

  test("what waits can be sent by hand, and an admin who tries one again ends the pause for that one", async () => {
    const [first = "", second = "", third = ""] = await afterWrong(3);
    const admin = await makeAdmin();
    expect(await reserveTransfer(at(2), admin, asPayout(second))).toBe(false);
    await advanceTransfer(at(2), asPayout(second));
    expect(await reserveTransfer(at(2), admin, asPayout(second))).toBe(true);
    expect(await retryTransfer(at(3), admin, asPayout(first))).toMatchObject({ id: first });
    for (const id of [third, first, second]) await advanceTransfer(at(3), asPayout(id));
    expect(sent).toHaveLength(1);
    // A second press doesn't end the pause of the trial.
    expect(await retryTransfer(at(3), admin, asPayout(second), { reserved: true })).toMatchObject({ id: second });
    await advanceTransfer(at(3), asPayout(second));
    expect(sent).toHaveLength(1);
  });
});

describe("a transfer of several items", () => {
  /** Three items, of one of which the buyer gets KES 40 back. */
  async function threeItems() {
    const [one, two, split] = await sales(3);
    if (!one || !two || !split) throw new Error("no sales");
    const id = await complete(one);
    await complete(two);
    await env.DB.prepare("UPDATE order_items SET status = 'in_review' WHERE id = ?").bind(split.itemId).run();
    const decided = { itemId: split.itemId, event: "team_split", by: await makeUser(), refundAmount: 40 } as const;
    expect(await applyDealEvent(at(), decided)).toMatchObject({ ok: true, payoutId: id });
    return { id, items: [one, two, split] };
  }

  test("is booked as paid once, with the share of each item, whoever reports it and however often", async () => {
    const { id, items } = await threeItems();
    await advanceTransfer(at(), asPayout(id));
    expect(sent).toEqual([260]);
    const success = paid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(id, success)));
    expect(answers.filter((answer) => answer === "done")).toHaveLength(1);
    const booked = await db.select().from(ledgerEntries).where(eq(ledgerEntries.kind, "payout"));
    const shares = items.map(({ itemId }) =>
      booked.filter((leg) => leg.orderItemId === itemId && leg.account === "seller_payable").map((leg) => leg.amount),
    );
    expect(shares).toEqual([[100], [100], [60]]);
    expect(await booksOff()).toEqual({});

    const [seen] = await payoutOfItem(db, items[2]?.itemId ?? "");
    expect(seen).toMatchObject({ state: "done", amount: 260, share: 60, items: 3, receipt: success.receipt });
    const mails = await db
      .select()
      .from(outbox)
      .where(eq(outbox.dedupeKey, `payout_sent:${id}`));
    const [mail] = mails.map(({ payload }) => JSON.parse(payload) as Mail);
    expect(mail?.data).toMatchObject({ amount: 260, items: 3 });
  });

  test.each([
    ["suspended", 1],
    ["deleted", 0],
  ])("is told to its seller, whose account was %s meanwhile, by so many emails: %i", async (closed, emails) => {
    const { id } = await threeItems();
    await advanceTransfer(at(), asPayout(id));
    await env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(sellerId).run();
    if (closed === "deleted")
      await env.DB.prepare("UPDATE profiles SET deleted_at = 1 WHERE id = ?").bind(sellerId).run();
    expect(await report(id, paid())).toBe("done");
    expect(await db.$count(outbox, eq(outbox.dedupeKey, `payout_sent:${id}`))).toBe(emails);
  });

  test("is parked and retried as a whole, from the page of any of its items", async () => {
    const { id, items } = await threeItems();
    await env.DB.prepare("UPDATE profiles SET phone = NULL WHERE id = ?").bind(sellerId).run();
    await advanceTransfer(at(), asPayout(id));
    expect(await readPayout(items[1]?.itemId ?? "")).toMatchObject({ state: "parked", waitReason: "no_phone" });
    await env.DB.prepare("UPDATE profiles SET phone = ? WHERE id = ?").bind(uniquePhone("50"), sellerId).run();
    const retried = await Promise.all(
      items.map(({ itemId }) => retryBySeller(servicesAt(), { orderItemId: itemId, sellerId })),
    );
    expect(retried.filter(Boolean)).toHaveLength(1);
    await advanceTransfer(at(), asPayout(id));
    expect(sent).toEqual([260]);
  });

  test("is booked with its shares when an admin pays it by hand", async () => {
    const { id } = await threeItems();
    await env.DB.prepare("UPDATE profiles SET phone = NULL WHERE id = ?").bind(sellerId).run();
    await advanceTransfer(at(), asPayout(id));
    const admin = await makeAdmin();
    await env.DB.prepare("UPDATE profiles SET phone = '254722000051' WHERE id = ?").bind(sellerId).run();
    expect(await reserveTransfer(servicesAt(), admin, asPayout(id))).toBe(true);
    const byHand = newReceipt();
    expect(await recordTransfer(servicesAt(), admin, asPayout(id), byHand)).toEqual({ ok: true });
    expect(await mpesaConfirms(byHand)).toBe("receipt_confirmed");
    const legs = await db.select().from(ledgerEntries).where(eq(ledgerEntries.payoutId, id));
    expect(legs.filter(({ kind }) => kind === "payout")).toHaveLength(6);
    expect(await booksOff()).toEqual({});
  });
});
