import type { RowDatabase } from "#scripts/backup/tables.ts";

/** Books one side of a transaction in a database of any kind. It balances once the other side is booked, too. */
export async function bookOneSide(database: RowDatabase, account: string, amount: number): Promise<void> {
  await database.batch([
    database
      .prepare(
        `INSERT INTO ledger_entries (id, transaction_id, account, kind, amount, created_at)
          VALUES (?1, 'torn', ?1, 'charge', ?2, 1)`,
      )
      .bind(account, amount),
  ]);
}
