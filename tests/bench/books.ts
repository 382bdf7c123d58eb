/** Measures a check of the books, with ledgers of several lengths. */
import { openDatabase } from "#app/db/client.ts";
import { meterDatabase, newMeter } from "#app/db/meter.ts";
import { booksBalance, readBooks } from "#app/payments/books/ledger.server.ts";
import { CommandError } from "#scripts/command.ts";
import { withLocalDatabase } from "#scripts/database.ts";
import { addFinishedDeals, ENTRIES_OF_A_DEAL } from "#tests/support/finished-deals.ts";

/** Sales written in one batch. */
const AT_ONCE = 10_000;

export interface BooksMeasure {
  /** Entries of the ledger. */
  entries: number;
  rowsRead: number;
  milliseconds: number;
}

/**
 * Checks the books of the data folder, which must be seeded, after filling its ledger with finished sales up to
 * `entries`.
 */
export async function measureBooks(entries: number): Promise<BooksMeasure> {
  return withLocalDatabase(async (database) => {
    const count = async () =>
      (await database.prepare("SELECT COUNT(*) AS n FROM ledger_entries").first<number>("n")) ?? 0;
    const parties = await database
      .prepare(
        `SELECT id AS productId, seller_id AS sellerId,
          (SELECT id FROM credentials WHERE email = 'buyer@campus.test') AS buyerId FROM products LIMIT 1`,
      )
      .first<{ productId: string; sellerId: string; buyerId: string }>();
    if (!parties) throw new CommandError("The data folder has no products.");
    const made = await database.prepare("SELECT COUNT(*) AS n FROM orders WHERE id LIKE 'order-%'").first<number>("n");
    const first = made ?? 0;
    const until = first + Math.ceil((entries - (await count())) / ENTRIES_OF_A_DEAL);
    for (let from = first; from < until; from += AT_ONCE)
      await addFinishedDeals(database, parties, from, Math.min(until, from + AT_ONCE));
    const meter = newMeter();
    const db = openDatabase(meterDatabase(database as unknown as D1Database, meter)); // Miniflare has types of its own.
    const start = performance.now();
    if (!booksBalance(await readBooks(db))) throw new CommandError("The books don't balance.");
    return { entries: await count(), rowsRead: meter.rowsRead, milliseconds: performance.now() - start };
  });
}

export function printBooks(measures: BooksMeasure[]): void {
  console.log("\nA check of the books:");
  for (const { entries, rowsRead, milliseconds } of measures)
    console.log(
      `  ${entries.toLocaleString("en")} entries: ${rowsRead.toLocaleString("en")} rows read, ${milliseconds.toFixed(0)} ms`,
    );
}
