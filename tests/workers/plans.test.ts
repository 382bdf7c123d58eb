import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import { ledgerEntries, paymentAttempts, refunds } from "#app/payments/tables.server.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { findPlans } from "#app/payments/collect/plan-payment.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestPlanPayment } from "#app/payments/collect/request-payment.server.ts";
import { ATTEMPT_WINDOW_MS } from "#app/payments/collect/attempt-rules.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { type PlanId, PLANS } from "#app/shops/plan-rules.ts";
import { advancePlans } from "#app/shops/subscriptions.server.ts";
import { booksOff, db, makeProduct, makeUser, runSandbox, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { letTimePass } from "#tests/support/paid-deal.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function ask(userId: string, plan: PlanId, phone: string, offsetMs = 0) {
  return requestPlanPayment(servicesAt(offsetMs), { userId, plan, phone });
}

async function subscribe(userId: string, plan: PlanId, offsetMs = 0): Promise<string> {
  const asked = await ask(userId, plan, uniquePhone("77"), offsetMs);
  if (!asked.ok) throw new Error(asked.error);
  await letTimePass();
  return asked.payableId;
}

async function readSubscription(id: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!row) throw new Error("no such subscription");
  return row;
}

async function standing(userId: string) {
  const [profile] = await db
    .select({ isPro: profiles.isPro, proUntil: profiles.proUntil })
    .from(profiles)
    .where(eq(profiles.id, userId));
  const [shop] = await db
    .select({ featuredUntil: shops.featuredUntil, shopName: shops.shopName })
    .from(shops)
    .where(eq(shops.id, userId));
  return { ...profile, ...shop };
}

async function mailsAbout(id: string): Promise<string[]> {
  const rows = await db.select({ key: outbox.dedupeKey }).from(outbox);
  return rows
    .map(({ key }) => key)
    .filter((key) => key.includes(id))
    .toSorted();
}

test("nobody pays for a plan without something for sale", async () => {
  const userId = await makeUser();
  const pay = () => visit("/subscription?plan=weekly_featured", { as: userId, form: { phone: uniquePhone("00") } });
  const refused = await pay();
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("Post a listing first");
  await makeProduct(userId, { status: "sold" });
  expect((await pay()).status).toBe(409);
  expect(await db.select().from(subscriptions).where(eq(subscriptions.userId, userId))).toEqual([]);
  await makeProduct(userId);
  expect((await pay()).status).toBe(302);
});

test("a paid plan features the shop until its end, books the money as ours, and tells by mail", async () => {
  const userId = await makeUser({ name: "Achieng Odhiambo" });
  const before = Date.now();
  const id = await subscribe(userId, "weekly_featured");

  const paid = await readSubscription(id);
  expect(paid).toMatchObject({ status: "active", amount: 400 });
  expect(paid.endsAt! - paid.startsAt!).toBe(7 * DAY);
  expect(paid.startsAt).toBeGreaterThanOrEqual(before);
  // A seller without a shop has one now. Being featured makes nobody Pro.
  expect(await standing(userId)).toEqual({
    isPro: false,
    proUntil: null,
    featuredUntil: paid.endsAt,
    shopName: "Achieng's Shop",
  });
  const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.subscriptionId, id));
  const legs = await db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.attemptId, attempt?.id ?? ""));
  expect(legs.map(({ account, amount }) => [account, amount])).toEqual([
    ["mpesa_collection", 400],
    ["plans", -400],
  ]);
  expect(await mailsAbout(id)).toEqual([`plan_active:${id}`]);
  expect(await booksOff()).toEqual({});

  const page = await findPlans(servicesAt(), userId, "weekly_featured", id);
  expect((await findPlans(servicesAt(8 * DAY), userId, null, null)).own).toMatchObject({
    featuredUntil: null,
    proUntil: null,
  });
  expect(page).toMatchObject({
    own: { featuredUntil: paid.endsAt },
    payment: { paymentStatus: "completed", endsAt: paid.endsAt, amount: 400 },
  });
  // Somebody else's payment is nobody's to see.
  expect(await findPlans(servicesAt(), await makeUser(), "weekly_featured", id)).toMatchObject({ payment: null });
});

