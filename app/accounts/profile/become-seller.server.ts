import { eq } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { profiles } from "#app/db/schema.ts";
import { type PhoneRefusal, savePhone } from "./payout-phone.server.ts";

/**
 * Makes a user a seller who is paid on `phone` (254XXXXXXXXX). Safe to repeat. Changes nothing if the number is
 * refused.
 */
export async function becomeSeller(
  store: Store & { passwordPepper: string },
  { userId, phone }: { userId: string; phone: string },
): Promise<{ ok: true } | { ok: false; code: PhoneRefusal }> {
  const becomesSeller = build
    .update(profiles)
    .set({ isSeller: true, updatedAt: store.now() })
    .where(eq(profiles.id, userId));
  const saved = await savePhone(store, { userId, phone, passwordHash: null }, {}, [becomesSeller]);
  return saved.ok ? { ok: true } : saved;
}
