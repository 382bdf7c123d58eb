import { and, eq, exists, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { PROOF_SHOWS_PHOTO } from "#app/catalogue/serials/stolen-serials.server.ts";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { uploads } from "#app/accounts/tables.server.ts";

/**
 * Whether this viewer may see a private photo (`key`). Its uploader always may. Once it belongs to a reported problem,
 * so may the seller of that item, and the admins who decide problems (`decides`). A proof of a theft is for the
 * admins who decide cases (`moderates`).
 */
export async function canSeePhoto(
  db: Database,
  viewer: { id: string; decides: boolean; moderates: boolean },
  key: string,
): Promise<boolean> {
  const isShown = exists(
    build
      .select({ id: problems.orderItemId })
      .from(orders)
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .innerJoin(problems, eq(problems.orderItemId, orderItems.id))
      .crossJoin(sql`json_each(${problems.photos}) photo`)
      .where(
        and(
          eq(orders.userId, uploads.ownerId),
          eq(sql`photo.value`, uploads.key),
          viewer.decides ? undefined : eq(orderItems.sellerId, viewer.id),
        ),
      ),
  );
  const [upload] = await db
    .select({ key: uploads.key })
    .from(uploads)
    .where(
      and(
        eq(uploads.key, key),
        eq(uploads.bucket, "documents"),
        isNotNull(uploads.image),
        isNull(uploads.removingAt),
        or(eq(uploads.ownerId, viewer.id), isShown, viewer.moderates ? PROOF_SHOWS_PHOTO : undefined),
      ),
    );
  return upload !== undefined;
}

/**
 * SQL on `uploads`: a problem that its owner reported shows the private photo. It is looked for in all their orders.
 */
export const PROBLEM_SHOWS_PHOTO: SQL = sql`(${uploads.bucket} = 'documents'
  AND EXISTS (SELECT 1 FROM ${orders} JOIN ${orderItems} ON ${orderItems.orderId} = ${orders.id}
    JOIN ${problems} ON ${problems.orderItemId} = ${orderItems.id}, json_each(${problems.photos}) photo
    WHERE ${orders.userId} = ${uploads.ownerId} AND photo.value = ${uploads.key}))`;
