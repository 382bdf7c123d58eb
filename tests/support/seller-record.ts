import { sql } from "drizzle-orm";
import { readRecord, sellerRecord } from "#app/accounts/trust/reliability.server.ts";
import { db } from "./fixtures.ts";

/** With how many buyers a seller's sales ended in which way. */
export async function recordOf(sellerId: string) {
  const { record } = (await db.get<{ record: string }>(sql`SELECT ${sellerRecord(sql`${sellerId}`)} AS record`)) ?? {};
  return readRecord(record);
}
