/** The public pages of shops, categories, campuses and shared searches: what anybody sees who opens a shared link. */
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { openPublicCampus, openPublicCategory, PUBLIC_LIST_SIZE } from "#app/catalogue/browse/public-lists.server.ts";
import { listPeople } from "#app/admin/people/people.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { listSavedSearches, saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { shareSearch, stopSharing } from "#app/catalogue/saved/shared-searches.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import { publicCampusPath, publicProductPath, publicShopPath, sharedSearchPath } from "#app/public-links.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import { findPublicShop } from "#app/shops/public-shop.server.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { db, makeProduct, makeTables, makeUser, rate, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

async function open(path: string, as?: string): Promise<{ status: number; html: string; to: string | null }> {
  const answer = await visit(path, { as });
  return { status: answer.status, html: await answer.text(), to: answer.headers.get("Location") };
}

async function makeShop(id: string, change: Partial<typeof shops.$inferInsert> = {}): Promise<void> {
  await db.insert(shops).values({
    id,
    shopName: "Otieno Books",
    description: "Second-hand course books",
    preferredContact: "WhatsApp 0711 223 344",
    createdAt: 1,
    updatedAt: 1,
    ...change,
  });
}

const PERSON = { name: "Njoroge Kiplagat", phone: "254711223344" };
/** What no page may say about this person. */
const PRIVATE = /kiplagat|11\s?223\s?344|@campus\.test/i;

test("a shop shows what it sells and who sells it, by the first name", async () => {
  const id = await makeUser(PERSON);
  await makeShop(id, {
    awayUntil: Date.now() + 86_400_000,
    description: "Second-hand course books. Call 0711 223 344 or mail me@kiplagat.co.ke",
  });
  await rate(id, [0, 0, 0, 1, 3]);
  const product = await makeProduct(id, { name: "Linear algebra" });
  const sold = await makeProduct(id, { name: "Organic chemistry", status: "sold" });
  const path = publicShopPath({ id, title: "Otieno Books" });
  const { status, html } = await open(path);
  expect(status).toBe(200);
  for (const shown of [
    "Otieno Books",
    "Second-hand course books. Call (log in to see this) or mail (log in to see this)",
    "Main Campus",
    "Sold by Njoroge",
    "Rated 4.8 of 5 by 4 people",
    "is on holiday until",
    publicProductPath({ id: product, name: "Linear algebra" }),
    `href="/seller/${id}"`,
    `<link rel="canonical" href="${ORIGIN}${path}"/>`,
    '"aggregateRating":{"@type":"AggregateRating","ratingValue":4.8,"reviewCount":4',
  ])
    expect(html.replaceAll("<!-- -->", "")).toContain(shown);
  expect(html).not.toContain(sold);
  expect(html).not.toMatch(PRIVATE);
});

test("a shop's banner has three sizes, and only the small one with Data saver", async () => {
  const id = await makeUser(PERSON);
  await makeShop(id, { bannerUrl: `/files/img/${"b".repeat(32)}/1600.webp` });
  const path = publicShopPath({ id, title: "Otieno Books" });
  const banner = async (headers: Record<string, string>) =>
    /<img[^>]*public-shop__banner[^>]*>/.exec(await (await visit(path, { headers })).text())?.[0] ?? "";
  const large = await banner({});
  for (const shown of ["/640.webp 640w", "/1080.webp 1080w", "/1600.webp 1600w", 'width="1600"', 'loading="eager"'])
    expect(large).toContain(shown);
  const small = await banner({ "Save-Data": "on" });
  expect(small).toContain('loading="lazy"');
  expect(small).toContain("/640.webp");
  expect(small).not.toContain("1600.webp");
});

