import { feesAt, sellerFeesText } from "#app/catalogue/fees/fee-rules.ts";
import { confirmedFees } from "#app/catalogue/fees/fees.server.ts";
import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { and, count, eq, getTableColumns, inArray, isNull, lte, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import { NEWCOMER_MAX, newcomerUntil } from "#app/accounts/trust/newcomer-rules.ts";
import { isNewcomer } from "#app/accounts/trust/newcomer.server.ts";
import {
  PreconditionFailed,
  type RowOf,
  type Statement,
  UniqueViolation,
  expectOneChange,
  expectThat,
  holds,
  read,
  retryOnConflict,
  write,
} from "#app/db/batch.ts";
import { asBoolean, build, idList, named, pick } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { isChoice, NO_TYPE, suggestType, typeColumns, type TypeSuggestion } from "#app/catalogue/types/choose-type.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import type { Database, Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { categories, listingSerials, products } from "#app/catalogue/tables.server.ts";
import { hasSerial } from "#app/catalogue/serials/serial-types.ts";
import { type KeptSerial, mayLearn, type OpenHeldCases, setSerial } from "#app/catalogue/serials/serials.server.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { beginWeeks } from "#app/accounts/invitations/invitations.server.ts";
import { credentials, profiles, shops, uploads } from "#app/accounts/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import type { KindData } from "#app/notifications/kinds.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { chosenValues, factColumns, readChosen } from "#app/catalogue/facts/listing-facts.ts";
import { insertListing, updateListings } from "#app/catalogue/write-listings.server.ts";
import { type Category, mostUsedCategories, type ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { largestPath } from "#app/catalogue/photos/image-sources.ts";
import { countReturned } from "#app/catalogue/stock/returned-pieces.server.ts";
import { type Listing, stockText } from "./listing-rules.ts";
import { firstShopName } from "./first-shop-name.ts";
import { EMPTY_LISTING, type ListingValues } from "./listing-form-rules.ts";
import { attachPhotos, findPhotos, releasePhotos } from "#app/catalogue/photos/photos.server.ts";
import { fieldOfTerm, type CheckedField, heldForOf, type ProhibitedList, readList } from "./prohibited-rules.ts";
import { PROHIBITED_TERMS } from "./prohibited.server.ts";
import type { Stock } from "./listing-stock-rules.ts";
import type { Wholesale } from "./wholesale-rules.ts";
import { WHOLESALE_FIELDS } from "./wholesale.server.ts";
import { isSameWholesale, setTerms, wholesalerRow, wholesaleValues } from "./save-wholesale.server.ts";
import { OWN_FIELDS, toPage } from "#app/catalogue/products.server.ts";
import { isAfter, NEWEST_FIRST, whoSells } from "#app/catalogue/listing-columns.server.ts";
import {
  FEED_PAGE_SIZE,
  type ProductStatus,
  readCursor,
  UNKNOWN_CAMPUS,
  writeCursor,
} from "#app/catalogue/catalogue-rules.ts";
import { indexShops } from "#app/catalogue/search/search-index.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** The seller's details for a new product. */
export interface Seller {
  id: string;
  name: string;
  campusLocation: string | null;
}

type ListingRefusal =
  | { code: "category" | "type" | "photos" | "posted" | "not_found" | "too_many" | "changed" }
  /** A new account has posted all it can for now. `until` from `newcomerUntil`. */
  | { code: "newcomer"; until: number | "confirmed" }
  /** The seller's account was suspended or deleted meanwhile. */
  | { code: "account" }
  /** The seller isn't a verified wholesaler. */
  | { code: "wholesale" }
  /** A fact has a value that such a thing can't have. The error of each, by its id. */
  | { code: "facts"; errors: Record<string, string> }
  /** Another listing of the seller has the SKU. */
  | { code: "sku" }
  /** The stock isn't what the seller saw: somebody bought a piece, or it was changed elsewhere. */
  | { code: "stock_changed"; stock: number | null }
  /** The stock would be less than the pieces that are being paid for or kept for an offer. */
  | { code: "stock_reserved"; reserved: number }
  /**
   * The change would hold the listing (`heldFor`, in `field`), while a payment or an accepted offer reserves a piece.
   */
  | { code: "held_while_bought"; heldFor: string; field: CheckedField }
  /** Our team keeps the listing off, and its serial number may be why. `field`: what would change the number. */
  | { code: "serial_kept"; field: "serial" | "type" }
  /** They have learned of as many serial numbers as they can today. */
  | { code: "serial_often" };

type Saved =
  /** `heldFor`: what our team looks at before the listing is published; null when it is published. */
  { ok: true; productId: string; heldFor: string | null } | ({ ok: false } & ListingRefusal);

const LISTINGS_A_DAY = 200;

/**
 * Lists a product under the id that its form was given. So a repeat finds the same listing, even at the same moment;
 * `posted` when something else was listed under that id. A listing with a prohibited word or category is held for a
 * look. The seller's first listing opens their shop. `photoKeys` are distinct and in order.
 */
export async function createListing(
  store: Store,
  openCases: OpenHeldCases,
  input: {
    seller: Seller;
    productId: string;
    listing: Listing;
    wholesale?: Wholesale | null;
    /** Its serial number; left out where it says none, or is no such thing. */
    serial?: KeptSerial | null;
    photoKeys: readonly string[];
  },
): Promise<Saved> {
  const { seller, productId, listing, wholesale, serial, photoKeys } = input;
  const repeated = await findRepeat(store.db, input);
  if (repeated) return repeated;
  if (!(await takeAllowance(store, [{ key: `listings:${seller.id}`, max: LISTINGS_A_DAY, windowMs: DAY_MS }])))
    return { ok: false, code: "too_many" };
  const [images, { isCategory, prohibited, account, table }, mayWholesale] = await Promise.all([
    findPhotos(store.db, seller.id, photoKeys),
    readChecks(store.db, seller.id, listing.category),
    !wholesale || isWholesalerNow(store.db, seller.id),
  ]);
  if (!mayWholesale) return { ok: false, code: "wholesale" };
  if (!isCategory) return { ok: false, code: "category" };
  if (!isChoice(listing.chosenType, table)) return { ok: false, code: "type" };
  const said = readColumns(listing, table);
  if (!said.ok) return said;
  if (!images) return { ok: false, code: "photos" };
  const heldFor = heldForOf(said.columns, null, prohibited);
  const kept = serial && hasSerial(said.columns.type, table) ? serial : null;
  if (kept && !(await mayLearn(store, seller.id))) return { ok: false, code: "serial_often" };
  const now = store.now();
  try {
    await write(store.db, [
      insertListing({
        id: productId,
        ...said.columns,
        ...picturesOf(images),
        location: seller.campusLocation || UNKNOWN_CAMPUS,
        sellerId: seller.id,
        status: "active",
        suspendedAt: heldFor === null ? null : now,
        heldFor,
        createdAt: now,
        updatedAt: now,
      }),
      ...(heldFor === null ? [] : tellHeld(account, { productId, productName: listing.name, heldFor }, now)),
      expectThat(isOpenAccount(seller.id)),
      // Deleted ones count, or else a new account could post again and again.
      expectThat(sql`NOT ${isNewcomer(seller.id, now)} OR ${postedBy(seller.id)} <= ${NEWCOMER_MAX.listings}`),
      ...(wholesale ? setTerms({ sellerId: seller.id, productId }, wholesale) : []),
      ...(kept ? setSerial({ productId, sellerId: seller.id }, kept, now, openCases) : []),
      ...afterListingsChanged(idList(productId), now),
      ...(heldFor === null ? [] : openCases(idList(productId), now)),
      ...attachPhotos(seller.id, photoKeys, now),
      ...openFirstShop(seller, now),
      build
        .update(profiles)
        .set({ isSeller: true, updatedAt: now })
        .where(and(eq(profiles.id, seller.id), eq(profiles.isSeller, false))),
    ]);
    return { ok: true, productId, heldFor: kept ? await findHeldFor(store.db, productId) : heldFor };
  } catch (error) {
    if (error instanceof PreconditionFailed) {
      if (!(await holds(store.db, isOpenAccount(seller.id)))) return { ok: false, code: "account" };
      if (wholesale && !(await isWholesalerNow(store.db, seller.id))) return { ok: false, code: "wholesale" };
      const until = newcomerUntil(account, now);
      return until !== null && (await hasPostedAll(store.db, seller.id))
        ? { ok: false, code: "newcomer", until }
        : { ok: false, code: "photos" };
    }
    if (error instanceof UniqueViolation && error.columns.includes("sku")) return { ok: false, code: "sku" };
    if (error instanceof UniqueViolation) return (await findRepeat(store.db, input)) ?? { ok: false, code: "posted" };
    throw error;
  }
}

/** Why a listing is held now: its serial number may have been reported. */
async function findHeldFor(db: Database, productId: string): Promise<string | null> {
  const [row] = await read(
    db,
    build.select({ heldFor: products.heldFor }).from(products).where(eq(products.id, productId)),
  );
  return row?.heldFor ?? null;
}

/** How many listings somebody has posted, with those that they deleted. */
function postedBy(sellerId: string) {
  return build.select({ posted: count() }).from(products).where(eq(products.sellerId, sellerId));
}

/** Whether a new account has posted as many listings as it can. */
async function hasPostedAll(db: Database, sellerId: string): Promise<boolean> {
  const [row] = await read(db, postedBy(sellerId));
  return (row?.posted ?? 0) >= NEWCOMER_MAX.listings;
}

/** The seller's first listing opens their shop. */
export function openFirstShop(seller: Pick<Seller, "id" | "name">, now: number): Statement[] {
  return [
    build
      .insert(shops)
      .values({ id: seller.id, shopName: firstShopName(seller.name), createdAt: now, updatedAt: now })
      .onConflictDoNothing({ target: shops.id }),
    ...indexShops(idList(seller.id)),
    copyEdited(PERSON_COPY, idList(seller.id), now),
    ...beginWeeks(whoSells(idList(seller.id)), now),
  ];
}

/** The result of an earlier post with the same id; null when there was none. */
async function findRepeat(
  db: Database,
  input: { seller: Seller; productId: string; listing: Listing; wholesale?: Wholesale | null },
): Promise<Saved | null> {
  const [row] = await db
    .select({ ...getTableColumns(productRow), ...WHOLESALE_FIELDS })
    .from(productRow)
    .where(eq(productRow.id, input.productId));
  if (!row) return null;
  const { name, price, originalPrice, description, category, condition, takesOffers, lowestOffer } = input.listing;
  const said = readColumns(input.listing, await readTypeTable(db));
  const same =
    row.sellerId === input.seller.id &&
    row.deletedAt === null &&
    row.name === name &&
    row.price === price &&
    row.originalPrice === originalPrice &&
    row.description === description &&
    row.category === category &&
    row.condition === condition &&
    row.takesOffers === takesOffers &&
    row.lowestOffer === lowestOffer &&
    said.ok &&
    row.typeChosen === said.columns.typeChosen &&
    (!row.typeChosen || row.type === said.columns.type) &&
    JSON.stringify(row.factsChosen) === JSON.stringify(said.columns.factsChosen) &&
    (!input.wholesale || isSameWholesale(row, input.wholesale));
  return same ? { ok: true, productId: row.id, heldFor: row.heldFor } : { ok: false, code: "posted" };
}

async function isWholesalerNow(db: Database, userId: string): Promise<boolean> {
  const rows = await read(db, wholesalerRow(userId));
  return rows.length > 0;
}

function accountOf(sellerId: string) {
  return build
    .select({
      id: credentials.id,
      email: credentials.email,
      name: profiles.fullName,
      verifiedLevel: profiles.verifiedLevel,
      emailConfirmedAt: credentials.emailConfirmedAt,
      createdAt: credentials.createdAt,
    })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.id, sellerId));
}

