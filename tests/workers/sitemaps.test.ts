/** What search engines may know of: sitemaps that list exactly what is for sale, and `noindex` on everything else. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { publicShopTitle } from "#app/accounts/profile/public-names.ts";
import { publicCampusPath, publicProductPath, publicShopPath } from "#app/public-links.ts";
import { makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const ORIGIN = env.APP_ORIGIN;

interface Read {
  status: number;
  /** Paths. */
  locations: string[];
  etag: string;
  rows: number;
}

async function read(path: string, headers: Record<string, string> = {}): Promise<Read> {
  const response = await visit(path, { headers });
  const xml = await response.text();
  const locations = Array.from(xml.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url = ""]) => url);
  for (const url of locations) expect(url.startsWith(`${ORIGIN}/`)).toBe(true);
  return {
    status: response.status,
    locations: locations.map((url) => url.slice(ORIGIN.length)),
    etag: response.headers.get("ETag") ?? "",
    rows: Number(/rows=(\d+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1]),
  };
}

let days = 0;

/** Each sitemap is kept for an hour. */
function later(): Record<string, string> {
  days += 1;
  return { "X-Days-Ahead": String(days) };
}

/** Everything that the sitemaps of one kind list. */
async function listed(kind: "products" | "shops"): Promise<string[]> {
  const now = later();
  const index = await read("/sitemap.xml", now);
  const parts = index.locations.filter((path) => path.startsWith(`/sitemaps/${kind}-`));
  const pages: string[] = [];
  for (const path of parts) {
    const part = await read(path, now);
    expect(part.status).toBe(200);
    expect(part.locations.length).toBeGreaterThan(0);
    expect(part.locations.length).toBeLessThanOrEqual(10_000);
    pages.push(...part.locations);
  }
  return pages.toSorted();
}

const FOR_SALE = "status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL";

async function rowsOf<Row>(query: string): Promise<Row[]> {
  return (await env.DB.prepare(query).all<Row>()).results;
}

/** What must be listed, straight from the tables. */
async function expected(kind: "products" | "shops"): Promise<string[]> {
  if (kind === "products") {
    const products = await rowsOf<{ id: string; name: string }>(`SELECT id, name FROM products WHERE ${FOR_SALE}`);
    return products.map(publicProductPath).toSorted();
  }
  const shops = await rowsOf<{ id: string; shopName: string | null; fullName: string | null }>(
    `SELECT c.id, h.shop_name AS shopName, p.full_name AS fullName FROM credentials c LEFT JOIN shops h ON h.id = c.id
      LEFT JOIN profiles p ON p.id = c.id
      WHERE EXISTS (SELECT 1 FROM products l WHERE l.seller_id = c.id AND ${FOR_SALE})`,
  );
  return shops.map((shop) => publicShopPath({ id: shop.id, title: publicShopTitle(shop) })).toSorted();
}

let sellers: string[];
beforeAll(async () => {
  sellers = [await makeUser({ name: "Achieng Odhiambo" }), await makeUser({ name: "Brian Mwangi" }), await makeUser()];
  // A listing near the end of the first part, so that the next ones fall into two parts.
  await env.DB.prepare(
    `INSERT INTO products (rowid, id, name, description, price, seller_id, created_at, updated_at)
      VALUES (9998, ?, 'Desk lamp', '', 500, ?, 1, 1)`,
  )
    .bind(crypto.randomUUID(), sellers[0])
    .run();
});

const NAMES = ["Kettle", "Kettle!", "Casio fx-991", "学生用品"];
const changes: Record<string, (product: string, seller: string, name: string) => Promise<unknown>> = {
  list: (_product, seller, name) => makeProduct(seller, { name }),
  "list what is sold already": (_product, seller, name) => makeProduct(seller, { name, status: "sold" }),
  rename: (product, _seller, name) => run("UPDATE products SET name = ? WHERE id = ?", name, product),
  sell: (product) => run("UPDATE products SET status = 'sold' WHERE id = ?", product),
  "sell out": (product) => run("UPDATE products SET status = 'out_of_stock' WHERE id = ?", product),
  "offer again": (product) => run("UPDATE products SET status = 'active' WHERE id = ?", product),
  delete: (product) => run("UPDATE products SET deleted_at = 5 WHERE id = ?", product),
  "take down": (product) => run("UPDATE products SET suspended_at = 5 WHERE id = ?", product),
  restore: (product) => run("UPDATE products SET suspended_at = NULL WHERE id = ?", product),
  "suspend the seller": (_product, seller) => run("UPDATE products SET suspended_at = 7 WHERE seller_id = ?", seller),
  "sell and delete at once": (product) =>
    run("UPDATE products SET status = 'sold', deleted_at = 5, name = 'Gone' WHERE id = ?", product),
  "name the shop": (_product, seller, name) =>
    run(
      `INSERT INTO shops (id, shop_name, created_at, updated_at) VALUES (?, ?, 1, 1) ON CONFLICT (id)
        DO UPDATE SET shop_name = excluded.shop_name`,
      seller,
      `${name} shop`,
    ),
  "name the person": (_product, seller, name) =>
    run("UPDATE profiles SET full_name = ? WHERE id = ?", `${name.split(" ")[0]} Kamau`, seller),
};

