/** The campuses are the owner's: the product knows no university. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { publicCampusPath } from "#app/public-links.ts";
import { countProtectedDeals } from "#app/deals/count-protected.server.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const TWENTY = Array.from({ length: 20 }, (_, at) => `${"ABCDEFGHIJKLMNOPQRST".charAt(at)}thi River Campus`);

async function setCampuses(names: readonly string[]): Promise<void> {
  days += 0.1;
  await env.DB.batch([
    env.DB.prepare("UPDATE products SET deleted_at = 1"),
    env.DB.prepare("UPDATE profiles SET campus_location_id = NULL"),
    env.DB.prepare("DELETE FROM meeting_points"),
    env.DB.prepare("DELETE FROM campus_locations"),
    ...names.map((name) => env.DB.prepare("INSERT INTO campus_locations (name) VALUES (?)").bind(name)),
  ]);
}

async function studentAt(campus: string): Promise<string> {
  const id = await makeUser({ name: "Wanjiku Kamau" });
  await env.DB.prepare(
    `UPDATE profiles SET campus_location = ?1, campus_location_id = (SELECT id FROM campus_locations WHERE name = ?1)
      WHERE id = ?2`,
  )
    .bind(campus, id)
    .run();
  return id;
}

let days = 0;

/** As of another time for each test, because public pages are kept for a while. */
async function read(path: string, as?: string): Promise<string> {
  const answer = await visit(path, { as, headers: { "X-Days-Ahead": String(days) } });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

describe.each([
  ["one campus", ["Njoro Campus"]],
  ["twenty campuses", TWENTY],
])("with %s", (_name, campuses) => {
  const [first = "", second] = campuses;
  const last = campuses.at(-1) ?? "";
  let student: string;

  beforeEach(async () => {
    await setCampuses(campuses);
    student = await studentAt(first);
    await makeProduct(await studentAt(last), { name: "Desk lamp", location: last });
  });

  test("the filters of the feed, of a search and of a category offer exactly these", async () => {
    for (const path of [
      "/studentmarketplace?filters=1",
      "/search?q=lamp&filters=1",
      "/category/stationery?filters=1",
    ]) {
      const page = await read(path, student);
      for (const name of campuses) expect(page).toContain(`value="${name}"`);
      expect(page).not.toMatch(/(?:Main|City|Parklands|Westlands) Campus/);
    }
  });

  test("a list and a search are limited to a campus, by a filter and by words", async () => {
    const at = encodeURIComponent(last);
    expect(await read(`/studentmarketplace?campus=${at}`, student)).toContain("Desk lamp");
    expect(await read(`/search?q=${encodeURIComponent(`lamp ${last}`)}`, student)).toContain("Desk lamp");
    if (second === undefined) return;
    expect(await read(`/studentmarketplace?campus=${encodeURIComponent(first)}`, student)).not.toContain("Desk lamp");
    // The words name a campus, so they are a filter.
    const elsewhere = await read(`/search?q=${encodeURIComponent(`lamp ${second}`)}`, student);
    expect(elsewhere).toContain(`<span class="visually-hidden">Remove </span>${second}`);
  });

  test("visitors choose them at sign-up, and find their pages", async () => {
    const signUp = await read("/auth/signup");
    for (const name of campuses) {
      expect(signUp).toContain(name);
      expect(await read(publicCampusPath(name))).toContain(`For sale at ${name}`);
    }
    expect(await read(publicCampusPath(last))).toContain("Desk lamp");
    expect(await read("/campus")).toContain(`href="${publicCampusPath(last)}"`);
    expect(await read("/campus/search?q=lamp")).toContain(`href="${publicCampusPath(first)}"`);
    expect(await read("/sitemaps/pages-1.xml")).toContain(publicCampusPath(last));
  });
});

test("without any campus, everything opens, and names none", async () => {
  await setCampuses([]);
  const student = await makeUser({ name: "Wanjiku Kamau" });
  await makeProduct(student, { name: "Desk lamp", location: "Unknown" });
  for (const path of ["/home", "/studentmarketplace", "/search?q=lamp", "/admin/campuses"])
    expect([200, 302]).toContain((await visit(path, { as: student })).status);
  for (const path of ["/campus", "/campus/search?q=lamp", "/auth/signup"])
    expect(await read(path)).not.toContain("Main Campus");
  expect((await visit("/campus/main-campus")).status).toBe(404);
});

test("a campus's public page says how many deals were protected, from fifty on", async () => {
  await setCampuses(["Njoro Campus"]);
  const buyer = await studentAt("Njoro Campus");
  const stranger = await makeUser();
  const productId = await makeProduct(await makeUser());
  const deal = async (n: number, { code = true, price = 100, at = Date.now(), userId = buyer } = {}) => {
    const id = `protected-${n}`;
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO orders (id, user_id, amount, payment_status, order_status, idempotency_key, created_at, updated_at)
          VALUES (?1, ?2, ?3, 'completed', 'delivered', ?1, ?4, ?4)`,
      ).bind(id, userId, price, at),
      env.DB.prepare(
        `INSERT INTO order_items (id, order_id, product_id, seller_id, product_name, quantity, price_per_unit, subtotal,
          status, created_at, updated_at)
          SELECT ?1, ?1, id, seller_id, name, 1, ?2, ?2, 'completed', ?3, ?3 FROM products WHERE id = ?4`,
      ).bind(id, price, at, productId),
      ...(code
        ? [
            env.DB.prepare(
              `INSERT INTO deal_events (id, order_item_id, event, actor, created_at)
                VALUES (?1, ?1, 'code_entered', 'seller', ?2)`,
            ).bind(id, at),
          ]
        : []),
    ]);
  };
  for (let n = 0; n < 49; n += 1) await deal(n);
  await deal(100, { code: false });
  await deal(101, { price: 0 });
  await deal(102, { at: Date.now() - 400 * 24 * 60 * 60_000 });
  await deal(103, { userId: stranger });
  const path = publicCampusPath("Njoro Campus");
  const count = (ahead: number) => countProtectedDeals({ ...servicesAt(ahead * 24 * 60 * 60_000) });
  expect(await count(1)).toBe(1);
  expect(await read(path)).not.toContain("protected deals");
  await deal(49);
  expect(await count(1)).toBe(0);
  expect(await Promise.all([count(3), count(3)])).toEqual(expect.arrayContaining([0, 1]));
  days += 0.1;
  expect(await read(path)).toContain("50 protected deals on Njoro Campus in the last 12 months");
  const opensOn = dayName(Date.now() - 24 * 60 * 60_000);
  await env.DB.prepare("UPDATE campus_locations SET closes_on = '2020-01-01', opens_on = ?").bind(opensOn).run();
  await count(5);
  days += 0.1;
  expect(await read(path)).toContain("50 protected deals on Njoro Campus this semester");
});
