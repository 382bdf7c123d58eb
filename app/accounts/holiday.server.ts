import { type SQL, sql } from "drizzle-orm";

/** SQL: when a seller's holiday ends (ms since 1970); NULL when they aren't on holiday. `sellerId` is SQL. */
export function awayUntil(sellerId: SQL, now: number): SQL {
  return sql`(SELECT away_until FROM shops WHERE id = ${sellerId} AND away_until > ${now})`;
}

/** SQL: the name of a seller in a sentence. `sellerId` is the SQL of a column. */
export function sellerName(sellerId: SQL): SQL {
  return sql`COALESCE((SELECT NULLIF(trim(full_name), '') FROM profiles WHERE id = ${sellerId}),
    (SELECT shop_name FROM shops WHERE id = ${sellerId}), 'The seller')`;
}
