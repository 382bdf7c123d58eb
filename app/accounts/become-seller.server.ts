import { sql } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";

/** Makes a user a seller who is paid on `phone`, 254XXXXXXXXX (commerce spec §6, Become a Seller). Safe to repeat. */
export async function becomeSeller(store: Store, input: { userId: string; phone: string }): Promise<void> {
  await store.db.run(sql`UPDATE profiles SET is_seller = 1, phone = ${input.phone}, updated_at = ${store.now()} WHERE id = ${input.userId}`);
}
