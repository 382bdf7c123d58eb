/** Measures what one new listing costs, with more and more saved searches. */
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { findSearchesFor } from "#app/catalogue/saved/find-searches.server.ts";
import { readSaved, writeSaved } from "#app/catalogue/saved/saved-address.ts";
import { forgetSearches, hangAtTerms, saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { priceMarks } from "#app/catalogue/search/index-marks.ts";
import { readSearch } from "#app/catalogue/search/read-search.ts";
import { recogniseType } from "#app/catalogue/types/recognise-type.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { runBatch } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { openDatabase } from "#app/db/client.ts";
import { meterDatabase, newMeter } from "#app/db/meter.ts";
import { savedQueries } from "#app/db/schema.ts";
import { CommandError } from "#scripts/command.ts";
import { withLocalDatabase } from "#scripts/database.ts";
import { MEANT_SEARCHES, REAL_SEARCHES } from "#tests/support/searches.ts";
import { printLines } from "./table.ts";

const SIZES = [1_000, 10_000, 100_000];

/** Many people look for the first, some for the second, and nobody for the third. */
const LISTINGS = [
  { name: "HP EliteBook 840 laptop, i5, 8 GB", category: "electronics", price: 24_500 },
  { name: "Electric kettle, 1.7 litres", category: "kitchen", price: 900 },
  { name: "Xylophone", category: "other", price: 5_000 },
];

const WRITTEN_AT_ONCE = 2_000;
const TIMES = 5;

interface Measure {
  searches: number;
  listing: string;
  found: number;
  rowsRead: number;
  trips: number;
  /** The median. */
  milliseconds: number;
}

/** Measures in the data folder, which must be seeded. What students search for is saved with many different highest prices. */
export function measureSaved(): Promise<Measure[]> {
  return withLocalDatabase(async (database) => {
    const meter = newMeter();
    const db = openDatabase(meterDatabase(database as unknown as D1Database, meter)); // Miniflare has types of its own.
    const store = { db, now: Date.now };
    const userId = await database.prepare("SELECT id FROM credentials LIMIT 1").first<string>("id");
    if (!userId) throw new CommandError("The data folder has no people.");
    const texts = [...new Set([...REAL_SEARCHES, ...MEANT_SEARCHES].map(({ query }) => readSearch(query, []).words))];
    const bases: { address: string; needs: string[][]; anchor: number }[] = [];
    for (const words of texts) {
      await runBatch(db, forgetSearches(userId));
      const saved = { words, filters: NO_LIST_FILTERS };
      if (!(await saveSearch(store, { userId, saved })).ok) continue;
      const row = await database
        .prepare("SELECT address, needs, anchor FROM saved_queries")
        .first<{ address: string; needs: string; anchor: number }>();
      if (row) bases.push({ ...row, needs: JSON.parse(row.needs) as string[][] });
    }
    await runBatch(db, forgetSearches(userId));
    const ids = LISTINGS.map(() => crypto.randomUUID());
    for (const [at, listing] of LISTINGS.entries())
      await database
        .prepare(
          `INSERT INTO products (id, name, description, price, category, type, seller_id, created_at, updated_at)
            VALUES (?1, ?2, 'In good condition, from a student who is leaving campus.', ?3, ?4, ?5, ?6, 1, 1)`,
        )
        .bind(
          ids[at],
          listing.name,
          listing.price,
          listing.category,
          recogniseType(listing, KEPT_TABLE)?.type ?? null,
          userId,
        )
        .run();
    const measures: Measure[] = [];
    let written = 0;
    for (const searches of SIZES) {
      for (; written < searches; written += WRITTEN_AT_ONCE) {
        const rows = Array.from({ length: Math.min(WRITTEN_AT_ONCE, searches - written) }, (_, n) =>
          withPrice(bases[(written + n) % bases.length], Math.floor((written + n) / bases.length)),
        );
        await database
          .prepare(
            `INSERT INTO saved_queries (address, needs, anchor, max_price, created_at)
              SELECT value ->> 'address', value -> 'needs', value ->> 'anchor', value ->> 'max', 1 FROM json_each(?)`,
          )
          .bind(JSON.stringify(rows))
          .run();
      }
      await runBatch(db, [hangAtTerms(build.select({ id: savedQueries.id }).from(savedQueries))]);
      written = searches;
      for (const [at, { name }] of LISTINGS.entries()) {
        const times: number[] = [];
        let found = 0;
        for (let n = 0; n < TIMES; n += 1) {
          Object.assign(meter, newMeter());
          const start = performance.now();
          found = (await findSearchesFor(db, ids[at] ?? "")).length;
          times.push(performance.now() - start);
        }
        const milliseconds = times.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0;
        measures.push({ searches, listing: name, found, rowsRead: meter.rowsRead, trips: meter.trips, milliseconds });
      }
    }
    return measures;
  });
}

/** The search with its n-th highest price. */
function withPrice(base: { address: string; needs: string[][]; anchor: number } | undefined, n: number) {
  if (!base) throw new CommandError("No search can be saved.");
  const { words } = readSaved(base.address);
  const max = 200 + 200 * n;
  const address = writeSaved({ words, filters: { ...NO_LIST_FILTERS, max } });
  return { address, needs: [...base.needs, priceMarks(null, max)], anchor: base.anchor, max };
}

export function printSaved(measures: readonly Measure[]): void {
  console.log("\nOne new listing among saved searches:");
  printLines([
    ["saved searches", "listing", "found", "rows read", "round trips", "ms"],
    ...measures.map(({ searches, listing, found, rowsRead, trips, milliseconds }) => [
      searches.toLocaleString("en"),
      listing,
      ...[found, rowsRead, trips].map((number) => number.toLocaleString("en")),
      milliseconds.toFixed(0),
    ]),
  ]);
}
