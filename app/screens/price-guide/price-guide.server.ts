import { earnedForSql } from "#app/orders/item-price.server.ts";
import { and, desc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { factsOfType, listingFacts, readChosen } from "#app/catalogue/facts/listing-facts.ts";
import type { Facts } from "#app/catalogue/facts/fact-field-rules.ts";
import { PRICE_GROUP, priceGroupOf } from "#app/catalogue/price-group.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { type RowOf, read } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { copies } from "#app/db/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { payoutItems, payouts } from "#app/payments/tables.server.ts";
import { guideText, guideTime, priceGuide } from "./price-guide-rules.ts";

/** How many sales of a group are looked at, the newest first: most groups have fewer in half a year. */
const SALES_READ = 200;

/** Of how many sellers the newest sale is compared. */
const SELLERS_READ = 40;

/**
 * The sales of a group that count: one piece, paid by somebody else than its seller, who got all of the money. So what
 * was cancelled, refunded or refunded in part isn't among them. Of each seller only the newest, so that one with many
 * sales doesn't take the place of others. `group`: SQL, or a text.
 */
function salesOf(group: SQL | string, now: number) {
  const { paidAt, priceGroup, status, quantity, paidBySeller } = orderItems;
  const { from, to } = guideTime(now);
  const recent = build
    .select({ id: orderItems.id, sellerId: orderItems.sellerId, paidAt: sql<number>`${paidAt}`.as("paid_at") })
    .from(orderItems)
    .innerJoin(
      payoutItems,
      and(eq(payoutItems.orderItemId, orderItems.id), eq(payoutItems.amount, earnedForSql(orderItems))),
    )
    .where(
      and(
        sql`${priceGroup} = ${group}`,
        gte(paidAt, from),
        lte(paidAt, to),
        // As in the condition of the index.
        sql`${priceGroup} IS NOT NULL AND ${stateIs(status, ITEM.isCompleted)} AND ${quantity} = 1
          AND ${paidBySeller} = 0`,
      ),
    )
    .orderBy(desc(paidAt))
    .limit(SALES_READ)
    .as("recent");
  // SQLite takes the id from the row with the highest value.
  const newestAt = sql<number>`MAX(${recent.paidAt})`.as("newest_at");
  const newest = build
    .select({ id: recent.id, newestAt })
    .from(recent)
    .groupBy(recent.sellerId)
    .orderBy(desc(newestAt))
    .limit(SELLERS_READ)
    .as("newest");
  return build
    .select({
      sellerId: orderItems.sellerId,
      buyerId: orders.userId,
      payerPhone: orders.phoneNumber,
      payeePhone: payouts.phone,
      name: orderItems.productName,
      price: orderItems.pricePerUnit,
      paidAt: newest.newestAt,
      // As it was ordered, or as it is now where nothing was copied.
      facts: sql<string | null>`COALESCE(${copies.content} -> '$.facts.values',
        (SELECT ${productRow.facts} FROM ${products} product_row WHERE ${productRow.id} = ${orderItems.productId}))`.as(
        "facts",
      ),
    })
    .from(newest)
    .innerJoin(orderItems, eq(orderItems.id, newest.id))
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(payoutItems, eq(payoutItems.orderItemId, orderItems.id))
    .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
    .leftJoin(copies, eq(copies.id, orderItems.copyId))
    .orderBy(desc(newest.newestAt));
}

/** What things like a listing usually go for, in words; null where too few sales say it. One round trip. */
export function findPriceGuide(store: Store, productId: string): Promise<string | null> {
  return guideOf(store, eq(productRow.id, productId));
}

/** The same for the product of a short id. */
export function findPublicGuide(store: Store, shortId: string): Promise<string | null> {
  return guideOf(store, eq(productRow.id, idOfShortId(products, shortId)));
}

async function guideOf(store: Store, own: SQL): Promise<string | null> {
  const group = build.select({ group: PRICE_GROUP }).from(productRow).where(own);
  const now = store.now();
  const [
    {
      things: [thing],
      sales,
    },
    table,
  ] = await Promise.all([
    read(store.db, {
      things: build
        .select(pick(productRow, "name", "type", "facts"))
        .from(productRow)
        .where(own),
      sales: salesOf(sql`(${group})`, now),
    }),
    readTypeTable(store.db),
  ]);
  return thing ? textOf(thing, sales, table, now) : null;
}

interface Written {
  name: string;
  type: string;
  isNew: boolean;
  /** What its seller chose of its facts, as texts. */
  chosen: Facts;
}

/** The same for what somebody is about to list. */
export async function findGuideFor(
  store: Store,
  { name, type, isNew, chosen }: Written,
  table: TypeTable,
): Promise<string | null> {
  const reading = readChosen(chosen, type, table);
  const facts = listingFacts({ name, type }, reading.ok ? reading.chosen : {}, table);
  const now = store.now();
  const sales = await read(store.db, salesOf(priceGroupOf({ type, isNew, brand: facts.brand }), now));
  return textOf({ name, type, facts }, sales, table, now);
}

function textOf(
  thing: { name: string; type: string | null; facts: Facts },
  sales: readonly RowOf<ReturnType<typeof salesOf>>[],
  table: TypeTable,
  now: number,
): string | null {
  const isBook = factsOfType(thing.type, table).some(({ fact }) => fact.id === "author");
  const compared = sales.map(({ facts, ...sale }) => ({ ...sale, facts: JSON.parse(facts ?? "{}") as Facts }));
  const guide = priceGuide({ ...thing, isBook }, compared, now);
  return guide && guideText(guide, now);
}