test("a shop without a name has its owner's first name, on its public page and for visitors of the full one", async () => {
  const id = await makeUser(PERSON);
  await makeProduct(id);
  const path = publicShopPath({ id, title: "Njoroge's shop" });
  for (const address of [path, `/seller/${id}`]) {
    const { status, html } = await open(address);
    expect(status).toBe(200);
    expect(html).toContain("Njoroge&#x27;s shop");
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${path}"/>`);
    expect(html).not.toMatch(PRIVATE);
  }
  expect((await open(`/seller/${id}`, await makeUser())).html).toContain("Njoroge Kiplagat");
});

test("an old name leads to the right address for good, and a renamed shop moves", async () => {
  const id = await makeUser(PERSON);
  await makeShop(id);
  const path = publicShopPath({ id, title: "Otieno Books" });
  for (const old of [
    `/s/${shortIdOf(id)}`,
    `/s/${shortIdOf(id)}/njoroge-s-shop`,
    `/s/${shortIdOf(id).toUpperCase()}/x`,
  ])
    expect(await open(`${old}?utm_source=chat`)).toMatchObject({ status: 301, to: path });
  await db.update(shops).set({ shopName: "Njoroge Mobile" }).where(eq(shops.id, id));
  expect(await open(path)).toMatchObject({ status: 301, to: publicShopPath({ id, title: "Njoroge Mobile" }) });
  const category = await open("/c/Textbooks");
  expect(category).toMatchObject({ status: 301, to: "/c/textbooks" });
  expect(await open("/campus/Main-Campus")).toMatchObject({ status: 301, to: "/campus/main-campus" });
});

test("a shop whose owner is gone or suspended answers 410 with other listings, and nothing of it", async () => {
  const other = await makeProduct(await makeUser(), { name: "Graph paper" });
  const [deleted, suspended] = [await makeUser(PERSON), await makeUser(PERSON)];
  for (const id of [deleted, suspended]) {
    await makeShop(id);
    await makeProduct(id, { name: "Numerical methods" });
  }
  expect(await deleteAccount(servicesAt(), deleted)).toMatchObject({ ok: true });
  await suspendUser(servicesAt(), await makeAdmin(), suspended, "Fraud");
  for (const id of [deleted, suspended]) {
    const { status, html } = await open(`/s/${shortIdOf(id)}/otieno-books`);
    expect(status).toBe(410);
    expect(html).toContain("This shop is no longer here");
    expect(html).toContain(publicProductPath({ id: other, name: "Graph paper" }));
    for (const hidden of ["Otieno Books", "Numerical methods", 'rel="canonical"']) expect(html).not.toContain(hidden);
  }
});

test("what never existed answers 404 and shows what is new, never a login form", async () => {
  const buyer = await makeUser();
  const product = await makeProduct(await makeUser(), { name: "Graph paper" });
  for (const [path, says] of [
    ["/s/0000000000/x", "We can&#x27;t find this shop"],
    ["/s/short", "We can&#x27;t find this shop"],
    [`/s/${shortIdOf(buyer)}/wanjiku-s-shop`, "We can&#x27;t find this shop"],
    ["/c/no-such-category", "We can&#x27;t find this category"],
    ["/campus/atlantis", "We can&#x27;t find this campus"],
  ] as const) {
    const { status, html } = await open(path);
    expect([path, status]).toEqual([path, 404]);
    expect(html).toContain(says);
    expect(html).toContain(publicProductPath({ id: product, name: "Graph paper" }));
    expect(html).not.toContain("password");
  }
});

test("a category and a campus list what is for sale there, also under a name that has no row", async () => {
  const seller = await makeUser();
  const place = async (name: string, change: Partial<typeof products.$inferInsert>) => {
    const id = await makeProduct(seller, { name });
    await db.update(products).set(change).where(eq(products.id, id));
  };
  await place("Desk lamp", { category: "electronics", location: "Parklands Campus" });
  await place("Sketch book", { category: "Art & Craft", location: "City Campus" });
  const electronics = (await open("/c/electronics")).html;
  expect(electronics).toContain("Desk lamp");
  expect(electronics).not.toContain("Sketch book");
  expect(electronics).toContain('href="/category/electronics"');
  expect((await open("/c/Art%20%26%20Craft")).html).toContain("Sketch book");
  const parklands = (await open("/campus/parklands-campus")).html;
  expect(parklands).toContain("Desk lamp");
  expect(parklands).not.toContain("Sketch book");
  expect((await open("/campus/westlands-campus")).html).toContain("Nothing for sale at Westlands Campus at the moment");
});

