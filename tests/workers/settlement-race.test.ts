/**
 * A worker that was delayed between reading and writing finds that something has changed, and reads again. Nothing is
 * settled twice.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { PreconditionFailed, write } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { ledgerEntries, paymentAttempts, refunds } from "#app/payments/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { requestOrderPayment, requestPlanPayment } from "#app/payments/collect/request-payment.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent, type AttemptReport } from "#app/payments/collect/settlement.server.ts";
import { activateSubscription } from "#app/shops/subscriptions.server.ts";
import {
  booksOff,
  db,
  makeDeal,
  makeUser,
  readAttempts,
  quietServices,
  readOrder,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { paidReport } from "#tests/support/paid-deal.ts";

/** Services of a worker that reads at once, and writes when `go` is called. */
function delayedServices(): { services: PaymentServices; hasRead: Promise<void>; go: () => void } {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let arrive = () => {};
  const hasRead = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const late = new Proxy(env.DB, {
    get(target, name) {
      if (name === "batch") {
        return async (statements: D1PreparedStatement[]) => {
          arrive();
          await gate;
          return target.batch(statements);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { services: { ...servicesAt(), db: openDatabase(late) }, hasRead, go };
}

/** One worker reads. Then another applies `first`. Then the delayed worker continues with `second`. */
async function race(first: [string, AttemptReport], second: [string, AttemptReport]): Promise<void> {
  const slow = delayedServices();
  const applied = applyAttemptEvent(slow.services, ...second);
  await slow.hasRead;
  await applyAttemptEvent(servicesAt(), ...first);
  slow.go();
  await applied;
}

const DECLINED: AttemptReport = { event: "declined", code: "1032", message: "cancelled", reason: "cancelled" };

async function ask(orderId: string, userId: string): Promise<string> {
  const asked = await requestOrderPayment(quietServices(), { orderId, userId, phone: uniquePhone("00") });
  if (!asked.ok || asked.kind !== "requested") throw new Error("not asked");
  return asked.attemptId;
}

let deal: Awaited<ReturnType<typeof makeDeal>>;
beforeEach(async () => {
  deal = await makeDeal();
});

const chargesOf = async (attemptIds: string[]) =>
  (await db.select().from(ledgerEntries)).filter(
    ({ attemptId, kind, amount }) => attemptId && attemptIds.includes(attemptId) && kind === "charge" && amount > 0,
  ).length;

test("a failure that was read before the success is written after it, and changes nothing", async () => {
  const attemptId = await ask(deal.orderId, deal.buyerId);
  await race([attemptId, paidReport()], [attemptId, DECLINED]);
  expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["succeeded"]);
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", paymentFailure: null });
  expect(await booksOff()).toEqual({});
});

test("a success that was read before the failure is written after it, and stands", async () => {
  const attemptId = await ask(deal.orderId, deal.buyerId);
  await race([attemptId, DECLINED], [attemptId, paidReport()]);
  expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["succeeded"]);
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed" });
  expect(await booksOff()).toEqual({});
});

test("an attempt that is abandoned and paid at once is paid, whichever is written first", async () => {
  const first = await ask(deal.orderId, deal.buyerId);
  await race([first, paidReport()], [first, { event: "abandoned" }]);
  expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["succeeded"]);
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", paymentFailure: null });
  deal = await makeDeal();
  const second = await ask(deal.orderId, deal.buyerId);
  await race([second, { event: "abandoned" }], [second, paidReport()]);
  expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["succeeded"]);
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", paymentFailure: null });
  expect(await booksOff()).toEqual({});
});

test("one success that two workers read before either wrote is booked once", async () => {
  const attemptId = await ask(deal.orderId, deal.buyerId);
  const success = paidReport();
  await race([attemptId, success], [attemptId, success]);
  expect(await chargesOf([attemptId])).toBe(1);
  expect(await booksOff()).toEqual({});
});

test("of two payments of one order, both read while it was unpaid, one pays it and the other is owed back", async () => {
  const first = await ask(deal.orderId, deal.buyerId);
  await applyAttemptEvent(servicesAt(), first, { event: "timed_out" });
  const second = await ask(deal.orderId, deal.buyerId);
  await race([first, paidReport()], [second, paidReport()]);
  expect(await chargesOf([first, second])).toBe(1);
  expect(
    await db.select({ attemptId: refunds.attemptId }).from(refunds).where(eq(refunds.orderId, deal.orderId)),
  ).toEqual([{ attemptId: second }]);
  expect(await booksOff()).toEqual({});
});

const DAY = 24 * 60 * 60_000;

async function askForPlan(userId: string, plan: "weekly_featured" | "biweekly_featured") {
  const asked = await requestPlanPayment(quietServices(), { userId, plan, phone: uniquePhone("00") });
  if (!asked.ok || asked.kind !== "requested") throw new Error("not asked");
  return { attemptId: asked.attemptId, planId: asked.payableId };
}

async function readPlan(id: string) {
  const [plan] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!plan) throw new Error("no such plan");
  return plan;
}

