/** The M-Pesa number in a profile is where a seller's payouts go. `savePhone` and `removePhone` are the only ways to change it. */
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { expectThat, PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, named } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, orderItems, payouts, profiles, shops } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";

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
 * of each change.
 */
export async function savePhone(
  store: Store,
  { userId, phone, passwordHash }: NewPhone,
  before: Statement[] = [],
): Promise<{ ok: true; results: readonly unknown[] } | { ok: false; code: PhoneRefusal }> {
  const now = store.now();
  const [known] = await store.db
    .select({ changes: asBoolean(isOther(phone)), coming: asBoolean(moneyComing(userId)) })
    .from(profiles)
    .where(eq(profiles.id, userId));
  if (known?.changes) {
    if (known.coming && passwordHash === null) return { ok: false, code: "money_coming" };
    if (!(await countChange(store, userId, passwordHash === null ? "freely" : "with password")))
      return { ok: false, code: "changed_often" };
  }
  const isRisky = sql`(${isOther(phone)} AND ${moneyComing(userId)})`;
  const isProven = sql`${credentials.passwordHash} = ${passwordHash}`;
  const heldUntil = sql`CASE WHEN ${isRisky} THEN ${now + PAYOUT_HOLD_AFTER_CHANGE_MS}
    ELSE ${profiles.payoutsHeldUntil} END`;
  try {
    const results = await runBatch(store.db, [
      ...before,
      expectThat(
        sql`NOT ${hasRow(profiles, and(eq(profiles.id, userId), isRisky))}
          OR ${hasRow(credentials, and(eq(credentials.id, userId), isProven))}`,
      ),
      ...tellChange(userId, phone, now),
      build.update(profiles).set({ payoutsHeldUntil: heldUntil, phone, updatedAt: now }).where(eq(profiles.id, userId)),
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
  const isFree = sql`(COALESCE(${profiles.phone}, '') = ''
    OR (${profiles.isSeller} = 0 AND NOT ${moneyComing(userId)}))`;
  try {
    const results = await runBatch(store.db, [
      ...before,
      expectThat(hasRow(profiles, and(eq(profiles.id, userId), isFree))),
      build.update(profiles).set({ phone: null, updatedAt: store.now() }).where(eq(profiles.id, userId)),
    ]);
    return { ok: true, results };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false };
    throw error;
  }
}

/** Whether `phone` would replace a different number in the profile. */
function isOther(phone: string): SQL {
  return sql`COALESCE(${profiles.phone}, '') NOT IN ('', ${phone})`;
}

/**
 * Counts one more change; false when the day's limit is reached. Changes with the password have a limit of their own.
 */
function countChange(store: Store, userId: string, how: "freely" | "with password"): Promise<boolean> {
  return takeAllowance(store, [{ key: `phone-changes:${how}:${userId}`, max: CHANGES_A_DAY, windowMs: DAY_MS }]);
}

/** SQL: a seller has sold something whose money hasn't reached them. */
export function moneyComing(sellerId: string): SQL {
  const isHeld = and(stateIs(orderItems.status, ITEM.isHeld), gt(orderItems.subtotal, 0));
  return sql`(${hasRow(orderItems, and(eq(orderItems.sellerId, sellerId), isHeld))}
    OR ${hasRow(payouts, and(eq(payouts.sellerId, sellerId), stateIs(payouts.state, TRANSFER.isOpen)))})`;
}

/**
 * Tells a seller about the change. Run it before the number is written. People with a shop who aren't sellers at the
 * moment are told, too, because money may still come from the shop.
 */
function tellChange(userId: string, phone: string, now: number): Statement[] {
  const heldUntil = sql`CASE WHEN ${moneyComing(userId)} THEN ${now + PAYOUT_HOLD_AFTER_CHANGE_MS} END`;
  const seller = build
    .select({
      userId: named(profiles.id, "userId"),
      key: sql`${`payout_phone_changed:${userId}:${now}:${phone}`}`.as("key"),
      data: sql`json_object('was', substr(${profiles.phone}, -2), 'is', ${phone.slice(-2)}, 'heldUntil', ${heldUntil})`.as(
        "data",
      ),
    })
    .from(profiles)
    .where(
      sql`${eq(profiles.id, userId)} AND (${profiles.isSeller} = 1 OR ${hasRow(shops, eq(shops.id, profiles.id))})
        AND ${isOther(phone)}`,
    );
  return notifyEach("payout_phone_changed", seller.getSQL(), now);
}
