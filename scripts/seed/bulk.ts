import { type Chance, chanceOf, uuid } from "./chance.ts";
import { CAMPUSES } from "./people.ts";
import { DAY } from "./rows.ts";
import type { Product } from "./stock.ts";

/** How far back the generated products of a benchmark go, in ms. They end where the hand-written ones begin. */
const OLDEST = 730 * DAY;
const NEWEST = 60 * DAY;
const CHUNK = 5_000;
const CONDITIONS = ["new", "like_new", "good", "fair"] as const;

/**
 * One insert of up to 5,000 products. `?1` lists them as [id, template, lot, price, condition, location, seller,
 * created at], `?2` holds the templates as [name, description, picture's path, pictures, category, type, facts] and
 * `?3` the sellers' ids.
 */
export const BULK_INSERT = `WITH
    template AS MATERIALIZED (SELECT key, value ->> 0 AS name, value ->> 1 AS description, value ->> 2 AS image_url,
      value ->> 3 AS images, value ->> 4 AS category, value ->> 5 AS type, value ->> 6 AS facts FROM json_each(?2)),
    seller AS MATERIALIZED (SELECT key, value AS id FROM json_each(?3))
  INSERT INTO products (id, name, description, price, image_url, images, condition, location,
    category, type, facts, seller_id, status, stock, created_at, updated_at)
  SELECT listed.value ->> 0, template.name || ', lot ' || (listed.value ->> 2), template.description,
    listed.value ->> 3, template.image_url, template.images, listed.value ->> 4, listed.value ->> 5,
    template.category, template.type, template.facts, seller.id, 'active',
    CASE WHEN listed.value ->> 4 = 'new' THEN NULL ELSE 1 END, listed.value ->> 7, listed.value ->> 7
  FROM json_each(?1) listed CROSS JOIN template ON template.key = listed.value ->> 1
    CROSS JOIN seller ON seller.key = listed.value ->> 6`;

/**
 * The values of `BULK_INSERT` for each chunk of `count` products, oldest first, after the hand-written ones as
 * patterns.
 */
export function* bulkChunks(count: number, now: number, patterns: Product[]): Generator<[string, string, string]> {
  const templates = JSON.stringify(
    patterns.map((product) => [
      product.name,
      product.description,
      product.imageUrl,
      JSON.stringify(product.images),
      product.category,
      product.type,
      JSON.stringify(product.facts),
    ]),
  );
  const sellers = [...new Set(patterns.map((product) => product.sellerId))];
  const chance = chanceOf("bulk");
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    const rows = Array.from({ length: size }, (_, at) =>
      bulkRow(chance, from + at, count, now, patterns, sellers.length),
    );
    yield [JSON.stringify(rows), templates, JSON.stringify(sellers)];
  }
}

function bulkRow(
  chance: Chance,
  at: number,
  count: number,
  now: number,
  patterns: Product[],
  sellers: number,
): (string | number)[] {
  const pattern = chance.below(patterns.length);
  const price = Math.round(((patterns[pattern]?.price ?? 0) * (0.6 + 0.8 * chance.fraction())) / 10) * 10;
  const createdAt = Math.round(now - OLDEST + ((OLDEST - NEWEST) * at) / count);
  return [
    bulkId(chance, at),
    pattern,
    at + 1,
    price,
    chance.pick(CONDITIONS),
    chance.pick(Object.values(CAMPUSES)),
    chance.below(sellers),
    createdAt,
  ];
}

/** Multiplying by an odd number visits every 32-bit number once, so the first 8 characters never repeat. */
function bulkId(chance: Chance, at: number): string {
  const first = (Math.imul(at, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  const rest = Array.from({ length: 3 }, () =>
    chance
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
  return uuid(first, rest);
}