const featuredUntil = (userId: string) =>
  env.DB.prepare("SELECT featured_until AS until FROM shops WHERE id = ?").bind(userId).first<number>("until");

test("of two payments of one plan, both read while it was unpaid, one gives its period and the other is owed back", async () => {
  const userId = await makeUser();
  const first = await askForPlan(userId, "weekly_featured");
  await applyAttemptEvent(servicesAt(), first.attemptId, { event: "timed_out" });
  const second = await askForPlan(userId, "weekly_featured");
  expect(second.planId).toBe(first.planId);
  await race([first.attemptId, paidReport()], [second.attemptId, paidReport()]);

  const plan = await readPlan(first.planId);
  expect(plan).toMatchObject({ status: "active", endsAt: (plan.startsAt ?? 0) + 7 * DAY });
  expect(await featuredUntil(userId)).toBe(plan.endsAt);
  expect(await chargesOf([first.attemptId, second.attemptId])).toBe(1);
  expect(
    await db
      .select({ attemptId: refunds.attemptId })
      .from(refunds)
      .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
      .where(eq(paymentAttempts.userId, userId)),
  ).toEqual([{ attemptId: second.attemptId }]);
  // A plan that has its period gets no second one, even from a worker with current data.
  const again = activateSubscription(
    { ...plan, ownerName: "Wanjiku", proUntil: null, featuredUntil: plan.endsAt },
    Date.now(),
  );
  await expect(write(db, again.statements)).rejects.toThrow(PreconditionFailed);
  expect(await featuredUntil(userId)).toBe(plan.endsAt);
  expect(await booksOff()).toEqual({});
});

test("two plans of one seller, both read before either was paid, are given one after the other", async () => {
  const userId = await makeUser();
  const [week, fortnight] = [
    await askForPlan(userId, "weekly_featured"),
    await askForPlan(userId, "biweekly_featured"),
  ];
  await race([week.attemptId, paidReport()], [fortnight.attemptId, paidReport()]);
  const [first, second] = [await readPlan(week.planId), await readPlan(fortnight.planId)];
  expect(second).toMatchObject({ status: "active", startsAt: first.endsAt, endsAt: (first.endsAt ?? 0) + 14 * DAY });
  expect(await featuredUntil(userId)).toBe(second.endsAt);
  expect(await booksOff()).toEqual({});
});

test("an earlier prompt that fails late doesn't change what the buyer reads about the later one", async () => {
  const askAgain = (offsetMs: number) =>
    requestOrderPayment(quietServices(offsetMs), {
      orderId: deal.orderId,
      userId: deal.buyerId,
      phone: uniquePhone("00"),
    });
  await askAgain(0);
  const [earlier] = await readAttempts(deal.orderId);
  const earlierId = earlier?.id ?? "";
  await applyAttemptEvent(servicesAt(), earlierId, { event: "timed_out" });
  await askAgain(60_000);
  const later = (await readAttempts(deal.orderId)).find(({ id }) => id !== earlierId);
  const wrongPin = { event: "declined", code: "2001", message: "Wrong PIN", reason: "wrong_pin" } as const;
  expect(await applyAttemptEvent(servicesAt(60_000), later?.id ?? "", wrongPin)).toBe("applied");
  const cancelled = { event: "declined", code: "1032", message: "Cancelled", reason: "cancelled" } as const;
  expect(await applyAttemptEvent(servicesAt(60_000), earlierId, cancelled)).toBe("applied");
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "failed", paymentFailure: "wrong_pin" });
});
