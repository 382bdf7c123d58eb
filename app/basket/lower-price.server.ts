import { and, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { hasBlocked } from "#app/accounts/trust/blocks.server.ts";
import { sellerFeeText } from "#app/catalogue/fees/fee-rules.ts";
import { feeRule } from "#app/catalogue/fees/fees.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { isFree, isRested, type Listing, lowerListing } from "#app/catalogue/selling/lower-price.server.ts";
import { loweredPrice, type Lowering } from "#app/catalogue/selling/lower-price-rules.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { read, write } from "#app/db/batch.ts";
import { build, idList, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { wishlistItems } from "./tables.server.ts";
import { isFallTo } from "./wish-alerts.server.ts";

interface Own {
  sellerId: string;
  productId: string;
}

function isForSale(listing: Listing) {
  return and(eq(listing.status, "active"), isNull(listing.deletedAt), isNull(listing.suspendedAt));
}

/** SQL on `productRow`: the seller's own listing, for sale. */
function isOwn({ sellerId, productId }: Own) {
  return and(eq(productRow.id, productId), eq(productRow.sellerId, sellerId), isForSale(productRow));
}

/**
 * SQL on `productRow`: how many people saved it and would be told of this price. Whom the seller has blocked isn't
 * told, but counts: else they would find out who saved it by blocking people.
 */
function saversAt(price: SQLWrapper | number) {
  return build.$count(
    wishlistItems,
    and(
      eq(wishlistItems.productId, productRow.id),
      isFallTo(price),
      sql`NOT ${hasBlocked(sql`${wishlistItems.userId}`, sql`${productRow.sellerId}`)}`,
    ),
  );
}

/** What a press on the seller's own listing would do; null where it can't be made cheaper now, or nobody saved it. */
export async function findLowering({ db, now }: Store, own: Own): Promise<Lowering | null> {
  const [row] = await read(
    db,
    build
      .select({
        ...pick(productRow, "price", "lowestOffer"),
        feeRule: feeRule(now()),
        // It takes a tenth off, or a little more.
        savers: sql<number>`${saversAt(sql`${productRow.price} * 9 / 10`)}`.as("savers"),
      })
      .from(productRow)
      .where(and(isOwn(own), eq(productRow.wholesale, false), isFree(productRow), isRested(productRow, now()))),
  );
  const to = row && loweredPrice(row.price);
  if (!row || !to || row.savers === 0 || (row.lowestOffer !== null && to <= row.lowestOffer)) return null;
  return { from: row.price, to, savers: row.savers, fee: sellerFeeText(row.feeRule, to) };
}

type LowerResult =
  /** `savers`: who are told by the job of listing news. */
  { ok: true; price: number; savers: number } | { ok: false; code: "not_found" | "changed" | "too_soon" | "not_now" };

/**
 * Makes the seller's own listing cheaper, if it still costs what they saw (`seen`, KES). A second press is `changed`.
 * Whoever saved it is told as of any lower price (`tellWishers`).
 */
export async function lowerPrice(store: Store, { seen, ...own }: Own & { seen: number }): Promise<LowerResult> {
  const now = store.now();
  const price = loweredPrice(seen);
  if (price === null) return { ok: false, code: "not_now" };
  const {
    changed,
    found: [found],
  } = await write(store.db, {
    changed: lowerListing({ ...own, seen, price }, now, {}, isForSale(products)),
    found: build
      .select({
        price: productRow.price,
        isRested: sql<number>`${isRested(productRow, now)}`.as("is_rested"),
        savers: sql<number>`${saversAt(price)}`.as("savers"),
      })
      .from(productRow)
      .where(isOwn(own)),
    follows: [...afterListingsChanged(idList(own.productId), now)],
  });
  if (!found) return { ok: false, code: "not_found" };
  if (changed.meta.changes > 0) return { ok: true, price, savers: found.savers };
  if (found.price !== seen) return { ok: false, code: "changed" };
  return { ok: false, code: found.isRested ? "not_now" : "too_soon" };
}
