import { eq } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { isAsRead, type OwnDetails } from "./own-details.server.ts";
import { type PhoneRefusal, savePhone } from "./payout-phone.server.ts";

export async function findPhone({ db }: Pick<Store, "db">, userId: string): Promise<string | null> {
  const [row] = await db.select({ phone: profiles.phone }).from(profiles).where(eq(profiles.id, userId));
  return row?.phone ?? null;
}

/**
 * Makes a user a seller who is paid on `phone` (254XXXXXXXXX). Safe to repeat. Changes nothing if the number is
 * refused. `mergedWith`: what the number was merged with.
 * @throws PreconditionFailed where somebody changed the profile since `mergedWith` was read
 */
export async function becomeSeller(
  store: Store & { passwordPepper: string },
  { userId, phone, mergedWith }: { userId: string; phone: string; mergedWith: OwnDetails },
): Promise<{ ok: true } | { ok: false; code: PhoneRefusal }> {
  const becomesSeller = build
    .update(profiles)
    .set({ isSeller: true, updatedAt: store.now() })
    .where(eq(profiles.id, userId));
  const number = { userId, phone, passwordHash: null, isAsRead: isAsRead(userId, mergedWith) };
  const saved = await savePhone(store, number, [], [becomesSeller]);
  return saved.ok ? { ok: true } : saved;
}
