/**
 * The M-Pesa number in a profile is where a seller's payouts go. `savePhone` and `removePhone` are the only ways to
 * change it.
 */
import { and, eq, gt, or, type SQL, sql } from "drizzle-orm";
import { PreconditionFailed, type Statement, expectThat, holds, write } from "#app/db/batch.ts";
import { asBoolean, build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- no change of the number may forget coming money
import { orderItems } from "#app/orders/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- as above
import { payouts } from "#app/payments/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- as above
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { ACCESS_HOLD_MS, tellAccountChange } from "#app/accounts/login/account-change.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** money_coming: the change needs the password. changed_often: the day's limit is reached. */
export type PhoneRefusal = "money_coming" | "changed_often";

/** The errors for forms that can't ask for the password. */
export const PHONE_REFUSALS: Record<PhoneRefusal, string> = {
  money_coming: "Money is on its way to you. To change this number, go to Settings and enter your password.",
  changed_often:
    "You've changed this number several times today. To change it again, go to Settings and enter your password.",
};

/**
 * How long payouts wait at least after the number changed, in ms. It is long enough for the owner to read the email.
 */
const PAYOUT_HOLD_AFTER_CHANGE_MS = DAY_MS;
/** How often one number may change in a day. Each change may send an email. */
const CHANGES_A_DAY = 30;

/** What undoes the change needs. */
type PhoneServices = Store & { passwordPepper: string };

interface NewPhone {
  userId: string;
  /** 254XXXXXXXXX */
  phone: string;
  /** The hash of the password that was just checked; null when none was. */
  passwordHash: string | null;
  /** SQL that must still hold, where what is saved was merged with what was read. */
  isAsRead?: SQL | undefined;
}

/**
 * Saves a user's M-Pesa number, in one batch with the statements `before` and `after`, which must contain no guards of
 * their own.
 * While money is coming to the user, a known number changes only with the password. Payouts to a new number wait, and
 * sellers are told of each change.
 * @throws PreconditionFailed where `isAsRead` no longer holds
 */
export async function savePhone(
  store: PhoneServices,
  { userId, phone, passwordHash, isAsRead }: NewPhone,
  before: readonly Statement[],
  after: readonly Statement[] = [],
): Promise<{ ok: true } | { ok: false; code: PhoneRefusal }> {
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
  try {
    await write(store.db, [
      ...(isAsRead ? [expectThat(isAsRead)] : []),
      ...before,
      expectThat(
        sql`NOT ${hasRow(profiles, and(eq(profiles.id, userId), isRisky))}
          OR ${hasRow(credentials, and(eq(credentials.id, userId), isProven))}`,
      ),
      ...writePhone(store, userId, phone),
      ...after,
    ]);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof PreconditionFailed) || (isAsRead && !(await holds(store.db, isAsRead)))) throw error;
    // Something was sold, or the password changed, since we read it.
    return { ok: false, code: "money_coming" };
  }
}

/**
 * Removes a user's M-Pesa number, in one batch with `before`, as `savePhone`. Returns false for sellers and while money
 * is coming, because they need it. Who has sold is told, because another number may follow.
 * @throws PreconditionFailed where `isAsRead` no longer holds
 */
export async function removePhone(
  store: PhoneServices,
  userId: string,
  before: readonly Statement[],
  isAsRead?: SQL,
): Promise<boolean> {
  const isFree = sql`(COALESCE(${profiles.phone}, '') = ''
    OR (${profiles.isSeller} = 0 AND NOT ${moneyComing(userId)}))`;
  try {
    await write(store.db, [
      ...(isAsRead ? [expectThat(isAsRead)] : []),
      ...before,
      expectThat(hasRow(profiles, and(eq(profiles.id, userId), isFree))),
      ...writePhone(store, userId, null),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof PreconditionFailed) || (isAsRead && !(await holds(store.db, isAsRead)))) throw error;
    return false;
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
 * SQL on a profile: somebody has sold or listed something, or is about to. People with a shop who aren't sellers at the
 * moment count, too, because money may still come from the shop.
 */
function sells(userId: string): SQL {
  return sql`(${or(sql`${profiles.isSeller} = 1`, hasRow(shops, eq(shops.id, userId)), hasTraded(userId))})`;
}

function hasTraded(userId: string): SQL {
  return sql`(${or(
    hasRow(orderItems, eq(orderItems.sellerId, userId)),
    hasRow(products, eq(products.sellerId, userId)),
  )})`;
}

/**
 * SQL on a profile: `phone` is new to a seller who had another one before, or whose buyers knew them without one.
 * Whoever becomes a seller chooses their first number.
 */
function isNew(userId: string, phone: string | null): SQL {
  const had = sql`COALESCE(${profiles.phone}, '')`;
  return sql`(${had} <> ${phone ?? ""} AND (${hasTraded(userId)} OR (${had} <> '' AND ${sells(userId)})))`;
}

/** SQL on a profile and its credentials: until when payouts wait, if the number changes now. */
function heldUntil(now: number): SQL<number> {
  const accessChangedAt = sql`COALESCE((${build
    .select({ at: credentials.accessChangedAt })
    .from(credentials)
    .where(sql`${credentials.id} = ${profiles.id}`)}), 0)`;
  return sql<number>`MAX(${now + PAYOUT_HOLD_AFTER_CHANGE_MS}, ${accessChangedAt} + ${ACCESS_HOLD_MS},
    COALESCE(${profiles.payoutsHeldUntil}, 0))`;
}

/**
 * Writes the number; null removes it. Whom the change is told, and which payouts wait, follows from the number before,
 * so the number itself is written last.
 */
function writePhone(store: PhoneServices, userId: string, phone: string | null): Statement[] {
  const now = store.now();
  return [
    ...tellChange(store, userId, phone, now),
    phone === null ? forgetSaidPhone(userId, now) : holdPayouts(userId, phone, now),
    build.update(profiles).set({ phone, updatedAt: now }).where(eq(profiles.id, userId)),
  ];
}

/** The profile form would offer the number of the sign-up again. */
function forgetSaidPhone(userId: string, now: number): Statement {
  return build
    .update(credentials)
    .set({ metadata: sql`json_remove(${credentials.metadata}, '$.phone')`, updatedAt: now })
    .where(eq(credentials.id, userId));
}

function holdPayouts(userId: string, phone: string, now: number): Statement {
  const isHeld = and(eq(profiles.id, userId), isNew(userId, phone));
  return build
    .update(profiles)
    .set({ payoutsHeldUntil: heldUntil(now) })
    .where(isHeld);
}

/** Tells a seller about the change. `phone`: null where it is removed. */
function tellChange(store: PhoneServices, userId: string, phone: string | null, now: number): Statement[] {
  const ending = (number: SQL | string | null) => sql`NULLIF(substr(COALESCE(${number}, ''), -2), '')`;
  const held = build
    .select({ until: heldUntil(now) })
    .from(profiles)
    .where(eq(profiles.id, userId));
  const was = build
    .select({ was: ending(sql`${profiles.phone}`) })
    .from(profiles)
    .where(eq(profiles.id, userId));
  return tellAccountChange(store, userId, {
    kind: "payout_phone_changed",
    data: sql`json_object('was', (${was}), 'is', ${ending(phone)}, 'heldUntil', (${held}))`,
    only: hasRow(profiles, and(eq(profiles.id, userId), isNew(userId, phone))),
  });
}