type SellerAccount = RowOf<ReturnType<typeof accountOf>>;

/** What a listing is checked against. One round trip. */
async function readChecks(
  db: Database,
  sellerId: string,
  category: string,
): Promise<{ isCategory: boolean; prohibited: ProhibitedList; account: SellerAccount; table: TypeTable }> {
  const [
    table,
    {
      approved,
      terms,
      account: [account],
    },
  ] = await Promise.all([
    readTypeTable(db),
    read(db, {
      approved: build
        .select({ id: categories.id })
        .from(categories)
        .where(and(eq(categories.id, category), eq(categories.status, "approved"))),
      terms: PROHIBITED_TERMS,
      account: accountOf(sellerId),
    }),
  ]);
  if (!account) throw new Error(`no account ${sellerId}`);
  return { isCategory: approved.length > 0, prohibited: readList(terms), account, table };
}

/**
 * The columns that the form of a listing fills, or the errors of facts. TypeScript checks none in what is spread, so
 * this names them.
 */
function readColumns(
  { chosenType, facts, ...listing }: Listing,
  table: TypeTable,
): { ok: true; columns: FormColumns } | { ok: false; code: "facts"; errors: Record<string, string> } {
  const type = typeColumns(listing, chosenType, table);
  const reading = readChosen(facts, type.type, table);
  if (!reading.ok) return { ok: false, code: "facts", errors: reading.errors };
  const own = factColumns({ name: listing.name, type: type.type }, reading.chosen, table);
  return { ok: true, columns: { ...listing, ...type, ...own } };
}

