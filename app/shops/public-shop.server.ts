import { and, eq, gt, isNotNull, or, sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { publicShopTitle } from "#app/accounts/profile/public-names.ts";
import { type Rating, ratingOf } from "#app/accounts/trust/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/trust/ratings.server.ts";
import type { VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import {
  type PublicListing,
  publicListingRows,
  readPublicListings,
  sellerListingRows,
} from "#app/catalogue/browse/public-listings.server.ts";
import { PUBLIC_LIST_SIZE } from "#app/catalogue/browse/public-lists.server.ts";
import { type RowOf, read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials, shops } from "#app/accounts/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { personRow } from "#app/accounts/table-rows.server.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { withoutContacts } from "#app/safety/public-text-rules.ts";
import { bannerPhoto } from "./banner.ts";

/** A shop as its public page shows it: only what everybody may know. */
export interface PublicShop {
  /** The seller's. */
  id: string;
  title: string;
  /** The seller's first name, where the title is another; else null. */
  seller: string | null;
  campusLocation: string | null;
  /** Whether that is a campus of our list, which has a public page. */
  isOnList: boolean;
  level: VerifiedLevel;
  /** The verified name of a business, if it differs from the title. */
  verifiedAs: string | null;
  featured: boolean;
  /** Null for a new seller. */
  rating: Rating | null;
  description: string | null;
  /** What to know about the description; null for nothing. */
  warning: string | null;
  banner: ShownImage | null;
  /** The path of its smallest variant. */
  logoUrl: string | null;
  /** When their holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
}

/**
 * `gone`: the seller's account was deleted or suspended. `unknown`: there has never been a shop. Both list what is new.
 */
export type PublicShopPage = { listings: PublicListing[] } & (
  | { state: "shown"; shop: PublicShop }
  | { state: "gone" | "unknown" }
);

/** The shop of a short id, with its newest products for sale. One round trip; the number of rows read is bounded. */
export async function findPublicShop(store: Store, shortId: string): Promise<PublicShopPage> {
  const id = idOfShortId(credentials, shortId);
  const now = store.now();
  const isSeller = or(
    isNotNull(shops.id),
    eq(personRow.isSeller, true),
    hasRow(products, eq(products.sellerId, credentials.id)),
  );
  const {
    row: [row],
    listed,
    newest,
  } = await read(store.db, {
    row: shopRows(now).where(and(eq(credentials.id, id), isSeller)),
    listed: sellerListingRows(id, PUBLIC_LIST_SIZE),
    newest: publicListingRows(undefined, PUBLIC_LIST_SIZE),
  });
  if (!row || row.gone) return { state: row ? "gone" : "unknown", listings: readPublicListings(newest) };
  return { state: "shown", shop: toPublicShop(row), listings: readPublicListings(listed) };
}

function shopRows(now: number) {
  const sellerId = sql`${credentials.id}`;
  return build
    .select({
      id: credentials.id,
      shopName: shops.shopName,
      fullName: personRow.fullName,
      campusLocation: personRow.campusLocation,
      isOnList: asBoolean(isNotNull(personRow.campusLocationId)),
      level: personRow.verifiedLevel,
      verifiedName: verifiedName(null),
      featured: asBoolean(sql`COALESCE(${gt(shops.featuredUntil, now)}, 0)`),
      ...pick(shops, "description", "bannerUrl", "logoUrl"),
      stars: sql<string | null>`${sellerStars(sellerId)}`,
      awayUntil: awayUntil(sellerId, now),
      gone: asBoolean(sql`(${isNotNull(credentials.suspendedAt)} OR ${isNotNull(personRow.deletedAt)})`),
    })
    .from(credentials)
    .leftJoin(personRow, eq(personRow.id, credentials.id))
    .leftJoin(shops, eq(shops.id, credentials.id));
}

/** Copies each field by its name, so that a column which is added to the query isn't public by accident. */
function toPublicShop(row: RowOf<ReturnType<typeof shopRows>>): PublicShop {
  const title = publicShopTitle(row);
  return {
    id: row.id,
    title,
    seller: row.shopName?.trim() ? firstName(row.fullName) || null : null,
    campusLocation: row.campusLocation,
    isOnList: row.isOnList,
    level: row.level ?? "none",
    verifiedAs: otherName(row.verifiedName, title),
    featured: row.featured,
    rating: ratingOf(readStars(row.stars)),
    description: withoutContacts(row.description ?? "").trim() || null,
    warning: row.description === null ? null : textWarning(row.description),
    banner: row.bannerUrl === null ? null : bannerPhoto(row.bannerUrl),
    logoUrl: row.logoUrl,
    awayUntil: row.awayUntil,
  };
}
