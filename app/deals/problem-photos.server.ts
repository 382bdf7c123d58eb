import { and, eq, exists, isNotNull, isNull, or, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { orderItems, orders, problems, uploads } from "#app/db/schema.ts";

/**
 * Whether this viewer may see a private photo (`key`). Its uploader always may. Once it belongs to a reported problem,
 * so may the seller of that item and the admins.
 */
export async function canSeePhoto(
  db: Database,
  viewer: { id: string; isAdmin: boolean },
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
          viewer.isAdmin ? undefined : eq(orderItems.sellerId, viewer.id),
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
        or(eq(uploads.ownerId, viewer.id), isShown),
      ),
    );
  return upload !== undefined;
}
