/** The front page of the admin pages: what waits, and what happened. */
import { expect, test } from "vitest";
import { readOverview } from "#app/admin/overview.server.ts";
import { orderItems, verificationDocuments } from "#app/db/schema.ts";
import { eq } from "drizzle-orm";
import { db, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

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

  const later = await readOverview(servicesAt(services.now() + 8 * DAY_MS), 7);
  expect(later.figures).toMatchObject({ orders: 0, volume: 0, payments: [], typicalMs: null });
});

test("an admin reads it as a page and as a file", async () => {
  const admin = await makeAdmin();
  const page = await (await visit("/admin", { as: admin.id })).text();
  expect(page).toContain("What waits for our team");
  const file = await visit("/admin/figures.csv?days=30", { as: admin.id });
  expect(file.headers.get("Content-Disposition")).toContain("chuoni-30-days.csv");
  expect(await file.text()).toContain('"New accounts"');
});
