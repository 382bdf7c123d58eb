/** The front page and the search of visitors. */
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { suspendListing } from "#app/moderation/suspensions/suspensions.server.ts";
import { openFrontPage } from "#app/catalogue/browse/public-lists.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { publicProductPath, publicSearchPath } from "#app/public-links.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { changeListing, db, makeProduct, makeTables, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";

let sellerId: string;

beforeAll(async () => {
  sellerId = await makeUser({ name: "Njoroge Kiplagat", phone: "254711223344" });
});

async function open(path: string) {
  // A day ahead, so that it isn't a copy kept for another test.
  const answer = await visit(path, { headers: { "X-Days-Ahead": "1" } });
  return { status: answer.status, headers: answer.headers, html: (await answer.text()).replaceAll("<!-- -->", "") };
}

/** A product of a campus. Each is newer than the one before. */
async function place(name: string, location: string, hasPhoto = false) {
  const id = await makeProduct(sellerId, { name, location });
  const photo = { key: `img/${id}`, width: 640, height: 480, widths: [160, 640], thumbhash: "", tone: "#e7c65f" };
  await db
    .update(products)
    .set({ createdAt: (placed += 1), images: hasPhoto ? [photo] : [] })
    .where(eq(products.id, id));
  return id;
}
let placed = 0;

test("the front page shows what is new on each campus, the newest first, those with a photo before others, and how to join", async () => {
  for (let n = 1; n <= 5; n += 1) await place(`Main ${n}`, "Main Campus", n === 1);
  const parklands = await place("Parklands 1", "Parklands Campus");
  await place("Elsewhere", "Unknown");
  const { campuses } = await openFrontPage(db);
  expect(campuses.map(({ name, listings }) => [name, ...listings.map((listing) => listing.name)])).toEqual([
    ["Parklands Campus", "Parklands 1"],
    ["Main Campus", "Main 1", "Main 5", "Main 4", "Main 3"],
  ]);
  const { status, html, headers } = await open("/campus?utm_source=chat");
  expect([status, headers.get("X-Robots-Tag")]).toEqual([200, null]);
  for (const shown of [
    'href="/auth/signup"',
    'href="/campus/parklands-campus"',
    'href="/c/stationery"',
    'action="/campus/search"',
    publicProductPath({ id: parklands, name: "Parklands 1" }),
    `<link rel="canonical" href="${ORIGIN}/campus"/>`,
    "We hold your money until you have it.",
  ])
    expect(html).toContain(shown);
  expect(html).not.toMatch(/Westlands Campus<\/h2>|Kiplagat|11\s?223\s?344|Works, with cover/);
});

test("other spellings of its address lead to it, and the short names of campuses to theirs", async () => {
  for (const [path, to] of [
    ["/Campus", "/campus"],
    ["/campus/", "/campus"],
    ["/campus/main", "/campus/main-campus"],
    ["/campus/WESTLANDS", "/campus/westlands-campus"],
    ["/campus/Main%20Campus", "/campus/main-campus"],
    ["/campus/the%20main", "/campus/main-campus"],
  ]) {
    const { status, headers } = await open(path ?? "");
    expect([path, status, headers.get("Location")]).toEqual([path, 301, to]);
  }
  for (const path of ["/campus/campus", "/campus/mai", "/campus/main-westlands"])
    expect([path, (await open(path)).status]).toEqual([path, 404]);
});

test("a search is answered for each visitor, kept nowhere and named nowhere", async () => {
  const id = await place("Purple umbrella, call 0711 223 344", "Main Campus");
  const path = publicSearchPath("purple umbrella");
  const { status, headers, html } = await open(path);
  expect([status, headers.get("Cache-Control"), headers.get("X-Robots-Tag"), headers.get("Set-Cookie")]).toEqual([
    200,
    "private, no-store",
    "noindex",
    null,
  ]);
  expect(html).toContain(publicProductPath({ id, name: "Purple umbrella, call …" }));
  expect(html).toContain("Results for “purple umbrella”");
  expect(html).not.toMatch(/Kiplagat|11\s?223\s?344|Works, with cover/);
  expect(html).not.toContain(sellerId);
  // A new price shows at once.
  await db.update(products).set({ price: 777 }).where(eq(products.id, id));
  expect((await open(path)).html).toContain("KES 777");
});

test("a search finds what visitors may see, and says what is sold", async () => {
  const admin = await makeAdmin();
  const sold = await place("Orange tripod sold", "Main Campus");
  await changeListing(sold, { condition: "good", stock: 0 });
  await suspendListing(servicesAt(), admin, await place("Orange tripod fake", "Main Campus"), "Fake");
  const { html } = await open(publicSearchPath("orange tripod"));
  expect(html).toContain("Orange tripod sold");
  expect(html).toMatch(/class="public-card__facts">[^<]*Sold/);
  expect(html).not.toContain("Orange tripod fake");
});

test("words about price and campus filter, as in a member's search", async () => {
  for (const [name, location] of [
    ["Green stool", "Main Campus"],
    ["Green bench", "City Campus"],
  ] as const)
    await place(name, location);
  const { html } = await open(publicSearchPath("green under 2000 city campus"));
  expect(html).toContain("Green bench");
  expect(html).not.toContain("Green stool");
});

test("more results come by a link, and an empty search asks for words", async () => {
  for (let n = 0; n < 25; n += 1) await place(`Teapot number ${n}`, "Main Campus");
  const first = await open(publicSearchPath("teapot"));
  const more = /href="(\/campus\/search\?q=teapot&amp;after=[^"]+)"/.exec(first.html)?.[1]?.replace("&amp;", "&") ?? "";
  const second = await open(more);
  const named = (html: string) => [...html.matchAll(/>(Teapot number \d+)</g)].map(([, name]) => name);
  expect([named(first.html).length, named(second.html).length]).toEqual([24, 1]);
  expect(new Set([...named(first.html), ...named(second.html)]).size).toBe(25);
  expect(second.html).not.toContain("More results");
  expect(await open("/campus/search?q=%20")).toMatchObject({ status: 200 });
  expect((await open(publicSearchPath("qqqqzz"))).html).toContain("Nothing has all of these words.");
});

test("the front page costs two round trips and as many rows among many products as among few", async () => {
  const { meter, db: metered } = meteredServices();
  const costs = [];
  for (const [from, to] of [
    [0, 500],
    [500, 5_000],
  ] as const) {
    await makeTables(sellerId, from, to, { location: "City Campus" });
    const { trips, rows } = await measured(meter, () => openFrontPage(metered));
    costs.push([trips, rows]);
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]?.[0]).toBe(2);
  expect(costs[0]?.[1]).toBeLessThanOrEqual(120);
}, 60_000);
