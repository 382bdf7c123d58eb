import { buyerFeeText } from "#app/catalogue/fees/fee-rules.ts";
import { feeRule } from "#app/catalogue/fees/fees.server.ts";
import { and, eq, not, type SQL, sql } from "drizzle-orm";
import { otherName } from "#app/accounts/member.server.ts";
import { publicSellerName, publicShopTitle } from "#app/accounts/profile/public-names.ts";
import { answerText } from "#app/accounts/trust/reliability-rules.ts";
import { readAnswerMs } from "#app/accounts/trust/reliability.server.ts";
import type { VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import { type RowOf, read } from "#app/db/batch.ts";
import { asBoolean, build, named, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { publicName, withoutContacts } from "#app/safety/public-text-rules.ts";
import type { ShownFact } from "#app/catalogue/facts/fact-field-rules.ts";
import { shownFacts } from "#app/catalogue/facts/listing-facts.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { previewPath } from "#app/catalogue/photos/photo-rules.ts";
import { HANDOVER } from "#app/catalogue/types/handover.server.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { PriceStep } from "#app/catalogue/selling/price-step-rules.ts";
import { type ProductSummary, summaryFields, toSummary } from "#app/catalogue/products.server.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";
import { ASKED, sellerFields } from "./product-page.server.ts";
import {
  type PublicListing,
  publicListingRows,
  publicProductName,
  readPublicListings,
} from "#app/catalogue/browse/public-listings.server.ts";
import { STEPS_OF } from "#app/catalogue/selling/wholesale.server.ts";
import { handoverText, listedText } from "./product-page-texts.ts";
import { MOST_ALIKE_FIRST, SIMILAR_SHOWN, similarTo } from "./similar.server.ts";

/** A product as its public page shows it: only what everybody may know. Prices in KES. */
export interface PublicProduct extends Pick<
  ProductSummary,
  | "id"
  | "name"
  | "price"
  | "originalPrice"
  | "condition"
  | "location"
  | "category"
  | "categoryKey"
  | "rating"
  | "status"
  | "stockLabel"
  | "featured"
  | "wholesale"
> {
  /** The service fee that buyers pay, in words; null for none. */
  feeText: string | null;
  description: string;
  facts: ShownFact[];
  /** What buyers should be careful about in the description. */
  warning: string | null;
  images: ShownImage[];
  /** Raised by each edit of its name, condition, facts, description or photos. */
  revision: number;
  /** Pieces: the smallest order. */
  minQuantity: number;
  /** Pieces that Buy orders: the smallest order, or the last pieces where they are fewer. */
  buyQuantity: number;
  steps: PriceStep[];
  /** How old the listing is. */
  listed: string;
  /** How a buyer gets it; null where it can't be bought. */
  handover: string | null;
  /** What happens with the buyer's money. */
  promise: string;
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
  /** The shop's logo. A person's photo is for members. */
  logoUrl: string | null;
  /** How fast they answer; null when too few have asked. */
  answers: string | null;
  /** The level, if somebody checked more than an email address. */
  verified: VerifiedLevel | null;
  /** The verified name of a business, if it differs from `name`. */
  verifiedAs: string | null;
  /** When their holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
}

/** The other products below it: those like it, or the newest of all where there are none. */
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

/** SQL on `productRow`, with the credentials and profiles of their sellers: nobody may see it any more. */
const GONE = sql`(${productRow.deletedAt} IS NOT NULL OR ${productRow.suspendedAt} IS NOT NULL
  OR ${credentials.suspendedAt} IS NOT NULL OR ${profiles.deletedAt} IS NOT NULL)`;

function publicRow(id: SQL, now: number) {
  return build
    .select({
      ...summaryFields(now),
      ...named({ steps: STEPS_OF, gone: asBoolean(GONE), handover: HANDOVER, fee: feeRule(now), asked: ASKED }),
      ...pick(shops, "logoUrl"),
      ...pick(productRow, "description", "facts", "images", "revision", "minQuantity"),
      ...sellerFields(null, now),
    })
    .from(productRow)
    .innerJoin(credentials, eq(credentials.id, productRow.sellerId))
    .leftJoin(categories, eq(categories.id, productRow.category))
    .leftJoin(profiles, eq(profiles.id, productRow.sellerId))
    .leftJoin(shops, eq(shops.id, productRow.sellerId))
    .where(eq(productRow.id, id));
}

type PublicRow = RowOf<ReturnType<typeof publicRow>>;

/** The product of a short id, with others like it. One round trip; the number of rows read is bounded. */
export async function findPublicProduct(store: Store, shortId: string): Promise<PublicProductPage> {
  const id = idOfShortId(products, shortId);
  const now = store.now();
  const {
    row: [row],
    similar,
    newest,
  } = await read(store.db, {
    row: publicRow(id, now),
    similar: publicListingRows(undefined, SIMILAR_SHOWN, similarTo(id, null, SIMILAR_SHOWN), MOST_ALIKE_FIRST),
    newest: publicListingRows(sql`${productRow.id} IS NOT ${id}`, SIMILAR_SHOWN),
  });
  const alike = readPublicListings(similar);
  const others: OtherListings =
    alike.length > 0 ? { kind: "similar", listings: alike } : { kind: "newest", listings: readPublicListings(newest) };
  if (!row) return { state: "unknown", others };
  if (row.gone) return { state: "gone", id: row.id, sellerId: row.sellerId, others };
  return { state: "shown", product: toPublicProduct(row, now), others };
}

/** The product that a button on its public page is about; null if nobody may see it any more. One row. */
export async function findPublicProductId({ db }: Pick<Store, "db">, shortId: string): Promise<string | null> {
  const [row] = await db
    .select({ id: productRow.id })
    .from(productRow)
    .innerJoin(credentials, eq(credentials.id, productRow.sellerId))
    .leftJoin(profiles, eq(profiles.id, productRow.sellerId))
    .where(and(eq(productRow.id, idOfShortId(products, shortId)), not(GONE)));
  return row?.id ?? null;
}

/** Copies each field by its name, so that a column which is added to the query isn't public by accident. */
function toPublicProduct(row: PublicRow, now: number): PublicProduct {
  const product = toSummary(row);
  const canBeBought = product.status === "active" && row.awayUntil === null;
  const names = { shopName: row.shopName, fullName: row.sellerName };
  const name = publicSellerName(names);
  const answerMs = readAnswerMs(row.asked, now);
  const { images } = row;
  return {
    id: product.id,
    name: publicProductName(product.name),
    price: product.price,
    originalPrice: product.originalPrice,
    feeText: product.price === 0 ? null : buyerFeeText(row.fee),
    condition: product.condition,
    location: product.location,
    category: product.category,
    categoryKey: product.categoryKey,
    rating: product.rating,
    status: product.status,
    stockLabel: product.stockLabel,
    featured: product.featured,
    wholesale: product.wholesale,
    description: withoutContacts(row.description),
    facts: shownFacts(row.facts).flatMap((fact) => {
      const text = publicName(fact.text);
      return text === "" ? [] : [{ ...fact, text, value: publicName(fact.value) }];
    }),
    warning: textWarning(row.description),
    images: images.map(toShown),
    revision: row.revision,
    minQuantity: row.minQuantity,
    buyQuantity: Math.max(1, Math.min(row.minQuantity, row.stock ?? row.minQuantity)),
    steps: row.steps ?? [],
    listed: listedText(row.createdAt, now),
    handover: canBeBought
      ? handoverText({
          handover: row.handover,
          location: product.location,
          offersDelivery: row.offersDelivery,
        })
      : null,
    promise: HANDOVER_WORDS[row.handover].promise,
    preview: images[0] ? previewPath(images[0]) : null,
    seller: {
      id: product.sellerId,
      name,
      shopTitle: publicShopTitle(names),
      campusLocation: row.sellerCampus,
      logoUrl: row.logoUrl,
      answers: answerMs === null ? null : answerText(answerMs),
      verified: row.level && VERIFIED.isVerified(row.level) ? row.level : null,
      verifiedAs: otherName(row.verifiedName, name),
      awayUntil: row.awayUntil,
    },
  };
}
