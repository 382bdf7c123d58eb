import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { and, count, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import { PreconditionFailed, type Statement, UniqueViolation, expectThat, write } from "#app/db/batch.ts";
import { build, idList, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { priceSteps, products } from "#app/catalogue/tables.server.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { UNKNOWN_CAMPUS } from "#app/catalogue/catalogue-rules.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { CONFIRMED, openFirstShop, type Seller } from "#app/catalogue/selling/listings.server.ts";
import type { OpenHeldCases } from "#app/catalogue/serials/serials.server.ts";
import { isWholesale } from "#app/catalogue/selling/wholesale-rules.ts";
import { countReturned } from "#app/catalogue/stock/returned-pieces.server.ts";
import { insertListings, updateListingsFrom } from "#app/catalogue/write-listings.server.ts";
import { type CheckedVersions, type PlannedRow, planListingFile } from "./plan-listing-file.server.ts";

/** How often a file is planned again when a sale, an edit or the same file came in between. */
const TRIES = 3;
const BUSY = "Your listings changed while we imported this file, so nothing was imported. Please send it again.";

export interface ImportInput {
  seller: Seller & { email: string };
  bytes: Uint8Array;
  checked: CheckedVersions;
}

/**
 * Writes the good rows of a file that was checked, all of them or none, and returns what became of each row. Sent
 * again, or twice at once, it finds its listings by their SKU and changes nothing.
 */
export async function importListings(
  store: Store,
  openCases: OpenHeldCases,
  { seller, bytes, checked }: ImportInput,
): Promise<{ ok: true; rows: PlannedRow[] } | { ok: false; error: string }> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const plan = await planListingFile(store, { sellerId: seller.id, bytes, checked });
    if (!plan.ok) return plan;
    const statements = writeRows(seller, openCases, plan.rows, store.now());
    try {
      if (statements.length > 0) await write(store.db, statements);
      return plan;
    } catch (error) {
      if (!(error instanceof PreconditionFailed || error instanceof UniqueViolation)) throw error;
    }
  }
  return { ok: false, error: BUSY };
}

/** Every list is one JSON value, because D1 allows 100 values in a statement. */
function writeRows(
  seller: ImportInput["seller"],
  openCases: OpenHeldCases,
  rows: readonly PlannedRow[],
  now: number,
): Statement[] {
  const created = rows.flatMap((row) => (row.state === "created" ? [valuesOf(row, row.id)] : []));
  const updated = rows.flatMap((row) =>
    row.state === "updated"
      ? [{ ...valuesOf(row, row.found.id), stockSeen: row.found.stock, seenAt: row.found.updatedAt }]
      : [],
  );
  const written = [...created, ...updated];
  if (written.length === 0) return [];
  const held = written.filter(({ heldFor }) => heldFor !== null);
  const hold = [
    ...openCases(idList(...held.map(({ id }) => id)), now),
    ...notify(openParty(seller), { kind: "import_held", data: {} }, `import_held:${held[0]?.id}:${now}`, now),
  ];
  return [
    expectThat(sql`(${isVerifiedWholesaler(seller.id)} AND ${isOpenAccount(seller.id)})`),
    ...(created.length > 0 ? createRows(seller, created, now) : []),
    ...(updated.length > 0 ? updateRows(seller.id, updated, now) : []),
    ...afterListingsChanged(idList(...written.map(({ id }) => id)), now),
    ...(held.length > 0 ? hold : []),
  ];
}

/** The columns of a listing, as JSON for SQL. */
function valuesOf({ listing, columns, heldFor }: Extract<PlannedRow, { state: "created" | "updated" }>, id: string) {
  const { terms, ...values } = listing;
  return {
    ...values,
    ...columns,
    id,
    heldFor,
    ...terms,
    wholesale: isWholesale(terms) ? 1 : 0,
    takesOffers: values.takesOffers ? 1 : 0,
  };
}

type Values = ReturnType<typeof valuesOf>;

