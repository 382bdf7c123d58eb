import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";

/**
 * Whether this viewer may see a private photo (`key`). Its uploader always may. Once it belongs to a reported problem,
 * so may the seller of that item and the admins.
 */
export async function canSeePhoto(
  db: Database,
  viewer: { id: string; isAdmin: boolean },
  key: string,
): Promise<boolean> {
  const [row] = await db.all<{ allowed: number }>(
    sql`SELECT u.owner_id = ${viewer.id} OR EXISTS (
        SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id JOIN disputes d ON d.order_item_id = i.id, json_each(d.photos) p
        WHERE o.user_id = u.owner_id AND p.value = u.key AND (i.seller_id = ${viewer.id} OR ${viewer.isAdmin ? 1 : 0})) AS allowed
      FROM uploads u WHERE u.key = ${key} AND u.bucket = 'documents' AND u.image IS NOT NULL AND u.removing_at IS NULL`,
  );
  return row?.allowed === 1;
}
