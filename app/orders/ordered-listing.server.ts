import { type SQL, sql } from "drizzle-orm";
import { type Change, changesIn, PROMISED_FIELDS } from "#app/catalogue/copy-changes.ts";
import type { ShownImage } from "#app/catalogue/image-sources.ts";
import { toShown } from "#app/catalogue/products.server.ts";
import { contentNow, readCopy } from "#app/db/copies.ts";

/** An ordered listing as it was when the order was placed, which is what its seller promised. */
export interface OrderedListing {
  /** What people read, with its label: the condition, the category … */
  facts: { label: string; value: string }[];
  description: string;
  images: ShownImage[];
  /** What its seller has changed since; empty when nothing, or when the listing is deleted or hidden. */
  changes: Change[];
}

/** The columns of `orderedColumns`, as the database answers them. */
export interface OrderedRow {
  copied: string | null;
  listed: string | null;
}

/**
 * SQL on an item of order_items with this alias: its listing as it was ordered, and as it is now. Only its seller and our
 * team see what is new in a listing that is held or taken down (`seesHidden`).
 */
export function orderedColumns(
  alias: "order_items" | "i",
  { seesHidden = false } = {},
): Record<keyof OrderedRow, SQL<string | null>> {
  const item = (column: string) => sql.raw(`${alias}.${column}`);
  return {
    copied: sql`(SELECT oc.content FROM copies oc WHERE oc.id = ${item("copy_id")})`,
    listed: sql`(SELECT ${contentNow("listing", sql`ol.id`)} FROM products ol WHERE ol.id = ${item("product_id")} AND ol.deleted_at IS NULL
      ${seesHidden ? sql`` : sql`AND ol.suspended_at IS NULL`} AND ${item("copy_id")} IS NOT NULL)`,
  };
}

/** The ordered listing of a row with `orderedColumns`; null for orders from before there were copies. */
export function readOrdered({ copied, listed }: OrderedRow): OrderedListing | null {
  const then = readCopy("listing", copied);
  if (!then) return null;
  const now = readCopy("listing", listed);
  return {
    facts: PROMISED_FIELDS.filter(({ label, isLong }) => !isLong && label !== "Name")
      .map(({ label, read }) => ({ label, value: read(then) }))
      .filter(({ value }) => value !== ""),
    description: then.description,
    images: then.images.map(toShown),
    changes: now ? changesIn(PROMISED_FIELDS, then, now) : [],
  };
}

/** An item with its listing as it was ordered. */
export function withOrdered<Row extends OrderedRow>({ copied, listed, ...item }: Row) {
  return { ...item, ordered: readOrdered({ copied, listed }) };
}
