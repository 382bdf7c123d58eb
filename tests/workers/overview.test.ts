/** The front page of the admin pages: what waits, and what happened. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { FIGURE_DAYS } from "#app/admin/operations/overview-rules.ts";
import { readOverview } from "#app/admin/operations/overview.server.ts";
import { readCampusMonth } from "#app/admin/operations/campus-month.server.ts";
import { stolenSerials } from "#app/catalogue/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { monthName } from "#app/platform/east-africa-time.ts";
import { dealEvents, orderItems } from "#app/orders/tables.server.ts";
import { profiles, verificationDocuments } from "#app/accounts/tables.server.ts";
import { refunds } from "#app/payments/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { addHistory } from "#tests/support/history.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";

const DAY_MS = 24 * 60 * 60_000;

test("it counts the deals of the days that were asked for, and names the oldest that waits", async () => {
  const { itemId } = await payDeal();
  await payDeal();
  const services = servicesAt();
  await db
    .update(orderItems)
    .set({ status: "completed", updatedAt: services.now() + 3 * 60 * 60_000 })
    .where(eq(orderItems.id, itemId));
  const userId = await makeUser();
  const since = services.now() - 3 * DAY_MS;
  await db.insert(verificationDocuments).values({
    id: "doc",
    userId,
    documentType: "student_id",
    documentUrl: "documents/doc",
    fileName: "id.pdf",
    contentType: "application/pdf",
    sizeBytes: 1,
    verificationStatus: "pending",
    createdAt: since,
  });
  const { desks, figures } = await readOverview(services, 7);
  expect(desks).toMatchObject([{ to: "/admin/verifications", text: "Check 1 document", since, isLate: true }]);
  expect(figures).toMatchObject({
    orders: 2,
    paidOrders: 2,
    items: { paid: 2, completed: 1, returned: 0, withProblem: 0 },
    payments: [{ isPaid: true, count: 2 }],
  });
  expect(figures.volume).toBeGreaterThan(0);
  expect(figures.typicalMs).toBeGreaterThan(0);

  const later = await readOverview(servicesAt(8 * DAY_MS), 7);
  expect(later.figures).toMatchObject({ orders: 0, volume: 0, payments: [], typicalMs: null });
  expect(later.before).toMatchObject({ orders: 2, volume: figures.volume });
  const sold = (days: (typeof later)["volumes"], period: "value" | "before") =>
    days.reduce((sum, day) => sum + (day[period] ?? 0), 0);
  expect(sold(later.volumes, "value")).toBe(0);
  expect(sold(later.volumes, "before")).toBe(figures.volume);
});

test("money that is parked or held up is counted with its age at once, on Today and on every money page", async () => {
  const admin = await makeAdmin();
  const cancelled = await payDeal();
  await applyDealEvent(
    { ...servicesAt(), deals: { inspectionHours: 0, codeKey: "test-key" } },
    { itemId: cancelled.itemId, event: "cancelled_by_buyer", by: cancelled.buyerId },
  );
  const owed = async (change: Partial<typeof refunds.$inferInsert>) => {
    await db
      .update(refunds)
      .set({ nextActionAt: null, createdAt: Date.now() - 5 * 60 * 60_000, ...change })
      .where(eq(refunds.orderId, cancelled.orderId));
    const { desks, counts } = await readOverview(servicesAt(), 7);
    const page = await (await visit("/admin/money", { as: admin.id })).text();
    const desk = desks.find(({ to }) => to === "/admin/money?show=refunds");
    return { desk: desk?.text, count: counts.refunds, isLate: desk?.isLate, page };
  };
  for (const change of [
    { state: "parked", waitReason: "receipt_invalid" },
    { state: "parked", waitReason: "sending_by_hand" },
    { state: "due", waitReason: "channel_paused" },
    { state: "unknown", waitReason: "result_overdue" },
  ] as const) {
    const { page, ...counted } = await owed(change);
    expect(counted).toEqual({ desk: "1 refund to a buyer waits", count: 1, isLate: true });
    expect(page).toContain("1 refund to a buyer waits, the oldest for 5 hours");
    expect(page).not.toContain("Nothing to do here");
    expect(page).toMatch(/aria-current="[a-z]+"[^>]*>Refunds/);
    const other = await (await visit("/admin/money?show=discrepancies", { as: admin.id })).text();
    expect(other).toContain("1 refund to a buyer waits, the oldest for 5 hours");
    expect(other).toContain("Nothing open in this list");
  }
  const fresh = await owed({ state: "parked", waitReason: "receipt_invalid", createdAt: Date.now() - 60_000 });
  expect(fresh).toMatchObject({ count: 1, isLate: false });
  // What our rules let wait, and what M-Pesa has sent, is nobody's work.
  for (const change of [
    { state: "due", waitReason: "reported" },
    { state: "sent", waitReason: null },
    { state: "done", waitReason: "result_overdue", receipt: "TKQ1AAAAAA", doneAt: 1 },
  ] as const)
    expect(await owed(change)).toMatchObject({ desk: undefined, count: 0 });
});

test("each campus has its part, and the parts are the whole", async () => {
  const [first, second] = [await payDeal(), await payDeal()];
  const campus = (userId: string, id: number | null) =>
    db.update(profiles).set({ campusLocationId: id }).where(eq(profiles.id, userId));
  const before = await readOverview(servicesAt(), 7);
  const others = before.campuses.map(({ name }) => name);
  expect(others).toEqual(["No campus"]);
  await campus(first.buyerId, 1);
  await campus(second.sellerId, 2);
  const { figures, campuses } = await readOverview(servicesAt(), 7);
  expect(figures).toEqual(before.figures);
  expect(campuses.at(-1)?.name).toBe("No campus");
  const [orders, listings] = campuses.map((each) => each.figures);
  expect(orders).toMatchObject({ orders: 1, paidOrders: 1, listings: 0, payments: [{ isPaid: true, count: 1 }] });
  expect(listings).toMatchObject({ orders: 0, paidOrders: 0, listings: 1, payments: [] });
  const whole = campuses.map((each) => each.figures);
  for (const name of ["signUps", "listings", "orders", "paidOrders", "volume"] as const)
    expect(whole.reduce((sum, part) => sum + part[name], 0)).toBe(figures[name]);
});

test("what is older than the days that are shown costs no rows", { timeout: 60_000 }, async () => {
  await payDeal();
  const [buyerId, sellerId, otherSellerId] = [await makeUser(), await makeUser(), await makeUser()];
  const people = { buyerId, sellerId, otherSellerId, productId: await makeProduct(sellerId) };
  // Today also compares: twice the longest choice is 180 days.
  const past = Date.now() - 200 * DAY_MS;
  const addPast = async (first: number, until: number) => {
    await addHistory(people, first, until, past);
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${until})
        INSERT INTO credentials (id, email, created_at, updated_at)
        SELECT 'past-' || n, n || '@past.example', ${past}, ${past} FROM numbers`,
    ).run();
  };
  const read = async (days: (typeof FIGURE_DAYS)[number]) => {
    const { meter, ...services } = meteredServices();
    await readOverview(services, days);
    return { trips: meter.trips, rows: meter.rowsRead };
  };
  await addPast(0, 20);
  const small = await Promise.all(FIGURE_DAYS.map(read));
  await addPast(20, 2_000);
  const large = await Promise.all(FIGURE_DAYS.map(read));
  console.log("rows read by /admin with 20 and with 2,000 old ones of each kind:", small, large);
  for (const [place, { trips, rows }] of large.entries()) {
    expect(trips).toBe(1);
    expect(rows).toBeLessThanOrEqual((small[place]?.rows ?? 0) + 20);
  }
});

test("an admin reads it as a page and as a file", async () => {
  const admin = await makeAdmin();
  const page = await (await visit("/admin", { as: admin.id })).text();
  expect(page).toContain("What waits for our team");
  expect(page).toContain("By campus");
  const file = await visit("/admin/figures.csv?days=30", { as: admin.id });
  expect(file.headers.get("Content-Disposition")).toContain("chuoni-30-days.csv");
  const [heads, accounts] = (await file.text()).split("\r\n");
  expect(heads).toMatch(/^"Figure","Last 30 days",.*"No campus"$/);
  expect(accounts).toMatch(/^"New accounts",/);
});

test("a campus's month counts its buyers' deals, problems, reports and stolen serials, and hides few", async () => {
  const admin = await makeAdmin();
  const now = Date.now();
  const deals = await Promise.all(Array.from({ length: 6 }, () => payDeal({ price: 1_000 })));
  const [first, second, third] = deals;
  const elsewhere = await payDeal();
  await db.update(profiles).set({ campusLocationId: 2 });
  await db.update(profiles).set({ campusLocationId: 1 }).where(eq(profiles.id, elsewhere.buyerId));
  await db.update(orderItems).set({ status: "completed" });
  await db.delete(refunds);
  // Completed by the code; the last one because its time was over.
  for (const { itemId } of deals.slice(0, 5))
    await db.insert(dealEvents).values({
      id: itemId,
      orderItemId: itemId,
      event: "code_entered",
      actor: "seller",
      createdAt: now + 3 * 60 * 60_000,
    });
  for (const deal of [first, second, third])
    if (deal)
      await db.insert(problems).values({ orderItemId: deal.itemId, kind: "damaged", description: "", openedAt: now });
  for (const deal of deals)
    await db.insert(stolenSerials).values({
      id: deal.itemId,
      reporterId: deal.buyerId,
      hash: deal.itemId,
      ending: "1234",
      text: "",
      photos: [],
      createdAt: now,
    });
  const month = monthName(now);
  const page = await readCampusMonth(servicesAt(), 2, month);
  expect(page?.figures).toMatchObject({
    deals: { protected: 5, protectedAmount: 5_000, refunded: 0 },
    problems: { damaged: 3 },
    stolenSerials: 6,
    times: { problemAnswered: [10_800_000, 10_800_000, 10_800_000], problemSettled: [] },
  });
  const shown = await visit(`/admin/campus-month?campus=2&month=${month}`, { as: admin.id });
  expect(await shown.text()).toContain("fewer than 5");
  const file = await visit(`/admin/campus-month.csv?campus=2&month=${month}`, { as: admin.id });
  expect(file.headers.get("content-disposition")).toContain(`campus-2-${month}.csv`);
  const text = await file.text();
  expect(text).toContain('"Damaged or not working","fewer than 5"');
  expect(text).toContain('"Money protected","KES 5,000"');
  expect((await readCampusMonth(servicesAt(), 2, "2025-01"))?.figures.deals.paid).toBe(0);
});
