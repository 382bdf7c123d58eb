import { sql } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";
import { type PhoneRefusal, savePhone } from "./payout-phone.server.ts";

/**
 * Makes a user a seller who is paid on `phone` (254XXXXXXXXX). Safe to repeat. Changes nothing if the number is
 * refused.
 */
export async function becomeSeller(
  store: Store,
  { userId, phone }: { userId: string; phone: string },
): Promise<{ ok: true } | { ok: false; code: PhoneRefusal }> {
  return savePhone(store, { userId, phone, passwordHash: null }, [
    sql`UPDATE profiles SET is_seller = 1, updated_at = ${store.now()} WHERE id = ${userId}`,
  ]);
}