type FormColumns = Omit<Listing, "chosenType" | "facts"> &
  Required<Pick<typeof products.$inferInsert, "type" | "typeChosen" | "facts" | "factsChosen">>;

function picturesOf(images: ProductImage[]): Required<Pick<typeof products.$inferInsert, "images" | "imageUrl">> {
  const [cover] = images;
  return { images, imageUrl: cover ? largestPath(cover) : null };
}

/** SQL: the status after its seller has changed a listing. Whoever changes it has it. */
export const CONFIRMED = sql<ProductStatus>`CASE ${products.status} WHEN 'unconfirmed' THEN 'active'
  ELSE ${products.status} END`;

/** How often an edit is tried when another edit or a payment came in between. */
const MAX_TRIES = 3;

/**
 * Changes the seller's own listing. Photos are named by their keys: those it has, and new ones of the seller. The stock
 * is changed only if it differs from `stockSeen`, with which the form was opened, so that the form never undoes a sale.
 * Deleted listings and those of others are `not_found`.
 */
export async function saveListing(store: Store, openCases: OpenHeldCases, input: SaveInput): Promise<Saved> {
  try {
    return await retryOnConflict(MAX_TRIES, () => tryToSave(store, openCases, input));
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes("sku")) return { ok: false, code: "sku" };
    // Each try looks for the photos anew, so it is a sale, another edit or our team.
    if (error instanceof PreconditionFailed) return { ok: false, code: "changed" };
    throw error;
  }
}

