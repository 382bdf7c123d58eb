/** Measures what one new listing costs, with more and more saved searches. */
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { findSearchesFor } from "#app/catalogue/saved/find-searches.server.ts";
import { writeSaved } from "#app/catalogue/saved/saved-address.ts";
import { readSearch } from "#app/catalogue/search/read-search.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { openDatabase } from "#app/db/client.ts";
import { meterDatabase, newMeter } from "#app/db/meter.ts";
import { CommandError } from "#scripts/command.ts";
import { withLocalDatabase } from "#scripts/database.ts";
import { MEANT_SEARCHES, REAL_SEARCHES } from "#tests/support/searches.ts";
import { printLines } from "./table.ts";

const SIZES = [100, 1_000, 10_000];

/** Many people look for the first, some for the second, and nobody for the third. */
const LISTINGS = [
  { name: "HP EliteBook 840 laptop, i5, 8 GB", category: "electronics", price: 24_500 },
  { name: "Electric kettle, 1.7 litres", category: "kitchen", price: 900 },
  { name: "Xylophone", category: "other", price: 5_000 },
];

const WRITTEN_AT_ONCE = 2_000;
const TIMES = 3;

interface Measure {
  searches: number;
  listing: string;
  found: number;
  rowsRead: number;
  trips: number;
  /** The median. */
  milliseconds: number;
}

/**
 * Measures in the data folder, which must be seeded. What students search for is saved with many different highest
 * prices.
 */
export function measureSaved(): Promise<Measure[]> {
  return withLocalDatabase(async (database) => {
    const meter = newMeter();
    const db = openDatabase(meterDatabase(database as unknown as D1Database, meter)); // Miniflare has types of its own.
    const userId = await database.prepare("SELECT id FROM credentials LIMIT 1").first<string>("id");
    if (!userId) throw new CommandError("The data folder has no people.");
    const texts = [...new Set([...REAL_SEARCHES, ...MEANT_SEARCHES].map(({ query }) => readSearch(query, []).words))];
    const words = texts.filter(Boolean);
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
          recognizeType(listing, KEPT_TABLE)?.type ?? null,
          userId,
        )
        .run();
    await write(db, afterListingsChanged(idList(...ids), Date.now()));
    const measures: Measure[] = [];
    let written = 0;
    for (const searches of SIZES) {
      for (; written < searches; written += WRITTEN_AT_ONCE) {
        const rows = Array.from({ length: Math.min(WRITTEN_AT_ONCE, searches - written) }, (_, n) =>
          withPrice(words[(written + n) % words.length] ?? "", Math.floor((written + n) / words.length)),
        );
        await database
          .prepare(
            `INSERT INTO saved_queries (address, max_price, created_at)
              SELECT value ->> 'address', value ->> 'max', 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
          )
          .bind(JSON.stringify(rows))
          .run();
      }
      written = searches;
      for (const [at, { name }] of LISTINGS.entries()) {
        const times: number[] = [];
        let found = 0;
        for (let n = 0; n < TIMES; n += 1) {
          Object.assign(meter, newMeter());
          const start = performance.now();
          found = [...(await findSearchesFor(db, [ids[at] ?? ""])).values()].flat().length;
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
function withPrice(words: string, n: number) {
  const max = 200 + 200 * n;
  return { address: writeSaved({ words, filters: { ...NO_LIST_FILTERS, max } }), max };
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
