import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { flag, id, time, userId } from "#app/db/columns.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { FEE_PAYERS } from "#app/db/states/fee.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER, OFFER_END_REASONS, OFFER_STATES } from "#app/db/states/offer.ts";

export function productId() {
  return text().references((): AnySQLiteColumn => products.id);
}

export const categories = sqliteTable(
  "categories",
  {
    /** A readable id: textbooks, electronics … */
    id: id(),
    name: text().notNull(),
    /** The name in lower case and trimmed, so that no two categories differ only by case. */
    nameKey: text().notNull(),
    description: text(),
    status: text({ enum: ["approved", "pending"] })
      .notNull()
      .default("pending"),
    /** Null for those that Chuoni began with. */
    createdBy: userId(),
    createdAt: time().notNull(),
    /** How many listings it had for sale when they were last counted (`countCategories`): the most used come first. */
    listingCount: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("categories_name_key").on(t.nameKey),
    index("categories_status").on(t.status, t.name),
    index("categories_browsed")
      .on(sql`listing_count DESC`, t.name)
      .where(sql`status = 'approved'`),
  ],
);

/**
 * What we take of sales, append-only but for what was never confirmed. Of the confirmed ones the last to begin holds,
 * for its category or for all that has no fee of its own. `catalogue/fees` finds it.
 */
export const serviceFees = sqliteTable(
  "service_fees",
  {
    id: id(),
    /** Null for every category that has no fee of its own. A category that is removed takes its fees along. */
    category: text(),
    payer: text({ enum: FEE_PAYERS }).notNull(),
    /** Hundredths of a percent of the price. */
    share: integer().notNull(),
    /** KES. */
    smallest: integer().notNull(),
    /** KES; 0 for no fee. */
    largest: integer().notNull(),
    /** Nothing of its own any more: from then on the category has the fee of all others. */
    asOthers: flag(),
    startsAt: time().notNull(),
    setBy: userId().notNull(),
    createdAt: time().notNull(),
    /** The second owner, and when; null while it waits for one, and has no effect. */
    confirmedBy: userId(),
    confirmedAt: time(),
    /** The owner who suggests to take it back before it begins, and when; null while nobody does. */
    takeBackBy: userId(),
    takeBackAt: time(),
  },
  (t) => [index("service_fees_begin").on(t.category, t.startsAt)],
);

const FOR_SALE = sql`status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL`;

export const products = sqliteTable(
  "products",
  {
    id: id(),
    name: text().notNull(),
    description: text().notNull(),
    /** KES; 0 is a giveaway. */
    price: integer().notNull(),
    originalPrice: integer(),
    /** The path of the cover, which is the first of `images`. */
    imageUrl: text(),
    images: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    condition: text({ enum: ["new", "like_new", "good", "fair"] })
      .notNull()
      .default("new"),
    location: text().notNull().default("Unknown"),
    /** A category id, or a plain text name. */
    category: text(),
    /** What kind of thing it is: an id of `app/catalogue/types`; null where its rules aren't sure. */
    type: text(),
    /** The seller chose the type, or that it has none, so no rule changes it. */
    typeChosen: flag(),
    /**
     * Its brand, its size …, by the facts of `app/catalogue/facts`: what its seller chose, or else what its name says.
     */
    facts: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** What its seller chose, so no rule changes it; null: that isn't said. */
    factsChosen: text({ mode: "json" }).$type<Record<string, string | null>>().notNull().default({}),
    sellerId: userId().notNull(),
    /** "unconfirmed": its seller didn't answer whether it is still available (`app/upkeep`). */
    status: text({ enum: ["active", "sold", "out_of_stock", "unconfirmed"] })
      .notNull()
      .default("active"),
    /** Since when it has been sold or out of stock, ms; null once its return has been noted. */
    soldAt: time(),
    /** Pieces that the seller still has, including the reserved ones; null means no limit ("made to order"). */
    stock: integer(),
    /** Pieces promised to payments under way and accepted offers (`countReserved`); never more than `stock`. */
    reserved: integer().notNull().default(0),
    /** The seller's own code of the product. An import finds its listing by it. */
    sku: text(),
    /** The smallest number of pieces in one order; 1 means any. Only verified wholesalers set it. */
    minQuantity: integer().notNull().default(1),
    /** Whether it has a smallest order or price steps. Only verified wholesalers set it. */
    wholesale: flag(),
    /** Whether buyers can make offers. */
    takesOffers: flag(),
    /** KES for one piece: lower offers are declined at once. Only the seller ever sees it. */
    lowestOffer: integer(),
    /** Its seller is a verified student or business (`afterVerifiedChanged`). */
    sellerVerified: flag(),
    /** Taken down by an admin, or held for a look: then `heldFor` says why. */
    suspendedAt: time(),
    /** The prohibited word or category that it was held for; null when it isn't held. */
    heldFor: text(),
    /** Deleted: hidden everywhere, but kept for the orders that contain it. */
    deletedAt: time(),
    /** Raised by each edit of what a buyer is promised: the name, condition, facts, description and photos. */
    revision: integer().notNull().default(0),
    /**
     * What it is to people once it is for sale: "new", or "back" after it was off sale. "known" while it is for sale.
     */
    news: text({ enum: ["new", "back", "known"] })
      .notNull()
      .default("new"),
    /** KES: the price that was noted last. A lower one is news. */
    newsPrice: integer().notNull().default(0),
    /** When to look next whether it is still available (`app/upkeep`). Never null while it is active. */
    checkAt: time(),
    /** When its seller was asked; null while the question doesn't arise. A later change of the listing answers it. */
    askedAt: time(),
    /** When its seller last made it a tenth cheaper in one tap, ms: for those who saved it, or asked if it is there. */
    loweredAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    // What can be bought now, the newest first. Any other list is in the search index.
    index("products_for_sale").on(t.createdAt, t.id).where(FOR_SALE),
    index("products_for_sale_category_newest").on(t.category, t.createdAt, t.id).where(FOR_SALE),
    // The public page of a campus, and the feed of one.
    index("products_for_sale_location").on(t.location, t.createdAt, t.id).where(FOR_SALE),
    index("products_for_sale_type").on(t.type, t.createdAt, t.id).where(FOR_SALE),
    index("products_for_sale_price").on(t.price).where(FOR_SALE),
    index("products_for_sale_category_price").on(t.category, t.price).where(FOR_SALE),
    // How many were listed lately.
    index("products_created").on(t.createdAt, t.sellerId),
    index("products_seller").on(t.sellerId, t.createdAt, t.id),
    index("products_seller_status").on(t.sellerId, t.status, t.createdAt, t.id),
    // What the job looks at, and what waits for its seller's answer.
    index("products_check")
      .on(t.checkAt)
      .where(sql`check_at IS NOT NULL`),
    index("products_asked")
      .on(t.sellerId)
      .where(sql`asked_at IS NOT NULL`),
    uniqueIndex("products_seller_sku")
      .on(t.sellerId, t.sku)
      .where(sql`sku IS NOT NULL AND deleted_at IS NULL`),
  ],
);

