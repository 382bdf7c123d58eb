import { LISTING_COPY, type ListingCopy } from "#app/catalogue/listing-copy.server.ts";
import { itemRow } from "./table-rows.server.ts";
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Change } from "#app/catalogue/change-words.ts";
import { changesIn, PROMISED_FIELDS } from "#app/catalogue/copy-changes.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { build } from "#app/db/build.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { contentNow, readCopy } from "#app/db/copies.ts";
import { copies } from "#app/db/tables.server.ts";
import { orderItems } from "./tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";

/** An ordered listing as it was when the order was placed, which is what its seller promised. */
export interface OrderedListing {
  /** What people read, with its label: the condition, the category … */
  facts: { label: string; value: string }[];
  description: string;
  /** What the shop promised, and said about itself; empty where it had nothing. */
  policies: string;
  about: string;
  images: ShownImage[];
  /** What its seller has changed since; empty when nothing, or when the listing is deleted or hidden. */
  changes: Change[];
}

/** The columns of `orderedColumns`, as the database answers them. */
export interface OrderedRow {
  copied: string | null;
  listed: string | null;
}

const listing = alias(products, "ordered_listing");

/**
 * SQL on an item of order_items with this name: its listing as it was ordered, and as it is now. Only its seller and
 * our team see what is new in a listing that is held or taken down (`seesHidden`).
 */
export function orderedColumns(
  name: "order_items" | "item_row",
  { seesHidden = false } = {},
): Record<keyof OrderedRow, SQL<string | null>> {
  const item = name === "item_row" ? itemRow : orderItems;
  const isShown = and(isNull(listing.deletedAt), seesHidden ? undefined : isNull(listing.suspendedAt));
  const now = build
    .select({ content: contentNow(LISTING_COPY, sql`${listing.id}`) })
    .from(listing)
    .where(and(eq(listing.id, item.productId), isShown, isNotNull(item.copyId)));
  return {
    copied: sql<
      string | null
    >`${build.select({ content: copies.content }).from(copies).where(eq(copies.id, item.copyId))}`.inlineParams(),
    listed: sql<string | null>`${now}`.inlineParams(),
  };
}

/** The ordered listing of a row with `orderedColumns`; null where the copy was erased. */
function readOrdered({ copied, listed, handover }: OrderedRow & { handover: Handover }): OrderedListing | null {
  const then = readCopy<ListingCopy>(copied);
  if (!then) return null;
  const now = readCopy<ListingCopy>(listed);
  return {
    facts: PROMISED_FIELDS.filter(({ label, isLong }) => !isLong && label !== "Name")
      .filter(({ label }) => label !== "Condition" || HANDOVER_TERMS[handover].hasCondition)
      .map(({ label, read }) => ({ label, value: read(then) }))
      .filter(({ value }) => value !== ""),
    description: then.description,
    policies: then.policies ?? "",
    about: then.about ?? "",
    images: then.images.map(toShown),
    changes: now ? changesIn(PROMISED_FIELDS, then, now) : [],
  };
}

/** An item with its listing as it was ordered. */
export function withOrdered<Row extends OrderedRow & { handover: Handover }>({ copied, listed, ...item }: Row) {
  return { ...item, ordered: readOrdered({ copied, listed, handover: item.handover }) };
}