function run(query: string, ...values: unknown[]) {
  return env.DB.prepare(query)
    .bind(...values)
    .run();
}

test("after any changes, the sitemaps list exactly what is for sale and who sells it, each once", async () => {
  const change = fc.record({
    kind: fc.constantFrom(...Object.keys(changes)),
    product: fc.nat(),
    seller: fc.nat(2),
    name: fc.constantFrom(...NAMES),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (sequence) => {
      for (const { kind, product, seller, name } of sequence) {
        const ids = await rowsOf<{ id: string }>("SELECT id FROM products ORDER BY rowid");
        await changes[kind]?.(ids[product % ids.length]?.id ?? "", sellers[seller] ?? "", name);
      }
      for (const kind of ["products", "shops"] as const) expect(await listed(kind)).toEqual(await expected(kind));
    }),
    { numRuns: 40 },
  );
});

async function addProducts(from: number, to: number): Promise<void> {
  await run(
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})
      INSERT INTO products (rowid, id, name, description, price, seller_id, created_at, updated_at)
      SELECT 20000 + i, printf('%08x-0000-4000-8000-%012x', i * 7919, i), 'Mug', '', 100, ?, i, i FROM n`,
    sellers[2],
  );
}

test("a sitemap is written once an hour, and a crawler that has it gets it again only when it has changed", async () => {
  await addProducts(1, 12_000);
  const now = later();
  const index = await read("/sitemap.xml", now);
  expect(index.rows).toBeLessThanOrEqual(100);
  const parts = ["/sitemaps/products-3.xml", "/sitemaps/products-4.xml"];
  expect(index.locations.filter((path) => /products-[345]/.test(path))).toEqual(parts);
  const first = await Promise.all(parts.map((path) => read(path, now)));
  expect(first.map(({ locations }) => locations.length)).toEqual([10_000, 1_999]);
  for (const { rows } of first) expect(rows).toBeLessThanOrEqual(10_003);
  await run("UPDATE products SET name = name || ' blue' WHERE rowid = 20005");
  for (const path of ["/sitemap.xml", ...parts]) expect(await read(path, now)).toMatchObject({ rows: 0 });
  const tomorrow = later();
  const again = parts.map((path, at) => read(path, { ...tomorrow, "If-None-Match": first[at]?.etag ?? "" }));
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 304]);
  expect(await read("/sitemap.xml", { ...tomorrow, "If-None-Match": index.etag })).toMatchObject({ status: 304 });
});

test("the pages of campuses and categories where something is for sale are listed, and no others", async () => {
  await makeProduct(sellers[0] ?? "");
  await run("UPDATE products SET category = 'textbooks', location = 'City Campus' WHERE rowid = 9998");
  await run("UPDATE products SET status = 'active', deleted_at = NULL, suspended_at = NULL WHERE rowid = 9998");
  const { locations } = await read("/sitemaps/pages-1.xml", later());
  expect(locations).toContain("/c/textbooks");
  expect(locations).toContain(publicCampusPath("City Campus"));
  expect(locations).not.toContain(publicCampusPath("Parklands Campus"));
  for (const path of ["/campus", "/support"]) expect(locations).toContain(path);
});

test("robots.txt names the sitemaps, and unknown sitemaps don't exist", async () => {
  const robots = await visit("/robots.txt");
  expect(await robots.text()).toContain(`\nSitemap: ${ORIGIN}/sitemap.xml\n`);
  for (const path of ["/sitemaps/products-999.xml", "/sitemaps/products-0.xml", "/sitemaps/people-1.xml"])
    expect((await read(path)).status).toBe(404);
});