/** A lower price for larger orders: `price` for each piece from `fromQuantity` pieces on. */
export const priceSteps = sqliteTable(
  "price_steps",
  {
    productId: productId().notNull(),
    fromQuantity: integer().notNull(),
    /** KES for one piece. */
    price: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.productId, t.fromQuantity] })],
);

/** Who wants to be told when a product can be bought again. */
export const stockWaits = sqliteTable(
  "stock_waits",
  {
    productId: productId().notNull(),
    userId: userId().notNull(),
    createdAt: time().notNull(),
    /** Since when it can be bought again, ms; null while it can't. */
    freeAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.userId] }),
    index("stock_waits_user").on(t.userId, t.createdAt),
    // Who must be told now. Nearly always empty.
    index("stock_waits_free")
      .on(t.freeAt)
      .where(sql`free_at IS NOT NULL`),
  ],
);

/** A buyer's offer for one piece of a product. Its card stands in their conversation. */
export const offers = sqliteTable(
  "offers",
  {
    id: id(),
    productId: productId().notNull(),
    buyerId: userId().notNull(),
    sellerId: userId().notNull(),
    /** KES: what the buyer offered. */
    amount: integer().notNull(),
    /** KES: what the seller asked for instead; null until then. */
    counterAmount: integer(),
    state: text({ enum: OFFER_STATES }).notNull().default("open"),
    /** KES: what the listing cost when it was made. Another price ends it while it is open. */
    listingPrice: integer().notNull(),
    /** `products.revision` as its buyer read it. Another one ends it. */
    revision: integer().notNull(),
    /** Why it `ended`; null in every other state. */
    endReason: text({ enum: OFFER_END_REASONS }),
    /** When the next answer, or the payment, is due. */
    expiresAt: time().notNull(),
    /** The clock, or what happened to its listing or its people, changed its state, and nobody has been told yet. */
    noticeDue: flag(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    // One offer of a buyer for a product at a time.
    uniqueIndex("offers_active").on(t.productId, t.buyerId).where(stateIs("state", OFFER.isActive)),
    index("offers_due").on(t.expiresAt).where(stateIs("state", OFFER.isActive)),
    index("offers_notice_due")
      .on(t.updatedAt)
      .where(sql`notice_due = 1`),
    index("offers_buyer").on(t.buyerId, t.state),
    index("offers_product").on(t.productId, t.state),
    index("offers_to_answer").on(t.sellerId).where(stateIs("state", OFFER.awaitsSeller)),
  ],
);

/** Words and categories whose new listings are held for a look, and phrases that are fine. Admins edit them. */
export const prohibitedTerms = sqliteTable(
  "prohibited_terms",
  {
    id: id(),
    /** `allowed`: a phrase with a prohibited word that is fine ("glue gun"). */
    kind: text({ enum: ["word", "category", "allowed"] }).notNull(),
    /** Lower case words, or a category's id. */
    term: text().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("prohibited_terms_term").on(t.kind, t.term)],
);

/** A type that an admin added. */
export const itemTypes = sqliteTable("item_types", {
  id: id(),
  name: text().notNull(),
  plural: text().notNull(),
  /** A category's id. */
  category: text().notNull(),
  createdAt: time().notNull(),
});

/** What an admin said about a word of a type. It counts more than the kept table. */
export const itemTypeWords = sqliteTable(
  "item_type_words",
  {
    typeId: text().notNull(),
    /** Lower case. */
    word: text().notNull(),
    /** `name`: people call the type so. `sign`: a listing with it is of the type. `none`: it doesn't mean the type. */
    use: text({ enum: ["name", "sign", "none"] }).notNull(),
    createdAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.typeId, t.word] })],
);

