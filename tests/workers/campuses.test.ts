/** The campuses are the owner's: the product knows no university. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { publicCampusPath } from "#app/public-links.ts";
import { makeProduct, makeUser } from "#tests/support/fixtures.ts";
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