interface SaveInput {
  sellerId: string;
  productId: string;
  listing: Listing;
  stockSeen: number | null;
  wholesale?: Wholesale | null;
  /** Its serial number; null takes it away, and left out it stays. */
  serial?: KeptSerial | null;
  photoKeys: readonly string[];
  /** `updatedAt` of the version that the edit was merged with. Another version is `changed`. */
  mergedWith?: number;
}

async function tryToSave(
  store: Store,
  openCases: OpenHeldCases,
  { sellerId, productId, listing, stockSeen, wholesale, serial, photoKeys, mergedWith }: SaveInput,
): Promise<Saved> {
  const { db } = store;
  const [product] = await db
    .select({
      ...getTableColumns(products),
      storedImages: sql<string>`${products.images}`,
      serialHash: listingSerials.hash,
    })
    .from(products)
    .leftJoin(listingSerials, eq(listingSerials.productId, products.id))
    .where(ownLive(sellerId, productId));
  if (!product) return { ok: false, code: "not_found" };
  if (mergedWith !== undefined && mergedWith !== product.updatedAt) return { ok: false, code: "changed" };
  const refused = listing.stock === stockSeen ? null : refuseStock(product, { seen: stockSeen, stock: listing.stock });
  if (refused) return { ok: false, ...refused };
  const stock = listing.stock === stockSeen ? product.stock : listing.stock;
  const had = new Map(product.images.map((image) => [image.key, image]));
  const added = photoKeys.filter((key) => !had.has(key));
  const [found, { isCategory, prohibited, account, table }, mayWholesale] = await Promise.all([
    findPhotos(db, sellerId, added),
    readChecks(db, sellerId, listing.category),
    !wholesale || isWholesalerNow(db, sellerId),
  ]);
  if (!mayWholesale) return { ok: false, code: "wholesale" };
  if (!isCategory && product.category !== listing.category) return { ok: false, code: "category" };
  if (!isChoice(listing.chosenType, table)) return { ok: false, code: "type" };
  const said = readColumns(listing, table);
  if (!said.ok) return said;
  if (!found) return { ok: false, code: "photos" };
  const known = new Map([...had, ...found.map((image) => [image.key, image] as const)]);
  const { images, imageUrl } = picturesOf(photoKeys.flatMap((key) => known.get(key) ?? []));
  const removed = [...had.keys()].filter((key) => !photoKeys.includes(key));
  const now = store.now();
  // Only what is published can be held. A listing that is held stays held, whatever is edited: the photos may still
  // show what the words no longer say. Our team sees the new text.
  const held = product.suspendedAt === null ? heldForOf(said.columns, product, prohibited) : null;
  // Holding it would end the payment of somebody who is buying it.
  if (held !== null && product.reserved > 0)
    return { ok: false, code: "held_while_bought", heldFor: held, field: fieldOfTerm(held, said.columns, prohibited) };
  // What is no such thing any more has no serial number.
  const isOther = !hasSerial(said.columns.type, table);
  const kept = isOther ? null : serial;
  const changesSerial = kept !== undefined && (kept?.hash ?? null) !== product.serialHash;
  // Our team finds the reports and their proofs by it.
  if (changesSerial && product.serialHash !== null && product.suspendedAt !== null)
    return { ok: false, code: "serial_kept", field: isOther ? "type" : "serial" };
  if (changesSerial && kept && !(await mayLearn(store, sellerId))) return { ok: false, code: "serial_often" };
  await write(db, [
    ...(listing.stock === stockSeen ? [] : [countReturned(sql`(${productId})`, now)]),
    // Another edit may have changed the texts or the photos, a payment the stock, or our team may have decided, since
    // we read them.
    updateListings(
      {
        ...said.columns,
        images,
        imageUrl,
        stock,
        status: CONFIRMED,
        updatedAt: now,
        ...(held !== null && { suspendedAt: now, heldFor: held }),
      },
      and(
        ownLive(sellerId, productId),
        sql`${products.images} = ${product.storedImages}`,
        sql`${products.stock} IS ${product.stock}`,
        eq(products.updatedAt, product.updatedAt),
        sql`${products.suspendedAt} IS ${product.suspendedAt}`,
        sql`${products.heldFor} IS ${product.heldFor}`,
        held === null ? undefined : eq(products.reserved, 0),
      ),
    ),
    expectOneChange(),
    ...(held === null ? [] : tellHeld(account, { productId, productName: listing.name, heldFor: held }, now)),
    ...(wholesale ? setTerms({ sellerId, productId }, wholesale) : []),
    ...(kept === undefined ? [] : setSerial({ productId, sellerId }, kept, now, openCases)),
    ...afterListingsChanged(idList(productId), now),
    ...(held === null ? [] : openCases(idList(productId), now)),
    ...attachPhotos(sellerId, added, now),
    releasePhotos(sellerId, removed, now),
  ]);
  return { ok: true, productId, heldFor: kept ? await findHeldFor(db, productId) : (product.heldFor ?? held) };
}