/** What people searched for and didn't find. It says nothing about who searched. */
export const missedSearches = sqliteTable(
  "missed_searches",
  {
    /** Lower case words. */
    words: text().primaryKey().notNull(),
    count: integer().notNull(),
    lastAt: time().notNull(),
  },
  (t) => [index("missed_searches_count").on(t.count)],
);

/**
 * What somebody saved: words and filters. All who saved the same share it, so that a listing is compared with it once.
 */
export const savedQueries = sqliteTable(
  "saved_queries",
  {
    id: integer().primaryKey(),
    /** The query of the search's address, which names it: "q=hp laptop&max=30000". */
    address: text().notNull(),
    /** KES: the highest price that it finds, or one that nothing costs. */
    maxPrice: integer().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("saved_queries_address").on(t.address),
    // Who would buy a listing if it cost less.
    index("saved_queries_max_price").on(t.maxPrice),
  ],
);

/** A search that somebody saved. */
export const savedSearches = sqliteTable(
  "saved_searches",
  {
    id: id(),
    userId: userId().notNull(),
    /** No foreign key: a query goes just before the last search that needs it. */
    queryId: integer().notNull(),
    /** When its owner is told of what it finds. */
    frequency: text({ enum: ["at_once", "daily", "never"] })
      .notNull()
      .default("at_once"),
    /** How many listings it has found since its owner last opened it. */
    newCount: integer().notNull().default(0),
    createdAt: time().notNull(),
    /** Since when whoever has its link can open it; null while nobody can. */
    sharedAt: time(),
  },
  (t) => [
    uniqueIndex("saved_searches_user_query").on(t.userId, t.queryId),
    index("saved_searches_query").on(t.queryId),
  ],
);

/** The serial number of a listing's thing. Nobody can read it here: it is compared by its keyed hash. */
export const listingSerials = sqliteTable(
  "listing_serials",
  {
    productId: productId().primaryKey(),
    hash: text().notNull(),
    /** Its last characters, for its seller and its buyer. */
    ending: text().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index("listing_serials_hash").on(t.hash)],
);

/** A serial number that somebody reported as stolen. */
export const stolenSerials = sqliteTable(
  "stolen_serials",
  {
    id: id(),
    reporterId: userId().notNull(),
    hash: text().notNull(),
    ending: text().notNull(),
    /** When and where it was taken, for our team. */
    text: text().notNull(),
    /** The keys of private photos that prove whose it is. */
    photos: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: time().notNull(),
    /** Since when it counts no more: its reporter took it back. */
    endedAt: time(),
  },
  (t) => [
    uniqueIndex("stolen_serials_standing")
      .on(t.hash, t.reporterId)
      .where(sql`ended_at IS NULL`),
    index("stolen_serials_reporter").on(t.reporterId, t.createdAt),
  ],
);

/** Which listings somebody's saved searches and followed shops have brought them, so that nobody is told twice. */
export const foundListings = sqliteTable(
  "found_listings",
  {
    userId: userId().notNull(),
    productId: productId().notNull(),
    /** What brought it first. */
    reason: text({ enum: ["search", "shop"] }).notNull(),
    /** Those of their saved searches that find it, by id. */
    searches: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** KES: its lowest price of which they know. */
    price: integer().notNull(),
    /** How often they have been told of it, or will be with the next daily notification. */
    told: integer().notNull(),
    /** Since when it waits for the daily notification, ms; null when it doesn't. */
    waitsSince: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.productId] }),
    index("found_listings_waits")
      .on(t.waitsSince, t.userId)
      .where(sql`waits_since IS NOT NULL`),
  ],
);

/**
 * A listing that has appeared, come back or become cheaper, and of which nobody has been told yet.
 * `afterListingsChanged` writes it.
 */
export const listingNews = sqliteTable("listing_news", {
  id: integer().primaryKey(),
  productId: productId().notNull(),
  /** `back`: it was sold out. */
  kind: text({ enum: ["new", "back", "cheaper"] }).notNull(),
  at: time().notNull(),
});
