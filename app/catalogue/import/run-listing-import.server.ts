import { and, type Column, count, eq, inArray, isNotNull, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import {
  commitBatch,
  expectOneChange,
  expectThat,
  PreconditionFailed,
  runBatch,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import { asJson, build, hasRow, idList, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import {
  categories,
  credentials,
  listingImportRows,
  listingImports,
  priceSteps,
  products,
  profiles,
} from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { IMPORT, IMPORT_ROW, type ImportState } from "#app/db/states/import.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { changedErrors, type CheckedRow, reservedError } from "./check-listing-file.server.ts";
import { UNKNOWN_CAMPUS } from "#app/catalogue/catalogue-rules.ts";
import { type CellErrors } from "./listing-columns.ts";
import { isSameListing, mergeRow } from "./listing-file.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { insertListings, updateListingsFrom } from "#app/catalogue/write-listings.server.ts";
import { CONFIRMED, isOpenAccount, openFirstShop, type OpenHeldCases } from "#app/catalogue/selling/listings.server.ts";
import { countReturned } from "#app/catalogue/stock/returned-pieces.server.ts";
import { stockNowText } from "#app/catalogue/selling/listing-stock-rules.ts";
import { byName, listingsNamed, type OwnListing } from "./own-listing-rows.server.ts";
import { heldWhileBoughtText } from "#app/catalogue/selling/held-rules.ts";
import { fieldOfTerm, heldForOf, type ProhibitedList, readList } from "#app/catalogue/selling/prohibited-rules.ts";
import { recogniseType } from "#app/catalogue/types/recognise-type.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { PROHIBITED_TERMS } from "#app/catalogue/selling/prohibited.server.ts";
import { isWholesale } from "#app/catalogue/selling/wholesale-rules.ts";

/** Rows of one batch. */
const ROWS_AT_ONCE = 100;
/** How long a runner may work on a batch before another one takes over, ms. */
const CLAIM_MS = 30_000;
/** How often a batch is planned again when a sale or an edit came in between. */
const TRIES = 3;

/**
 * Continues the running imports of this seller, or of everybody (null), until `untilMs` (ms since 1970). Each batch of
 * rows is written with its listings or not at all, so a runner can stop anywhere. Two runners never write the same row:
 * only one has the claim of an import, and a batch without it fails. Returns how many rows were done.
 */
export async function runImports(
  store: Store & { log(event: { event: string } & Record<string, unknown>): void },
  openCases: OpenHeldCases,
  { sellerId, untilMs }: { sellerId: string | null; untilMs: number },
): Promise<number> {
  const waiting = await store.db
    .select({ id: listingImports.id })
    .from(listingImports)
    .where(
      and(
        stateIs(listingImports.state, IMPORT.isRunning),
        lte(listingImports.claimedUntil, store.now()),
        sellerId === null ? undefined : eq(listingImports.sellerId, sellerId),
      ),
    );
  let done = 0;
  for (const { id } of waiting) {
    if (store.now() >= untilMs) break;
    try {
      done += await runImport(store, openCases, id, untilMs);
    } catch (error) {
      // The others go on. This one is tried again once its claim has ended.
      store.log({ event: "import_failed", level: "error", importId: id, error: String(error).slice(0, 200) });
    }
  }
  return done;
}

async function runImport(store: Store, openCases: OpenHeldCases, importId: string, untilMs: number): Promise<number> {
  let claim = await takeClaim(store, importId);
  let done = 0;
  while (claim) {
    const batch = await importRows(store, openCases, claim);
    if (!batch) return done;
    done += batch.rows;
    claim = { ...claim, until: batch.until };
    if (store.now() >= untilMs || batch.rows < ROWS_AT_ONCE) break;
  }
  if (claim)
    await store.db
      .update(listingImports)
      .set({ claimedUntil: 0 })
      .where(and(eq(listingImports.id, importId), eq(listingImports.claimedUntil, claim.until)));
  return done;
}

/** The right to import the rows, until a time that no other claim has. */
interface Claim {
  importId: string;
  until: number;
  sellerId: string;
  sellerName: string;
  sellerEmail: string;
  location: string;
}

/** Null when another runner has the claim, or the import isn't running. */
async function takeClaim(store: Store, importId: string): Promise<Claim | null> {
  const now = store.now();
  const { id, sellerId, state, claimedUntil } = listingImports;
  const profile = eq(profiles.id, sellerId);
  const name = build.select({ name: profiles.fullName }).from(profiles).where(profile);
  const campus = build.select({ campus: profiles.campusLocation }).from(profiles).where(profile);
  const email = build.select({ email: credentials.email }).from(credentials).where(eq(credentials.id, sellerId));
  const [claim] = await store.db
    .update(listingImports)
    .set({ claimedUntil: now + CLAIM_MS })
    .where(and(eq(id, importId), stateIs(state, IMPORT.isRunning), lte(claimedUntil, now)))
    .returning({
      importId: id,
      until: claimedUntil,
      sellerId,
      sellerName: sql<string>`${name}`,
      sellerEmail: sql<string>`${email}`,
      location: sql<string>`COALESCE(NULLIF(${campus}, ''), ${UNKNOWN_CAMPUS})`,
    });
  return claim ?? null;
}

/** SQL on `listing_imports`: this runner has the claim, and the import still runs. */
function isClaimed({ importId, until }: Claim) {
  return and(
    eq(listingImports.id, importId),
    eq(listingImports.claimedUntil, until),
    stateIs(listingImports.state, IMPORT.isRunning),
  );
}

/** SQL: the seller may import. Somebody who lost their verification or their account may not. */
function mayImport(sellerId: string): SQL {
  return sql`(${isVerifiedWholesaler(sellerId)} AND ${isOpenAccount(sellerId)})`;
}

/** Imports one batch of rows. Null when the claim is lost: another runner took over, or the import ended. */
async function importRows(
  store: Store,
  openCases: OpenHeldCases,
  claim: Claim,
): Promise<{ rows: number; until: number } | null> {
  for (let attempt = 1; ; attempt += 1) {
    const plans = await planRows(store, claim);
    const until = store.now() + CLAIM_MS;
    try {
      await commitBatch(store.db, writeRows(claim, openCases, plans, { until, now: store.now() }));
      return { rows: plans.length, until };
    } catch (error) {
      const isRace = error instanceof PreconditionFailed || error instanceof UniqueViolation;
      if (!isRace) throw error;
      if (!(await keepClaim(store, claim)) || attempt === TRIES) return null;
    }
  }
}

/** Whether the runner still has the claim. Cancels the import of a seller who may no longer import. */
async function keepClaim(store: Store, claim: Claim): Promise<boolean> {
  const [, kept] = await runBatch(store.db, [
    build
      .update(listingImports)
      .set({ state: "cancelled", updatedAt: store.now() })
      .where(and(isClaimed(claim), not(mayImport(claim.sellerId)))),
    build.select({ id: listingImports.id }).from(listingImports).where(isClaimed(claim)),
  ]);
  return kept.length > 0;
}

/** The outcome of one row. */
type Plan = { line: number; checked: CheckedRow } & (
  | { state: "unchanged" }
  | { state: "failed"; errors: CellErrors }
  // `heldFor`: what our team looks at first; null for a listing that is published, or stays as it was.
  // `type`: what our rules say that it is.
  | { state: "created"; id: string; type: string | null; heldFor: string | null }
  | { state: "updated"; id: string; type: string | null; heldFor: string | null; found: OwnListing }
);

/** The next rows, and the outcome of each as the data is now. One round trip. */
async function planRows({ db }: Store, { importId, sellerId }: Claim): Promise<Plan[]> {
  const { line, checked } = listingImportRows;
  const next = sql`FROM ${listingImportRows} WHERE ${listingImportRows.importId} = ${importId}
    AND ${stateIs(listingImportRows.state, IMPORT_ROW.isReady)} ORDER BY ${line} LIMIT ${ROWS_AT_ONCE}`;
  const [table, [rows, listed, approved, terms]] = await Promise.all([
    readTypeTable(db),
    runBatch(db, [
      build
        .select({ line, checked: asJson<CheckedRow>(sql`${checked}`) })
        .from(listingImportRows)
        .where(and(eq(listingImportRows.importId, importId), stateIs(listingImportRows.state, IMPORT_ROW.isReady)))
        .orderBy(line)
        .limit(ROWS_AT_ONCE),
      listingsNamed(sellerId, sql`(SELECT ${checked} ->> '$.listing.sku' ${next})`),
      build
        .select({ id: categories.id })
        .from(categories)
        .where(
          and(
            eq(categories.status, "approved"),
            inArray(categories.id, sql`(SELECT ${checked} ->> '$.listing.category' ${next})`),
          ),
        ),
      PROHIBITED_TERMS,
    ]),
  ]);
  const known = {
    approved: new Set(approved.map(({ id }) => id)),
    prohibited: readList(terms),
    table,
  };
  const current = byName(listed);
  return rows.map((row) => planRow(row.line, row.checked, current.get(row.checked.listing.sku), known));
}

function planRow(
  line: number,
  checked: CheckedRow,
  found: OwnListing | undefined,
  { approved, prohibited, table }: { approved: ReadonlySet<string>; prohibited: ProhibitedList; table: TypeTable },
): Plan {
  const { listing } = checked;
  const fail = (errors: CellErrors): Plan => ({ line, checked, state: "failed", errors });
  if (!approved.has(listing.category) && listing.category !== found?.category)
    return fail({ category: "This category was removed after you sent the file. Choose another one" });
  if (!found) {
    // Its owner deleted it in the meantime. A listing without a SKU can't be found again.
    if (checked.id === listing.sku) return fail({ sku: "You deleted this listing after you sent the file" });
    const type = recogniseType(listing, table)?.type ?? null;
    const heldFor = heldForOf(listing, null, prohibited);
    return { line, checked, state: "created", id: crypto.randomUUID(), type, heldFor };
  }
  // The file doesn't change the stock, so the sales since the check stay counted.
  const isStockKept = checked.id === found.id && listing.stock === checked.stock;
  const stock = isStockKept ? found.stock : listing.stock;
  const isStockAsChecked = checked.id === found.id && found.stock === checked.stock;
  if (stock !== found.stock && !isStockAsChecked) return fail({ stock: changedSinceText(found.stock) });
  // What was changed since the check stays.
  const merged =
    checked.id === found.id && checked.version ? mergeRow({ ...listing, stock }, checked.version, found) : null;
  if (merged && merged.conflicts.length > 0)
    return fail(changedErrors(merged.conflicts, found, "Correct this, or send the row again to keep yours"));
  const wanted = merged?.listing ?? { ...listing, stock };
  const row = { line, checked: { ...checked, listing: wanted } };
  if (isSameListing(wanted, found)) return { ...row, state: "unchanged" };
  const reserved = reservedError(wanted, found);
  if (reserved) return fail({ stock: reserved });
  const heldFor = heldForOf(wanted, found, prohibited);
  // Holding it would end the payment of somebody who is buying it.
  if (heldFor !== null && found.reserved > 0)
    return fail({ [fieldOfTerm(heldFor, wanted, prohibited)]: heldWhileBoughtText(heldFor) });
  const type = recogniseType(wanted, table)?.type ?? null;
  return { ...row, state: "updated", id: found.id, type, heldFor, found };
}

function changedSinceText(stock: number | null): string {
  return `The stock changed after you sent the file. ${stockNowText(stock)}. Correct the number and send the row again`;
}

/**
 * Writes the rows' results with their listings. Every list is one JSON value, because D1 allows 100 values in a
 * statement.
 */
function writeRows(
  claim: Claim,
  openCases: OpenHeldCases,
  plans: readonly Plan[],
  { until, now }: { until: number; now: number },
): Statement[] {
  const { importId, sellerId } = claim;
  const counted = (state: Plan["state"]) => plans.filter((plan) => plan.state === state).length;
  const results = JSON.stringify(
    Object.fromEntries(
      plans.map((plan) => [plan.line, { state: plan.state, ...(plan.state === "failed" && { errors: plan.errors }) }]),
    ),
  );
  const created = plans.flatMap((plan) => (plan.state === "created" ? [valuesOf(plan)] : []));
  const updated = plans.flatMap((plan) =>
    plan.state === "updated" ? [{ ...valuesOf(plan), stockSeen: plan.found.stock, seenAt: plan.found.updatedAt }] : [],
  );
  const written = [...created, ...updated];
  const held = written.filter(({ heldFor }) => heldFor !== null);
  const { importId: imported, line, state } = listingImportRows;
  const isLeft = hasRow(listingImportRows, and(eq(imported, importId), stateIs(state, IMPORT_ROW.isReady)));
  const more = (column: Column, by: Plan["state"]) => sql`${column} + ${counted(by)}`;
  return [
    build
      .update(listingImportRows)
      .set({
        state: sql`json_extract(${results}, '$."' || ${line} || '".state')`,
        errors: sql`json_extract(${results}, '$."' || ${line} || '".errors')`,
      })
      .where(
        and(
          eq(imported, importId),
          inArray(line, sql`(SELECT CAST(key AS INTEGER) FROM json_each(${results}))`),
          // The plus makes SQLite use the primary key: one seek for each row.
          sql`+${stateIs(state, IMPORT_ROW.isReady)}`,
        ),
      ),
    expectThat(sql`changes() = ${plans.length}`),
    build
      .update(listingImports)
      .set({
        createdRows: more(listingImports.createdRows, "created"),
        updatedRows: more(listingImports.updatedRows, "updated"),
        unchangedRows: more(listingImports.unchangedRows, "unchanged"),
        failedRows: more(listingImports.failedRows, "failed"),
        state: sql`CASE WHEN ${isLeft} THEN ${listingImports.state} ELSE ${"done" satisfies ImportState} END`,
        claimedUntil: until,
        updatedAt: now,
      })
      .where(isClaimed(claim)),
    expectOneChange(),
    expectThat(mayImport(sellerId)),
    ...(created.length > 0 ? createListings(claim, created, now) : []),
    ...(updated.length > 0 ? updateListings(sellerId, updated, now) : []),
    ...afterListingsChanged(idList(...written.map(({ id }) => id)), now),
    ...(held.length > 0 ? [...openCases(idList(...held.map(({ id }) => id)), now), ...tellHeld(claim, now)] : []),
  ];
}

/** Tells the seller, once for each import, that our team looks at some of its listings before they are published. */
function tellHeld({ importId, sellerId, sellerEmail, sellerName }: Claim, now: number): Statement[] {
  const seller = openParty({ id: sellerId, email: sellerEmail, name: sellerName });
  return notify(seller, { kind: "import_held", data: {} }, `import_held:${importId}`, now);
}

/** The columns of a listing, as JSON for SQL. */
function valuesOf({ id, type, heldFor, checked: { listing } }: Extract<Plan, { state: "created" | "updated" }>) {
  const { terms, ...values } = listing;
  return {
    ...values,
    id,
    type,
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
  stock: valueOf("stock"),
  minQuantity: valueOf("minQuantity"),
  wholesale: valueOf("wholesale"),
  takesOffers: valueOf("takesOffers"),
  lowestOffer: valueOf("lowestOffer"),
} satisfies Partial<Record<keyof typeof products.$inferInsert, SQL>>;

function createListings(
  { sellerId, sellerName, location }: Claim,
  created: readonly Values[],
  now: number,
): Statement[] {
  const rows = JSON.stringify(created);
  const { stock, condition } = FROM_FILE;
  return [
    insertListings(
      {
        ...FROM_FILE,
        id: valueOf("id"),
        type: valueOf("type"),
        sku: valueOf("sku"),
        location,
        sellerId,
        status: sql`CASE WHEN ${stock} IS NOT 0 THEN 'active' WHEN ${condition} = 'new' THEN 'out_of_stock' ELSE 'sold' END`,
        soldAt: sql`CASE WHEN ${stock} IS 0 THEN ${now} END`,
        heldFor: valueOf("heldFor"),
        suspendedAt: sql`CASE WHEN ${valueOf("heldFor")} IS NOT NULL THEN ${now} END`,
        createdAt: now,
        updatedAt: now,
      },
      sql`FROM json_each(${rows})`,
    ),
    writeSteps(rows),
    ...openFirstShop({ id: sellerId, name: sellerName }, now),
  ];
}

function updateListings(
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
    // A sale or an edit may have changed it, or reserved a piece of what is held now, since we read it. `changes()` after
    // the update would count the rows of the search index instead, which is written at the end of a statement.
    expectThat(sql`${asSeen} = ${updated.length}`),
    countReturned(
      sql`(SELECT ${valueOf("id")} FROM json_each(${rows}) WHERE ${valueOf("stock")} IS NOT ${valueOf("stockSeen")})`,
      now,
    ),
    updateListingsFrom(
      {
        ...FROM_FILE,
        // What the seller chose stays.
        type: sql`CASE WHEN ${products.typeChosen} THEN ${products.type} ELSE ${valueOf("type")} END`,
        status: CONFIRMED,
        updatedAt: now,
        // Only what is published can be held.
        heldFor: sql`CASE WHEN ${isShown} THEN ${valueOf("heldFor")} ELSE ${products.heldFor} END`,
        suspendedAt: sql`CASE WHEN ${isShown} AND ${valueOf("heldFor")} IS NOT NULL THEN ${now} ELSE ${products.suspendedAt} END`,
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
