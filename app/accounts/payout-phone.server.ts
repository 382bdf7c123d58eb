/** The number that a seller's money goes to: nobody may change it unseen, nor while money is on its way without the password. */
import { sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import type { Mail } from "#app/platform/mailer.ts";

/** What is said where the number may not be changed just so. */
export const MONEY_COMING_TEXT = "Money is on its way to you. Change this number under Settings, with your password.";

export const CHANGED_OFTEN_TEXT =
  "You have changed this number several times today. Change it under Settings, with your password.";

/**
 * Counts one more change of a number; false where it was changed too often for a day, for each change may be a mail. Changes with the
 * password are counted by themselves: whoever borrows a phone cannot keep its owner from putting the number right.
 */
export function mayChangePhone(store: Store, userId: string, how: "freely" | "with password"): Promise<boolean> {
  return takeAllowance(store, [{ key: `phone-changes:${how}:${userId}`, max: 30, windowMs: 24 * 60 * 60_000 }]);
}

/** Whether a seller has sold something whose money is still to reach them. */
export async function hasMoneyComing({ db }: Pick<Store, "db">, sellerId: string): Promise<boolean> {
  const [row] = await db.all<{ coming: number }>(sql`SELECT ${moneyComing(sellerId)} AS coming`);
  return row?.coming === 1;
}

/** The same as part of a query: 1 or 0. */
export function moneyComing(sellerId: string) {
  return sql`(EXISTS (SELECT 1 FROM order_items i WHERE i.seller_id = ${sellerId} AND i.status IN ('processing', 'shipped') AND i.subtotal > 0)
    OR EXISTS (SELECT 1 FROM payouts y WHERE y.seller_id = ${sellerId} AND y.state <> 'paid'))`;
}

/**
 * For the batch that sets a phone (254XXXXXXXXX), before it does: a seller whose number changes is told at once by mail. So is who
 * has a shop and does not call themselves a seller any more, for money may come of it again.
 */
export function tellOfNewPhone(userId: string, phone: string, now: number): Statement {
  const mail: Mail = { to: "", template: "payout_phone_changed", data: { name: "", was: "", is: phone.slice(-2) } };
  return sql`INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, created_at)
    SELECT ${crypto.randomUUID()}, 'mail', 'payout_phone_changed:' || p.id || ':' || ${now} || ':' || ${phone},
      json_set(${JSON.stringify(mail)}, '$.to', c.email, '$.data.name', p.full_name, '$.data.was', substr(p.phone, -2)), 0, ${now}, ${now}
    FROM profiles p JOIN credentials c ON c.id = p.id
    WHERE p.id = ${userId} AND (p.is_seller = 1 OR EXISTS (SELECT 1 FROM shops s WHERE s.id = p.id)) AND p.phone IS NOT NULL AND p.phone <> ${phone}
    ON CONFLICT (dedupe_key) DO NOTHING`;
}
