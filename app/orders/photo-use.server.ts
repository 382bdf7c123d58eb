import { type SQL, sql } from "drizzle-orm";
import { orderItems } from "./tables.server.ts";
import { uploads } from "#app/accounts/tables.server.ts";

/** SQL on `uploads`: an order shows the photo of its seller. */
export const ORDER_SHOWS_PHOTO: SQL = sql`EXISTS (SELECT 1 FROM ${orderItems} INDEXED BY order_items_photo
    WHERE ${orderItems.sellerId} = ${uploads.ownerId} AND ${orderItems.productImage} IS NOT NULL
      AND ${orderItems.productImage} ->> 'key' = +${uploads.key})`;