test("the premium plan makes its owner Pro, renewing adds to what is left, and the last end takes the mark away", async () => {
  // Other tests' plans would end here too.
  await db.update(subscriptions).set({ status: "ended" });
  const userId = await makeUser();
  await db.insert(shops).values({ id: userId, shopName: "Kamau Spares", createdAt: 1, updatedAt: 1 });
  const first = await readSubscription(await subscribe(userId, "monthly_premium"));
  const second = await readSubscription(await subscribe(userId, "monthly_premium", 10 * DAY));
  expect(second.startsAt).toBe(first.endsAt);
  expect(await standing(userId)).toEqual({
    isPro: true,
    proUntil: second.endsAt,
    featuredUntil: second.endsAt,
    shopName: "Kamau Spares",
  });

  // The end of the first plan changes nothing, and nobody is reminded of a plan that continues.
  expect(await advancePlans(servicesAt(29 * DAY))).toEqual({ ended: 0, reminded: 0 });
  expect(await advancePlans(servicesAt(31 * DAY))).toEqual({ ended: 1, reminded: 0 });
  expect(await standing(userId)).toMatchObject({ isPro: true });
  expect(await mailsAbout(first.id)).toEqual([`plan_active:${first.id}`]);

  expect(await advancePlans(servicesAt(59 * DAY))).toEqual({ ended: 0, reminded: 1 });
  expect(await advancePlans(servicesAt(59 * DAY + MINUTE))).toEqual({ ended: 0, reminded: 0 });
  // Two runs at once end it once.
  const runs = await Promise.all([advancePlans(servicesAt(61 * DAY)), advancePlans(servicesAt(61 * DAY))]);
  expect(runs.every(({ ended }) => ended <= 1)).toBe(true);
  expect(await advancePlans(servicesAt(61 * DAY))).toEqual({ ended: 0, reminded: 0 });
  expect(await standing(userId)).toMatchObject({ isPro: false, proUntil: second.endsAt });
  expect(await mailsAbout(second.id)).toEqual([
    `plan_active:${second.id}`,
    `plan_ended:${second.id}`,
    `plan_ending:${second.id}`,
  ]);
  expect((await readSubscription(second.id)).status).toBe("ended");
});

test("a week of being featured behind it doesn't keep the end of the premium plan a secret", async () => {
  await db.update(subscriptions).set({ status: "ended" });
  const userId = await makeUser();
  const pro = await readSubscription(await subscribe(userId, "monthly_premium"));
  const week = await readSubscription(await subscribe(userId, "weekly_featured", 10 * DAY));
  expect(week.startsAt).toBe(pro.endsAt);
  await advancePlans(servicesAt(29 * DAY));
  await advancePlans(servicesAt(31 * DAY));
  expect(await standing(userId)).toMatchObject({ isPro: false });
  expect(await mailsAbout(pro.id)).toEqual([`plan_active:${pro.id}`, `plan_ended:${pro.id}`, `plan_ending:${pro.id}`]);
});

test("a suspended owner is told neither that a plan ends nor that it has ended", async () => {
  const userId = await makeUser();
  const plan = await readSubscription(await subscribe(userId, "weekly_featured"));
  await db.update(credentials).set({ suspendedAt: 1 }).where(eq(credentials.id, userId));
  expect(await advancePlans(servicesAt(6 * DAY))).toEqual({ ended: 0, reminded: 0 });
  expect(await advancePlans(servicesAt(8 * DAY))).toEqual({ ended: 1, reminded: 0 });
  expect(await mailsAbout(plan.id)).toEqual([`plan_active:${plan.id}`]);
});

test("a double click asks the phone once, and two callbacks grant the plan once", async () => {
  const userId = await makeUser();
  const phone = uniquePhone("06");
  const clicks = await Promise.all([ask(userId, "biweekly_featured", phone), ask(userId, "biweekly_featured", phone)]);
  expect(clicks.filter(({ ok }) => ok)).toHaveLength(1);
  expect(clicks.find(({ ok }) => !ok)).toMatchObject({ code: "in_progress" });
  await letTimePass();

  const bought = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  expect(bought).toMatchObject([{ status: "active" }]);
  expect(await db.select().from(paymentAttempts).where(eq(paymentAttempts.userId, userId))).toMatchObject([
    { state: "succeeded" },
  ]);
  expect(await booksOff()).toEqual({});
});