test("every campus in the database has a public page", async () => {
  const { results } = await env.DB.prepare("SELECT name FROM campus_locations").all<{ name: string }>();
  expect(results.map(({ name }) => name).toSorted()).toEqual([...CAMPUSES].toSorted());
  for (const { name } of results) expect((await open(publicCampusPath(name))).status).toBe(200);
});

test("members are led to the full pages, and those without a complete profile stay", async () => {
  const seller = await makeUser(PERSON);
  await makeShop(seller);
  const member = await makeUser();
  const newcomer = await makeUser({ name: "", phone: null });
  await db.update(profiles).set({ campusLocation: null }).where(eq(profiles.id, newcomer));
  for (const [path, to] of [
    [publicShopPath({ id: seller, title: "Otieno Books" }), `/seller/${seller}`],
    ["/c/textbooks", "/category/textbooks"],
    ["/campus/main-campus", "/studentmarketplace"],
  ] as const) {
    expect(await open(path, member)).toMatchObject({ status: 302, to });
    expect(await open(path, newcomer)).toMatchObject({ status: 200 });
  }
});

test("a page costs two round trips at most and as many rows among 10,000 products as among 1,000", async () => {
  const seller = await makeUser();
  const rare = await makeUser();
  const { meter, db: metered } = meteredServices();
  const store = { db: metered, now: Date.now };
  const cost = async (work: () => Promise<unknown>) => {
    const { rows, trips } = await measured(meter, work);
    expect(trips).toBeLessThanOrEqual(2);
    return rows;
  };
  // A rare campus: its only products are the oldest of all.
  for (let n = 0; n < 3; n += 1)
    await db
      .update(products)
      .set({ location: "City Campus", category: "art", createdAt: n })
      .where(eq(products.id, await makeProduct(rare)));
  const costs: number[][] = [];
  let made = 0;
  for (const size of [1_000, 10_000]) {
    await makeTables(seller, 1_000 + made, 1_000 + size);
    made = size;
    costs.push([
      await cost(() => openPublicCampus(metered, "main-campus")),
      await cost(() => openPublicCampus(metered, "city-campus")),
      await cost(() => openPublicCategory(metered, "furniture")),
      await cost(() => openPublicCategory(metered, "art")),
      await cost(() => findPublicShop(store, shortIdOf(seller))),
      await cost(() => findPublicShop(store, shortIdOf(rare))),
    ]);
  }
  expect(costs[1]).toEqual(costs[0]);
  for (const rows of costs[0] ?? []) expect(rows).toBeLessThanOrEqual(150);
  expect((await openPublicCampus(metered, "main-campus")).listings).toHaveLength(PUBLIC_LIST_SIZE);
});

test("a shop's page reads a bounded number of rows, however many of its listings were deleted", async () => {
  const seller = await makeUser();
  await makeProduct(seller, { name: "Graph paper" });
  const { meter, ...store } = meteredServices();
  const rows = [];
  for (const from of [20_000, 22_000]) {
    await makeTables(seller, from, from + 2_000, { deletedAt: 5 });
    const read = await measured(meter, () => findPublicShop(store, shortIdOf(seller)));
    expect(read.result).toMatchObject({ state: "shown", listings: [{ name: "Graph paper" }] });
    rows.push(read.rows);
  }
  expect(rows[1]).toBe(rows[0]);
  expect(rows[0]).toBeLessThanOrEqual(1_100);
});

