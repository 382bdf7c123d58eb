import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "#app/db/columns.ts";
import { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { orderItemId } from "#app/orders/tables.server.ts";

/** A problem that a buyer reported with an item. There is at most one for each item. */
export const problems = sqliteTable(
  "problems",
  {
    orderItemId: orderItemId().primaryKey(),
    kind: text({ enum: PROBLEM_KINDS }).notNull(),
    description: text().notNull(),
    /** Keys in the private bucket. */
    photos: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    openedAt: time().notNull(),
    /** KES of the price that the seller offers to refund; null until then. */
    offeredRefund: integer(),
    /** KES of the price that the buyer got back, 0 to the item's subtotal; null until it is settled. */
    refunded: integer(),
    settledAt: time(),
  },
  (t) => [index("problems_opened").on(t.openedAt)],
);