/** SQL on `json_each` of Values: one of them. */
function valueOf(key: keyof Values | "stockSeen" | "seenAt"): SQL {
  return sql`value ->> ${sql.raw(`'${key}'`)}`;
}

/** What a row of a file says about its listing, as SQL on `json_each` of Values. */
const FROM_FILE = {
  name: valueOf("name"),
  description: valueOf("description"),
  price: valueOf("price"),
  originalPrice: valueOf("originalPrice"),
  condition: valueOf("condition"),
  category: valueOf("category"),
  type: valueOf("type"),
  facts: valueOf("facts"),
  factsChosen: valueOf("factsChosen"),
  stock: valueOf("stock"),
  minQuantity: valueOf("minQuantity"),
  wholesale: valueOf("wholesale"),
  takesOffers: valueOf("takesOffers"),
  lowestOffer: valueOf("lowestOffer"),
} satisfies Partial<Record<keyof typeof products.$inferInsert, SQL>>;

function createRows(
  { id: sellerId, name, campusLocation }: Seller,
  created: readonly Values[],
  now: number,
): Statement[] {
  const rows = JSON.stringify(created);
  return [
    insertListings(
      {
        ...FROM_FILE,
        id: valueOf("id"),
        sku: valueOf("sku"),
        location: campusLocation || UNKNOWN_CAMPUS,
        sellerId,
        heldFor: valueOf("heldFor"),
        suspendedAt: sql`CASE WHEN ${valueOf("heldFor")} IS NOT NULL THEN ${now} END`,
        createdAt: now,
        updatedAt: now,
      },
      sql`FROM json_each(${rows})`,
    ),
    writeSteps(rows),
    ...openFirstShop({ id: sellerId, name }, now),
  ];
}

function updateRows(
  sellerId: string,
  updated: readonly (Values & { stockSeen: number | null; seenAt: number })[],
  now: number,
): Statement[] {
  const rows = JSON.stringify(updated);
  const isShown = sql`${products.suspendedAt} IS NULL`;
  const asSeen = build
    .select({ count: count() })
    .from(sql`json_each(${rows})`)
    .innerJoin(products, eq(products.id, valueOf("id")))
    .where(
      and(
        sql`+${products.sellerId} = ${sellerId}`,
        isNull(products.deletedAt),
        sql`${products.stock} IS ${valueOf("stockSeen")}`,
        eq(products.updatedAt, valueOf("seenAt")),
        or(sql`${valueOf("heldFor")} IS NULL`, eq(products.reserved, 0), isNotNull(products.suspendedAt)),
      ),
    );
  return [
    // A sale or an edit may have changed it, or reserved a piece of what is held now, since we read it.
    expectThat(sql`${asSeen} = ${updated.length}`),
    countReturned(
      sql`(SELECT ${valueOf("id")} FROM json_each(${rows}) WHERE ${valueOf("stock")} IS NOT ${valueOf("stockSeen")})`,
      now,
    ),
    updateListingsFrom(
      {
        ...FROM_FILE,
        status: CONFIRMED,
        updatedAt: now,
        // Only what is published can be held.
        heldFor: sql`CASE WHEN ${isShown} THEN ${valueOf("heldFor")} ELSE ${products.heldFor} END`,
        suspendedAt: sql`CASE WHEN ${isShown} AND ${valueOf("heldFor")} IS NOT NULL THEN ${now}
          ELSE ${products.suspendedAt} END`,
      },
      sql`json_each(${rows})`,
      eq(products.id, valueOf("id")),
    ),
    build
      .delete(priceSteps)
      .where(inArray(priceSteps.productId, sql`(SELECT ${valueOf("id")} FROM json_each(${rows}))`)),
    writeSteps(rows),
  ];
}

function writeSteps(rows: string): Statement {
  return insertEach(
    priceSteps,
    {
      productId: sql`listing.value ->> 'id'`,
      fromQuantity: sql`step.value ->> 'fromQuantity'`,
      price: sql`step.value ->> 'price'`,
    },
    sql`FROM json_each(${rows}) listing, json_each(listing.value, '$.steps') step`,
  );
}