/** Saves a search, KES, and returns its id. */
async function save(userId: string, words: string, max: number | null = null): Promise<string> {
  expect(await saveSearch(servicesAt(), { userId, saved: { words, filters: { ...NO_LIST_FILTERS, max } } })).toEqual({
    ok: true,
  });
  const [newest] = await listSavedSearches(db, userId);
  return newest?.id ?? "";
}

const word = () => `zq${crypto.randomUUID().slice(0, 8)}`;

test("a search that was shared is seen by everybody who has its link, without who looks, until its owner stops", async () => {
  const owner = await makeUser(PERSON);
  const other = await makeUser();
  const thing = word();
  await db.run(
    sql`UPDATE profiles SET campus_location_id = (SELECT id FROM campus_locations WHERE name = 'Main Campus')
      WHERE id = ${owner}`,
  );
  const id = await save(owner, `calculator ${thing}`, 1_500);
  const path = sharedSearchPath(id);
  expect((await open(path)).status).toBe(410);
  expect(await shareSearch(servicesAt(), { userId: other, id })).toEqual({ ok: false, code: "missing" });
  expect(await shareSearch(servicesAt(), { userId: owner, id })).toEqual({ ok: true });
  expect(await shareSearch(servicesAt(), { userId: owner, id })).toEqual({ ok: true });

  const { status, html } = await open(path);
  expect(status).toBe(200);
  for (const shown of [
    "Somebody on Main Campus is looking for",
    `“calculator ${thing}”`,
    "KES 1,500 or less",
    `href="/add-product?for=${path.split("/")[2]}"`,
    `<meta property="og:title" content="Looking for “calculator ${thing}”, KES 1,500 or less"/>`,
  ])
    expect(html).toContain(shown);
  expect(html).not.toMatch(PRIVATE);
  expect(html).not.toContain(owner);

  // Only our team learns whose it is.
  const { rows } = await listPeople(db, `https://chuoni.test${path}`, null);
  expect(rows.map((person) => person.id)).toEqual([owner]);
  expect(html).toContain(`href="/help/contact?about=${path}"`);
  expect((await open(`/help/contact?about=${path}`)).html).toContain(`About ${path}:`);

  expect((await open(path, owner)).to).toBe("/saved-searches");
  const withoutPhone = await open(`/add-product?for=${path.split("/")[2]}`, await makeUser({ phone: null }));
  expect(withoutPhone.html).toContain(`/become-seller?next=%2Fadd-product%3Ffor%3D${path.split("/")[2]}`);
  const form = (await open(path, other)).to ?? "";
  expect(form).toBe(`/add-product?for=${path.split("/")[2]}`);
  const filled = await (await visit(form, { as: other })).text();
  expect(filled).toMatch(new RegExp(`name="name"[^>]*value="Calculator ${thing}"`));
  expect(filled).toMatch(/name="price"[^>]*value="1500"/);

  expect(await stopSharing(servicesAt(), { userId: other, id })).toBe(false);
  expect((await open(path)).status).toBe(200);
  expect(await stopSharing(servicesAt(), { userId: owner, id })).toBe(true);
  expect((await open(path)).status).toBe(410);
  expect((await open(path, other)).html).toContain("Nobody can see this search any more");
});

test("the page of a shared search goes with its owner's account", async () => {
  const [suspended, deleted] = [await makeUser(), await makeUser()];
  const share = async (userId: string) => {
    const id = await save(userId, word());
    await shareSearch(servicesAt(), { userId, id });
    return sharedSearchPath(id);
  };
  const [ofSuspended, ofDeleted] = [await share(suspended), await share(deleted)];
  await suspendUser(servicesAt(), await makeAdmin(), suspended, "Fraud");
  expect(await deleteAccount(servicesAt(), deleted)).toMatchObject({ ok: true });
  expect((await visit(ofSuspended)).status).toBe(410);
  expect((await visit(ofDeleted)).status).toBe(404);
});
