import { sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { tellOfNewPhone } from "./payout-phone.server.ts";

/** Makes a user a seller who is paid on `phone`, 254XXXXXXXXX (commerce spec §6, Become a Seller). Safe to repeat. */
export async function becomeSeller(store: Store, input: { userId: string; phone: string }): Promise<void> {
  const now = store.now();
  await runBatch(store.db, [
    tellOfNewPhone(input.userId, input.phone, now),
    sql`UPDATE profiles SET is_seller = 1, phone = ${input.phone}, updated_at = ${now} WHERE id = ${input.userId}`,
  ]);
}