/** Tells the seller why their listing is held. Run it in the batch that holds it. */
function tellHeld(seller: SellerAccount, held: KindData["listing_held"], now: number): Statement[] {
  return notify(openParty(seller), { kind: "listing_held", data: held }, `listing_held:${held.productId}:${now}`, now);
}

/** Why a seller can't set this stock; null when they can. Asking for the stock that is there already is fine. */
function refuseStock(
  now: Stock,
  { seen, stock }: { seen: number | null; stock: number | null },
): Extract<ListingRefusal, { code: "stock_changed" | "stock_reserved" }> | null {
  if (now.stock === stock) return null;
  if (now.stock !== seen) return { code: "stock_changed", stock: now.stock };
  return stock !== null && stock < now.reserved ? { code: "stock_reserved", reserved: now.reserved } : null;
}

/** SQL: the seller's own, and not deleted. */
function ownLive(sellerId: string, productId: string, listing: typeof products | typeof productRow = products) {
  return and(eq(listing.id, productId), eq(listing.sellerId, sellerId), isNull(listing.deletedAt));
}

/** The listing of this condition, for a batch. */
function idWhere(condition: SQL | undefined) {
  return build.select({ id: products.id }).from(products).where(condition);
}

type StatusChange =
  /** `updatedAt`: the change, ms. `isHidden`: held or taken down, so nobody sees it whatever its status is. */
  | { ok: true; updatedAt: number; isHidden: boolean }
  /** The listing as it is now. */
  | { ok: false; code: "changed"; status: ProductStatus; updatedAt: number }
  | { ok: false; code: "not_found" | "needs_stock" };

