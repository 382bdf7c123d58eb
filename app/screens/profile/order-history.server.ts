import { memberRow, readMember } from "#app/accounts/member.server.ts";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { type Cursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { listOrdersOfBuyer } from "#app/orders/orders.server.ts";

const PAGE_SIZE = 20;

/**
 * A member's profile and one page of their orders, newest first, after `cursor`. Null when there is no profile. One
 * round trip.
 */
export async function findOrderHistory(db: Database, userId: string, cursor: Cursor | null) {
  const [members, rows] = await db.batch([
    memberRow(db, userId, listedBy(userId)),
    listOrdersOfBuyer(db, userId, PAGE_SIZE + 1, cursor ?? undefined),
  ]);
  const member = readMember(members);
  if (!member) return null;
  const orders = rows.slice(0, PAGE_SIZE).map((row) => ({
    ...row,
    firstImage: row.firstImage ? (JSON.parse(row.firstImage) as ProductImage | null) : null,
  }));
  const last = orders.at(-1);
  return { member, orders, next: rows.length > PAGE_SIZE && last ? writeCursor(last) : null };
}

export type PastOrder = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>["orders"][number];
