import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { productId } from "#app/catalogue/tables.server.ts";
import { id, time, userId } from "#app/db/columns.ts";

export const cartItems = sqliteTable(
  "cart_items",
  {
    id: id(),
    userId: userId().notNull(),
    productId: productId().notNull(),
    /** 1 to 99; up to 9,999 of a wholesale listing. */
    quantity: integer().notNull().default(1),
    /** KES, the price when it was added. A change since then is shown before checkout. */
    priceWhenAdded: integer().notNull().default(0),
    /**
     * The price steps when it was added. Another quantity at these steps needs no confirmation. Null: there were none.
     */
    stepsWhenAdded: text({ mode: "json" }).$type<{ fromQuantity: number; price: number }[]>(),
    /** `products.revision` as the buyer has seen it. A later one is accepted before checkout. */
    revisionWhenAdded: integer().notNull().default(0),
    /** The last request that added pieces. If its answer was lost and it is sent again, it adds nothing. */
    lastAdditionKey: text(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("cart_items_user_product").on(t.userId, t.productId),
    index("cart_items_product").on(t.productId),
  ],
);

export const wishlistItems = sqliteTable(
  "wishlist_items",
  {
    id: id(),
    userId: userId().notNull(),
    productId: productId().notNull(),
    /** KES: its lowest price of which they know: what it cost when it was wished, or what they were told since. */
    price: integer().notNull().default(0),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("wishlist_items_user_product").on(t.userId, t.productId),
    index("wishlist_items_product").on(t.productId),
  ],
);