/**
 * Changes whether the seller's own listing is for sale. A sold-out listing can't be for sale without a number of pieces
 * (`needs_stock`), except that of a used product, which then has one. It gets that piece only as the seller saw it
 * (`seen` is its `updatedAt`): a repeated press would give it another one if the first was sold in between. Everything
 * else is safe to repeat. Deleted listings and those of others are `not_found`.
 */
export async function setListingStatus(
  store: Store,
  { sellerId, productId, status, seen }: { sellerId: string; productId: string; status: ProductStatus; seen?: number },
): Promise<StatusChange> {
  const now = store.now();
  const own = ownLive(sellerId, productId);
  const isActive = status === "active";
  const getsPiece = sql`(${products.stock} = 0 AND ${products.condition} <> 'new'
    AND ${products.updatedAt} = ${seen ?? null})`;
  const allowed = isActive ? and(own, sql`((${products.stock} = 0) IS NOT 1 OR ${getsPiece})`) : own;
  const {
    changed,
    found: [found],
  } = await write(store.db, {
    returned: countReturned(idWhere(and(own, isActive ? getsPiece : sql`0`)), now),
    changed: updateListings(
      {
        status,
        ...(isActive
          ? { stock: sql`CASE ${products.stock} WHEN 0 THEN 1 ELSE ${products.stock} END` }
          : { soldAt: sql`COALESCE(${products.soldAt}, ${now})` }),
        updatedAt: now,
      },
      allowed,
    ),
    found: build
      .select(pick(products, "condition", "status", "updatedAt", "suspendedAt"))
      .from(products)
      .where(own),
    follows: afterListingsChanged(idList(productId), now),
  });
  if (!found) return { ok: false, code: "not_found" };
  const { condition, suspendedAt, ...shown } = found;
  if (changed.meta.changes > 0) return { ok: true, updatedAt: shown.updatedAt, isHidden: suspendedAt !== null };
  if (condition === "new") return { ok: false, code: "needs_stock" };
  return { ok: false, code: "changed", ...shown };
}

/**
 * These sellers are on another campus now, or on none, and their listings with them. Run it in the batch that saves it.
 * `sellers`: `idList` or a query.
 */
export function moveListings(sellers: SQLWrapper, campus: string | null, now: number): Statement[] {
  const location = campus || UNKNOWN_CAMPUS;
  const theirs = inArray(products.sellerId, sellers);
  return [
    updateListings(
      { location, updatedAt: now },
      and(theirs, isNull(products.deletedAt), ne(products.location, location)),
    ),
    ...afterListingsChanged(build.select({ id: products.id }).from(products).where(theirs), now),
  ];
}

type StockChange =
  | { ok: true; stock: number | null }
  /** `stock`: what it is now. */
  | { ok: false; code: "stock_changed"; stock: number | null }
  | { ok: false; code: "stock_reserved"; stock: number | null; reserved: number }
  | { ok: false; code: "not_found" };

