import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { shops } from "#app/accounts/tables.server.ts";
import { id, time, userId } from "#app/db/columns.ts";
import { stateIs } from "#app/db/state-is.ts";
import { PLAN, PLAN_STATUSES } from "#app/db/states/plan.ts";

export const shopFollows = sqliteTable(
  "shop_follows",
  {
    userId: userId().notNull(),
    shopId: text()
      .notNull()
      .references(() => shops.id),
    createdAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.shopId] }), index("shop_follows_shop").on(t.shopId)],
);

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: id(),
    userId: userId().notNull(),
    plan: text({ enum: ["weekly_featured", "biweekly_featured", "monthly_premium"] }).notNull(),
    /** KES. */
    amount: integer().notNull(),
    status: text({ enum: PLAN_STATUSES }).notNull().default("pending_payment"),
    startsAt: time(),
    endsAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("subscriptions_user").on(t.userId, t.createdAt),
    index("subscriptions_ending").on(t.status, t.endsAt),
    // Only one at a time waits for its payment, however often Subscribe is pressed.
    uniqueIndex("subscriptions_waiting").on(t.userId, t.plan).where(stateIs("status", PLAN.awaitsPayment)),
  ],
);
