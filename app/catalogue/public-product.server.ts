import { sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import { publicSellerName, publicShopTitle } from "#app/accounts/public-names.ts";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { rowOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import { textWarning } from "#app/platform/contact-warning-rules.ts";
import { withoutContacts } from "#app/platform/public-text.ts";
import type { ShownImage } from "./image-sources.ts";
import { shownCampus } from "./labels.ts";
import { previewPath } from "./photo-rules.ts";
import { type PriceStep, readSteps } from "./price-step-rules.ts";
import { type ProductSummary, summaryColumns, type SummaryRow, toShown, toSummary } from "./products.server.ts";
import {
  type PublicListing,
  publicListingRows,
  publicProductName,
  readPublicListings,
} from "./public-listings.server.ts";
import { STEPS_OF } from "./wholesale.server.ts";

/** A product as its public page shows it: only what everybody may know. Prices in KES. */
export interface PublicProduct extends Pick<
  ProductSummary,
  | "id"
  | "name"
  | "price"
  | "originalPrice"
  | "condition"
  | "category"
  | "categoryKey"
  | "rating"
  | "status"
  | "stockLabel"
  | "featured"
  | "wholesale"
> {
  /** The campus; null where nobody knows it. */
  location: string | null;
  description: string;
  /** What buyers should be careful about in the description. */
  warning: string | null;
  images: ShownImage[];
  /** Raised by each edit of its name, condition, description or photos. */
  revision: number;
  /** Pieces: the smallest order. */
  minQuantity: number;
  steps: PriceStep[];
  /** The address of its cover's preview; null where there is none. */
  preview: string | null;
  seller: PublicSeller;
}

interface PublicSeller {
  id: string;
  /** The shop's name, or the first name. */
  name: string;
  /** What the shop's public page is called. */
  shopTitle: string;
  campusLocation: string | null;
  level: VerifiedLevel;
  /** The verified name of a business, if it differs from `name`. */
  verifiedAs: string | null;
  /** When their holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
}

/** The other products below it: the newest of its category, or of all where it has none. */
export interface OtherListings {
  kind: "similar" | "newest";
  listings: PublicListing[];
}

/**
 * `gone`: it was deleted, taken down or held, or its seller's account is gone or suspended. Then nothing of it may be
 * shown. `unknown`: it never existed.
 */
export type PublicProductPage = { others: OtherListings } & (
  | { state: "shown"; product: PublicProduct }
  | { state: "gone"; id: string; sellerId: string }
  | { state: "unknown" }
);

/** How many other products the page shows. */
const OTHERS = 8;

interface PublicRow extends SummaryRow {
  description: string;
  images: string;
  revision: number;
  minQuantity: number;
  steps: string | null;
  sellerName: string | null;
  shopName: string | null;
  sellerCampus: string | null;
  level: VerifiedLevel | null;
  verifiedName: string | null;
  awayUntil: number | null;
  gone: number;
}

/** SQL on products `p`, their sellers' credentials `c` and profiles `s`: nobody may see it any more. */
const GONE = sql.raw(
  "(p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL OR c.suspended_at IS NOT NULL OR s.deleted_at IS NOT NULL)",
);

/** The product of a short id, with others like it. One round trip; the number of rows read is bounded. */
export async function findPublicProduct(store: Store, shortId: string): Promise<PublicProductPage> {
  const id = idOfShortId("products", shortId);
  const now = store.now();
  const [found, similar, newest] = await runBatch(store.db, [
    sql`SELECT ${summaryColumns({ now })}, p.description, p.images, p.revision, p.min_quantity AS minQuantity, ${STEPS_OF} AS steps,
        s.full_name AS sellerName, s.campus_location AS sellerCampus, s.verified_level AS level, h.shop_name AS shopName,
        (SELECT ${verifiedName(null)} FROM profiles p WHERE p.id = s.id) AS verifiedName, ${awayUntil(sql`p.seller_id`, now)} AS awayUntil, ${GONE} AS gone
      FROM products p JOIN credentials c ON c.id = p.seller_id LEFT JOIN categories k ON k.id = p.category
        LEFT JOIN profiles s ON s.id = p.seller_id LEFT JOIN shops h ON h.id = p.seller_id
      WHERE p.id = ${id}`,
    publicListingRows(sql`AND p.category = (SELECT category FROM products WHERE id = ${id}) AND p.id <> ${id}`, OTHERS),
    publicListingRows(sql`AND p.id IS NOT ${id}`, OTHERS),
  ]);
  const row = rowOf<PublicRow>(found);
  const alike = readPublicListings(similar);
  const others: OtherListings =
    alike.length > 0 ? { kind: "similar", listings: alike } : { kind: "newest", listings: readPublicListings(newest) };
  if (!row) return { state: "unknown", others };
  if (row.gone === 1) return { state: "gone", id: row.id, sellerId: row.sellerId, others };
  return { state: "shown", product: toPublicProduct(row), others };
}

/** The product that a button on its public page is about; null if nobody may see it any more. One row. */
export async function findPublicProductId({ db }: Pick<Store, "db">, shortId: string): Promise<string | null> {
  const [row] = await db.all<{ id: string }>(
    sql`SELECT p.id FROM products p JOIN credentials c ON c.id = p.seller_id LEFT JOIN profiles s ON s.id = p.seller_id
      WHERE p.id = ${idOfShortId("products", shortId)} AND NOT ${GONE}`,
  );
  return row?.id ?? null;
}

/** Copies each field by its name, so that a column which is added to the query isn't public by accident. */
function toPublicProduct(row: PublicRow): PublicProduct {
  const product = toSummary(row);
  const names = { shopName: row.shopName, fullName: row.sellerName };
  const name = publicSellerName(names);
  const images = JSON.parse(row.images) as ProductImage[];
  return {
    id: product.id,
    name: publicProductName(product.name),
    price: product.price,
    originalPrice: product.originalPrice,
    condition: product.condition,
    location: shownCampus(product.location),
    category: product.category,
    categoryKey: product.categoryKey,
    rating: product.rating,
    status: product.status,
    stockLabel: product.stockLabel,
    featured: product.featured,
    wholesale: product.wholesale,
    description: withoutContacts(row.description),
    warning: textWarning(row.description),
    images: images.map(toShown),
    revision: row.revision,
    minQuantity: row.minQuantity,
    steps: readSteps(row.steps),
    preview: images[0] ? previewPath(images[0]) : null,
    seller: {
      id: product.sellerId,
      name,
      shopTitle: publicShopTitle(names),
      campusLocation: row.sellerCampus,
      level: row.level ?? "none",
      verifiedAs: otherName(row.verifiedName, name),
      awayUntil: row.awayUntil,
    },
  };
}