/**
 * Sets how many pieces of the seller's own listing there are, if there are still as many as the seller saw (`seen`).
 * Safe to repeat. Deleted listings and those of others are `not_found`.
 */
export async function setListingStock(
  store: Store,
  { sellerId, productId, stock, seen }: { sellerId: string; productId: string; stock: number; seen: number },
): Promise<StockChange> {
  const own = ownLive(sellerId, productId);
  const isAsSeen = and(own, eq(products.stock, seen), lte(products.reserved, stock));
  const {
    changed,
    now: [now],
  } = await write(store.db, {
    returned: countReturned(idWhere(isAsSeen), store.now()),
    changed: updateListings({ stock, status: CONFIRMED, updatedAt: store.now() }, isAsSeen),
    now: build.select({ stock: products.stock, reserved: products.reserved }).from(products).where(own),
    follows: afterListingsChanged(idList(productId), store.now()),
  });
  if (!now) return { ok: false, code: "not_found" };
  const refused = changed.meta.changes > 0 ? null : refuseStock(now, { seen, stock });
  return refused ? { ok: false, ...refused, stock: now.stock } : { ok: true, stock: now.stock };
}

/**
 * Deletes the seller's own listing. The row stays, hidden, because orders refer to it. Returns false for the listings
 * of others. Safe to repeat.
 */
export async function deleteListing(store: Store, input: { sellerId: string; productId: string }): Promise<boolean> {
  const { sellerId, productId } = input;
  const now = store.now();
  const own = ownLive(sellerId, productId);
  const keys = sql`(SELECT image.value ->> 'key' FROM ${products}, json_each(${products.images}) image WHERE ${own})`;
  const { found } = await write(store.db, {
    photos: build
      .update(uploads)
      .set({ attachedAt: null, createdAt: now })
      .where(and(inArray(uploads.key, keys), eq(uploads.ownerId, sellerId), isNull(uploads.removingAt))),
    deleted: updateListings({ deletedAt: now, updatedAt: now }, own),
    found: idWhere(and(eq(products.id, productId), eq(products.sellerId, sellerId))),
    follows: afterListingsChanged(idList(productId), now),
  });
  return found.length > 0;
}

/** How many categories the form offers, the most used first. Adding one that exists beyond them selects it. */
const CATEGORIES_OFFERED = 500;

/** What the form of a listing needs. */
export interface ListingEditor {
  sellerId: string;
  /** The approved ones; the form sorts them by name. */
  categories: Category[];
  /** The product's id. A new listing has one, too, so that sending the form twice lists it once. */
  productId: string;
  /** The seller has no M-Pesa number yet and must add it first. */
  needsPhone: boolean;
  /** They are a verified wholesaler, who sets a smallest order and price steps. */
  isWholesaler: boolean;
  /** The service fee that sellers pay, in words; null for none. */
  feeText: string | null;
  /** What the listing is, by our rules, and what else it could be. */
  type: TypeSuggestion;
  /** The end of the serial number that it has; null for none. */
  serialEnding: string | null;
  /**
   * What a new one begins with where somebody looks for it, who does in words, and the short id of their search; else
   * null.
   */
  lookedFor: { sentence: string; id: string; values: ListingValues } | null;
  /** Null for a new one. */
  editing: {
    values: ListingValues;
    images: ProductImage[];
    updatedAt: number;
    name: string;
    status: ProductStatus;
  } | null;
}

/** The data for the form of a new listing. One round trip. */
export async function openNewListing(
  { db, now }: Store,
  seller: { id: string; phone: string | null },
): Promise<ListingEditor> {
  const { offered, fees, wholesaler } = await read(db, {
    offered: mostUsedCategories(CATEGORIES_OFFERED),
    fees: confirmedFees(),
    wholesaler: wholesalerRow(seller.id),
  });
  return {
    sellerId: seller.id,
    categories: offered,
    productId: crypto.randomUUID(),
    needsPhone: !seller.phone,
    isWholesaler: wholesaler.length > 0,
    feeText: sellerFeesText(feesAt(fees, now())),
    type: { found: null, groups: [], facts: [], hasSerial: false },
    serialEnding: null,
    lookedFor: null,
    editing: null,
  };
}

