import { and, eq, gt, isNotNull, isNull, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { asJson, build, hasRow, pick } from "#app/db/build.ts";
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { categories, serviceFees } from "#app/catalogue/tables.server.ts";
import type { FeePayer } from "#app/db/states/fee.ts";
import type { FeeRule } from "./fee-rules.ts";

/** SQL on `serviceFees`: `value` of the last confirmed fee that has begun by `now`, among those of `which`. */
function ofLastFee(value: SQL, which: SQL, now: SQLWrapper | number): SQL {
  return sql`(SELECT ${value} FROM ${serviceFees}
    WHERE ${serviceFees.confirmedAt} IS NOT NULL AND ${serviceFees.startsAt} <= ${now} AND ${which}
    ORDER BY ${serviceFees.startsAt} DESC, ${serviceFees.confirmedAt} DESC LIMIT 1)`;
}

/**
 * SQL on `serviceFees`: `value`, which is never NULL, of the fee that holds at `now` for a category: its own, or else
 * that of all others.
 */
function ofCurrentFee(value: SQL, category: SQLWrapper, now: SQLWrapper | number): SQL {
  const own = sql`CASE WHEN NOT ${serviceFees.asOthers} THEN ${value} END`;
  return sql`COALESCE(${ofLastFee(own, sql`${serviceFees.category} = lower(${category})`, now)},
    ${ofLastFee(value, sql`${serviceFees.category} IS NULL`, now)})`;
}

const AS_RULE = sql`json_object('payer', ${serviceFees.payer}, 'share', ${serviceFees.share},
  'smallest', ${serviceFees.smallest}, 'largest', ${serviceFees.largest})`;

/** SQL on `productRow`: the fee that its orders have at `now`, as JSON text; 'null' where there is none. */
export function feeRuleJson(now: SQLWrapper | number): SQL {
  return sql`COALESCE(${ofCurrentFee(AS_RULE, productRow.category, now)}, 'null')`;
}

/** The same, decoded. */
export function feeRule(now: SQLWrapper | number): SQL<FeeRule | null> {
  return asJson<FeeRule | null>(feeRuleJson(now));
}

/** SQL on `serviceFees`: what the fee comes to for `subtotal`, for a fee that `payer` pays. */
function amountFor(payer: FeePayer, subtotal: SQLWrapper): SQL {
  const share = sql`(${subtotal} * ${serviceFees.share} + 5000) / 10000`;
  return sql`CASE WHEN ${serviceFees.payer} = ${payer} AND ${subtotal} > 0
    THEN MIN(MAX(${share}, ${serviceFees.smallest}), ${serviceFees.largest}) ELSE 0 END`;
}

/** SQL on `productRow`: KES that the buyer pays on top of `subtotal`. */
export function buyerFeeSql(subtotal: SQLWrapper, now: number): SQL<number> {
  const fee = sql`COALESCE(${ofCurrentFee(amountFor("buyer", subtotal), productRow.category, now)}, 0)`;
  return sql<number>`MAX(0, MIN(${fee}, ${PAYMENT_LIMITS.max} - ${subtotal}))`;
}

/** SQL on `productRow`: KES of `subtotal` that the seller doesn't get. */
export function sellerFeeSql(subtotal: SQLWrapper, now: number): SQL<number> {
  const fee = sql`COALESCE(${ofCurrentFee(amountFor("seller", subtotal), productRow.category, now)}, 0)`;
  return sql<number>`MAX(0, MIN(${fee}, ${subtotal} - ${PAYOUT_LIMITS.min}))`;
}

/** SQL: the category has a fee of its own at `now`, or one that is confirmed and begins later. */
export function hasOwnFee(category: string, now: number): SQL {
  const isOfIt = eq(serviceFees.category, category);
  const toCome = and(isOfIt, isNotNull(serviceFees.confirmedAt), gt(serviceFees.startsAt, now));
  return sql`(COALESCE(${ofLastFee(sql`NOT ${serviceFees.asOthers}`, isOfIt, now)}, 0)
    OR ${hasRow(serviceFees, toCome)})`;
}

/** SQL: a fee that sellers pay has begun by `now`, whether or not it has ended since. */
export function sellerFeeHasBegun(now: number): SQL {
  const { confirmedAt, largest, payer, startsAt } = serviceFees;
  return hasRow(serviceFees, and(isNotNull(confirmedAt), lte(startsAt, now), eq(payer, "seller"), gt(largest, 0)));
}

/**
 * The query for all confirmed fees, with the names of their categories, but for those of categories that are gone.
 * There are few, because each is set by hand.
 */
export function confirmedFees() {
  return build
    .select({
      ...pick(serviceFees, "id", "category", "payer", "share", "smallest", "largest", "asOthers", "startsAt"),
      confirmedAt: sql<number>`${serviceFees.confirmedAt}`.as("confirmed_at"),
      categoryName: categories.name,
    })
    .from(serviceFees)
    .leftJoin(categories, eq(categories.id, serviceFees.category))
    .where(and(isNotNull(serviceFees.confirmedAt), or(isNull(serviceFees.category), isNotNull(categories.id))));
}
