import { and, inArray, isNull } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { build, named } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { type ProductSummary } from "#app/catalogue/products.server.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";
import { COVER } from "#app/catalogue/listing-columns.server.ts";
import { stockLabel } from "#app/catalogue/selling/listing-stock-rules.ts";
import { VIEWED_ON_HOME } from "./browsing-history.ts";

/** A product that was viewed, as it is now. */
export type ViewedNow = Pick<ProductSummary, "id" | "name" | "price" | "image" | "status" | "stockLabel">;

/**
 * The products with these ids, in their order, at most as many as the home page shows. Those that nobody may see any
 * more are left out. One round trip.
 */
export async function findViewedProducts(db: Database, ids: readonly string[]): Promise<ViewedNow[]> {
  const asked = ids.slice(0, VIEWED_ON_HOME);
  if (asked.length === 0) return [];
  const { id, name, price, condition, status, stock, reserved } = productRow;
  const rows = await read(
    db,
    build
      .select(named({ id, name, price, image: COVER, condition, status, stock, reserved }))
      .from(productRow)
      .where(and(inArray(id, asked), isNull(productRow.deletedAt), isNull(productRow.suspendedAt))),
  );
  return rows
    .toSorted((one, other) => asked.indexOf(one.id) - asked.indexOf(other.id))
    .map((row) => ({
      id: row.id,
      name: row.name,
      price: row.price,
      image: row.image && toShown(row.image),
      status: row.status,
      stockLabel: stockLabel(row),
    }));
}
