import { sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import { firstName } from "#app/accounts/name-rules.ts";
import { publicShopTitle } from "#app/accounts/public-names.ts";
import { type Rating, ratingOf } from "#app/accounts/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/ratings.server.ts";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import type { ShownImage } from "#app/catalogue/image-sources.ts";
import {
  type PublicListing,
  publicListingRows,
  readPublicListings,
  sellerListingRows,
} from "#app/catalogue/public-listings.server.ts";
import { PUBLIC_LIST_SIZE } from "#app/catalogue/public-lists.server.ts";
import { rowOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import { withoutContacts } from "#app/platform/public-text.ts";
import { bannerPhoto } from "./banner.ts";

/** A shop as its public page shows it: only what everybody may know. */
export interface PublicShop {
  /** The seller's. */
  id: string;
  title: string;
  /** The seller's first name, where the title is another; else null. */
  seller: string | null;
  campusLocation: string | null;
  level: VerifiedLevel;
  /** The verified name of a business, if it differs from the title. */
  verifiedAs: string | null;
  featured: boolean;
  /** Null for a new seller. */
  rating: Rating | null;
  description: string | null;
  banner: ShownImage | null;
  /** When their holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
}

/** `gone`: the seller's account was deleted or suspended. `unknown`: there has never been a shop. Both list what is new. */
export type PublicShopPage = { listings: PublicListing[] } & (
  | { state: "shown"; shop: PublicShop }
  | { state: "gone" | "unknown" }
);

interface ShopRow {
  id: string;
  shopName: string | null;
  fullName: string | null;
  campusLocation: string | null;
  level: VerifiedLevel | null;
  verifiedName: string | null;
  featured: number;
  description: string | null;
  bannerUrl: string | null;
  stars: string | null;
  awayUntil: number | null;
  gone: number;
}

/** The shop of a short id, with its newest products for sale. One round trip; the number of rows read is bounded. */
export async function findPublicShop(store: Store, shortId: string): Promise<PublicShopPage> {
  const id = idOfShortId("credentials", shortId);
  const now = store.now();
  const [found, listed, newest] = await runBatch(store.db, [
    sql`SELECT c.id, h.shop_name AS shopName, p.full_name AS fullName, p.campus_location AS campusLocation, p.verified_level AS level,
        ${verifiedName(null)} AS verifiedName, COALESCE(h.featured_until > ${now}, 0) AS featured, h.description, h.banner_url AS bannerUrl,
        ${sellerStars(sql`c.id`)} AS stars, ${awayUntil(sql`c.id`, now)} AS awayUntil,
        (c.suspended_at IS NOT NULL OR p.deleted_at IS NOT NULL) AS gone
      FROM credentials c LEFT JOIN profiles p ON p.id = c.id LEFT JOIN shops h ON h.id = c.id
      WHERE c.id = ${id} AND (h.id IS NOT NULL OR p.is_seller = 1 OR EXISTS (SELECT 1 FROM listed_sellers l WHERE l.seller_id = c.id))`,
    sellerListingRows(id, PUBLIC_LIST_SIZE),
    publicListingRows(sql``, PUBLIC_LIST_SIZE),
  ]);
  const row = rowOf<ShopRow>(found);
  if (!row || row.gone === 1) return { state: row ? "gone" : "unknown", listings: readPublicListings(newest) };
  return { state: "shown", shop: toPublicShop(row), listings: readPublicListings(listed) };
}

/** Copies each field by its name, so that a column which is added to the query isn't public by accident. */
function toPublicShop(row: ShopRow): PublicShop {
  const title = publicShopTitle(row);
  return {
    id: row.id,
    title,
    seller: row.shopName?.trim() ? firstName(row.fullName) || null : null,
    campusLocation: row.campusLocation,
    level: row.level ?? "none",
    verifiedAs: otherName(row.verifiedName, title),
    featured: row.featured === 1,
    rating: ratingOf(readStars(row.stars)),
    description: withoutContacts(row.description ?? "").trim() || null,
    banner: row.bannerUrl === null ? null : bannerPhoto(row.bannerUrl),
    awayUntil: row.awayUntil,
  };
}