/** The data for the form of the seller's own listing; null for deleted listings and those of others. One round trip. */
export async function openListing(
  { db, now }: Store,
  sellerId: string,
  productId: string,
): Promise<ListingEditor | null> {
  const [
    table,
    {
      offered,
      fees,
      row: [row],
    },
  ] = await Promise.all([
    readTypeTable(db),
    read(db, {
      offered: mostUsedCategories(CATEGORIES_OFFERED),
      fees: confirmedFees(),
      row: build
        .select({
          ...pick(productRow, "name", "price", "originalPrice", "description", "category"),
          ...named({ categoryName: categories.name }),
          ...pick(productRow, "type", "typeChosen", "factsChosen", "condition", "stock", "takesOffers"),
          ...pick(productRow, "lowestOffer", "images", "status", "updatedAt"),
          ...WHOLESALE_FIELDS,
          isWholesaler: asBoolean(isVerifiedWholesaler(sellerId)),
          serialEnding: listingSerials.ending,
        })
        .from(productRow)
        .leftJoin(listingSerials, eq(listingSerials.productId, productRow.id))
        .leftJoin(categories, eq(categories.id, productRow.category))
        .where(ownLive(sellerId, productId, productRow)),
    }),
  ]);
  if (!row) return null;
  const {
    images,
    status,
    updatedAt,
    price,
    originalPrice,
    category,
    categoryName,
    type,
    typeChosen,
    factsChosen,
    stock,
    takesOffers,
    lowestOffer,
    isWholesaler,
    serialEnding,
    sku,
    minQuantity,
    steps,
    ...texts
  } = row;
  const values = {
    ...texts,
    category: category ?? "",
    type: typeChosen ? (type ?? NO_TYPE) : "",
    price: String(price),
    originalPrice: originalPrice === null ? "" : String(originalPrice),
    stock: stock === null ? EMPTY_LISTING.stock : String(stock),
    madeToOrder: stock === null ? "on" : "",
    stockSeen: stockText(stock),
    takesOffers: takesOffers ? "on" : "",
    lowestOffer: lowestOffer === null ? "" : String(lowestOffer),
    ...wholesaleValues({ sku, minQuantity, steps }),
    ...chosenValues(factsChosen),
  };
  return {
    sellerId,
    categories: withOwn(offered, category && { id: category, name: categoryName ?? category }),
    productId,
    needsPhone: false,
    isWholesaler,
    feeText: sellerFeesText(feesAt(fees, now())),
    serialEnding,
    type: suggestType({ name: row.name, category: category ?? "" }, table, {
      all: false,
      own: type,
      chosen: typeChosen ? (type ?? NO_TYPE) : null,
    }),
    lookedFor: null,
    editing: { values, images, updatedAt, name: row.name, status },
  };
}

/** A listing keeps a category that is plain text, no longer approved, or not among those that are offered. */
function withOwn(offered: Category[], own: Category | "" | null): Category[] {
  return !own || offered.some(({ id }) => id === own.id) ? offered : [...offered, own];
}

/**
 * A page of the seller's own listings, newest first, including sold ones. `after` is a cursor. `readOwnListings` reads
 * it.
 */
export function ownListingRows(sellerId: string, after: string | null) {
  return build
    .select(OWN_FIELDS)
    .from(productRow)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .where(and(eq(productRow.sellerId, sellerId), isNull(productRow.deletedAt), isAfter(readCursor(after))))
    .orderBy(...NEWEST_FIRST)
    .limit(FEED_PAGE_SIZE + 1);
}

export function readOwnListings(
  rows: readonly RowOf<ReturnType<typeof ownListingRows>>[],
  after: string | null,
): ProductPage {
  const page = toPage(rows);
  // Its seller reads that a listing is active, and how many there are.
  const own = page.products.map((product) =>
    product.status === "active" ? { ...product, stockLabel: null } : product,
  );
  return { products: own, after, next: page.next && writeCursor(page.next) };
}
