/** The M-Pesa number in a profile is where a seller's payouts go. `savePhone` and `removePhone` are the only ways to change it. */
import { type SQL, sql } from "drizzle-orm";
import { expectThat, PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYOUT } from "#app/db/states/payout.ts";
import type { Mail } from "#app/platform/mailer.ts";

/** money_coming: the change needs the password. changed_often: the day's limit is reached. */
export type PhoneRefusal = "money_coming" | "changed_often";

/** The errors for forms that can't ask for the password. */
export const PHONE_REFUSALS: Record<PhoneRefusal, string> = {
  money_coming: "Money is on its way to you. To change this number, go to Settings and enter your password.",
  changed_often:
    "You've changed this number several times today. To change it again, go to Settings and enter your password.",
};

const DAY_MS = 24 * 60 * 60_000;
/**
 * How long payouts wait after the number changed while money was coming, in ms. It is long enough for the owner to read
 * the email.
 */
const PAYOUT_HOLD_AFTER_CHANGE_MS = DAY_MS;
/** How often one number may change in a day. Each change may send an email. */
const CHANGES_A_DAY = 30;

interface NewPhone {
  userId: string;
  /** 254XXXXXXXXX */
  phone: string;
  /** The hash of the password that was just checked; null when none was. */
  passwordHash: string | null;
}

/**
 * Saves a user's M-Pesa number, in one batch with `before`, which must contain no guards of its own. While money is
 * coming to the user, a known number changes only with the password, and payouts then wait for a day. Sellers are told
 * of each change by email.
 */
export async function savePhone(
  store: Store,
  { userId, phone, passwordHash }: NewPhone,
  before: Statement[] = [],
): Promise<{ ok: true; results: readonly unknown[] } | { ok: false; code: PhoneRefusal }> {
  const now = store.now();
  const [known] = await store.db.all<{ changes: number; coming: number }>(
    sql`SELECT ${isOther(phone)} AS changes, ${moneyComing(userId)} AS coming FROM profiles p WHERE p.id = ${userId}`,
  );
  if (known?.changes === 1) {
    if (known.coming === 1 && passwordHash === null) return { ok: false, code: "money_coming" };
    if (!(await countChange(store, userId, passwordHash === null ? "freely" : "with password")))
      return { ok: false, code: "changed_often" };
  }
  try {
    const results = await runBatch(store.db, [
      ...before,
      expectThat(sql`NOT (EXISTS (SELECT 1 FROM profiles p WHERE p.id = ${userId} AND ${isOther(phone)}) AND ${moneyComing(userId)})
        OR EXISTS (SELECT 1 FROM credentials WHERE id = ${userId} AND password_hash = ${passwordHash})`),
      mailAboutChange(userId, phone, now),
      sql`UPDATE profiles AS p SET payouts_held_until = CASE WHEN ${isOther(phone)} AND ${moneyComing(userId)} THEN ${now + PAYOUT_HOLD_AFTER_CHANGE_MS} ELSE payouts_held_until END,
          phone = ${phone}, updated_at = ${now} WHERE p.id = ${userId}`,
    ]);
    return { ok: true, results };
  } catch (error) {
    // Something was sold, or the password changed, since we read it.
    if (error instanceof PreconditionFailed) return { ok: false, code: "money_coming" };
    throw error;
  }
}

/**
 * Removes a user's M-Pesa number, in one batch with `before`. Returns false for sellers and while money is coming,
 * because they need it.
 */
export async function removePhone(
  store: Store,
  userId: string,
  before: Statement[],
): Promise<{ ok: true; results: readonly unknown[] } | { ok: false }> {
  const isFree = sql`EXISTS (SELECT 1 FROM profiles p WHERE p.id = ${userId} AND (COALESCE(p.phone, '') = '' OR (p.is_seller = 0 AND NOT ${moneyComing(userId)})))`;
  try {
    const results = await runBatch(store.db, [
      ...before,
      expectThat(isFree),
      sql`UPDATE profiles SET phone = NULL, updated_at = ${store.now()} WHERE id = ${userId}`,
    ]);
    return { ok: true, results };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false };
    throw error;
  }
}

/** Whether `phone` would replace a different number in the profile row `p`. */
function isOther(phone: string): SQL {
  return sql`(COALESCE(p.phone, '') NOT IN ('', ${phone}))`;
}

/**
 * Counts one more change; false when the day's limit is reached. Changes with the password have a limit of their own.
 */
function countChange(store: Store, userId: string, how: "freely" | "with password"): Promise<boolean> {
  return takeAllowance(store, [{ key: `phone-changes:${how}:${userId}`, max: CHANGES_A_DAY, windowMs: DAY_MS }]);
}

/** SQL: 1 if a seller has sold something whose money hasn't reached them, else 0. */
export function moneyComing(sellerId: string): SQL {
  return sql`(EXISTS (SELECT 1 FROM order_items i WHERE i.seller_id = ${sellerId} AND ${stateIs("i.status", ITEM.isHeld)} AND i.subtotal > 0)
    OR EXISTS (SELECT 1 FROM payouts y WHERE y.seller_id = ${sellerId} AND ${stateIs("y.state", PAYOUT.isOpen)}))`;
}

/**
 * Emails a seller about the change. Run it before the number is written. People with a shop who aren't sellers at the
 * moment are told, too, because money may still come from the shop.
 */
function mailAboutChange(userId: string, phone: string, now: number): Statement {
  const mail: Mail = {
    to: "",
    template: "payout_phone_changed",
    data: { name: "", was: "", is: phone.slice(-2), heldUntil: null },
  };
  return sql`INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, created_at)
    SELECT ${crypto.randomUUID()}, 'mail', 'payout_phone_changed:' || p.id || ':' || ${now} || ':' || ${phone},
      json_set(${JSON.stringify(mail)}, '$.to', c.email, '$.data.name', p.full_name, '$.data.was', substr(p.phone, -2),
        '$.data.heldUntil', CASE WHEN ${moneyComing(userId)} THEN ${now + PAYOUT_HOLD_AFTER_CHANGE_MS} END), 0, ${now}, ${now}
    FROM profiles p JOIN credentials c ON c.id = p.id
    WHERE p.id = ${userId} AND (p.is_seller = 1 OR EXISTS (SELECT 1 FROM shops s WHERE s.id = p.id)) AND ${isOther(phone)}
    ON CONFLICT (dedupe_key) DO NOTHING`;
}