test("a failed payment leaves the plan as it was, says why, and can be tried again", async () => {
  const userId = await makeUser();
  const asked = await ask(userId, "weekly_featured", uniquePhone("02"));
  if (!asked.ok) throw new Error(asked.error);
  await letTimePass();
  expect((await findPlans(servicesAt(), userId, "weekly_featured", null)).payment).toMatchObject({
    paymentStatus: "failed",
    paymentFailure: "insufficient_funds",
  });
  expect(await standing(userId)).toEqual({ isPro: false, proUntil: null });

  expect(await subscribe(userId, "weekly_featured")).toBe(asked.payableId);
  expect((await readSubscription(asked.payableId)).status).toBe("active");
});

test("a seller whose payment for a plan is held is told not to pay again, and then that they can", async () => {
  const userId = await makeUser();
  const asked = await ask(userId, "weekly_featured", uniquePhone("00"));
  if (!asked.ok) throw new Error(asked.error);
  const { attemptId } = asked;
  await applyAttemptEvent(servicesAt(), attemptId, { event: "mismatched", detail: "the callback says KES 401" });
  const told = async () => (await mailsAbout(attemptId)).map((key) => key.split(":")[0]);
  expect(await told()).toEqual(["payment_held"]);
  await applyAttemptEvent(servicesAt(), attemptId, { event: "dismissed" });
  expect(await told()).toEqual(["payment_dismissed", "payment_held"]);
  const listed = await db
    .select({ data: notifications.data, thing: notifications.thing })
    .from(notifications)
    .where(eq(notifications.userId, userId));
  const plan = { plan: "Weekly Featured Listing", planId: "weekly_featured", amount: 400 };
  expect(listed).toEqual([
    { data: plan, thing: "plan:weekly_featured" },
    { data: plan, thing: "plan:weekly_featured" },
  ]);
  // Each time anew.
  await applyAttemptEvent(servicesAt(1_000), attemptId, { event: "mismatched", detail: "the callback says KES 402" });
  await applyAttemptEvent(servicesAt(2_000), attemptId, { event: "dismissed" });
  expect(await told()).toEqual(["payment_dismissed", "payment_dismissed", "payment_held", "payment_held"]);
});

test("a success that comes after the plan was paid by another is owed back", async () => {
  const userId = await makeUser();
  // Paid after the window ended, when the seller had paid again with another number.
  const late = await ask(userId, "weekly_featured", uniquePhone("00"));
  if (!late.ok) throw new Error(late.error);
  await runSandbox();
  await advancePayments(servicesAt(ATTEMPT_WINDOW_MS + MINUTE));
  expect((await findPlans(servicesAt(), userId, "weekly_featured", null)).payment).toMatchObject({
    paymentStatus: "failed",
  });
  const id = await subscribe(userId, "weekly_featured", ATTEMPT_WINDOW_MS + MINUTE);
  expect(id).toBe(late.payableId);
  const { endsAt } = await readSubscription(id);

  const success = {
    event: "paid",
    receipt: "UKL7LATE77",
    paidAt: null,
    checkoutRequestId: late.checkoutRequestId ?? "",
  } as const;
  expect(await applyAttemptEvent(servicesAt(), late.attemptId, success)).toBe("applied");
  expect(await applyAttemptEvent(servicesAt(), late.attemptId, success)).toBe("unchanged");
  const attempts = await db.select().from(paymentAttempts).where(eq(paymentAttempts.subscriptionId, id));
  expect(attempts.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
  const owed = await db
    .select()
    .from(refunds)
    .where(
      inArray(
        refunds.attemptId,
        attempts.map((attempt) => attempt.id),
      ),
    );
  expect(owed).toMatchObject([
    { attemptId: late.attemptId, amount: PLANS.weekly_featured.price, state: "due", orderId: null },
  ]);
  expect(await standing(userId)).toMatchObject({ featuredUntil: endsAt });
  expect(await mailsAbout(late.attemptId)).toEqual([`refund_due:${late.attemptId}`]);
  expect(await booksOff()).toEqual({});
});
