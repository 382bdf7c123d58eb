import { type SQL, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import {
  commitBatch,
  expectOneChange,
  expectThat,
  PreconditionFailed,
  rowsOf,
  runBatch,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { IMPORT, IMPORT_ROW, type ImportState } from "#app/db/states/import.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { changedErrors, type CheckedRow, reservedError } from "./check-listing-file.server.ts";
import { type CellErrors, isSameListing, mergeRow } from "./listing-file.ts";
import { firstShopName } from "./listing-rules.ts";
import { countReturned } from "./returned-pieces.server.ts";
import { stockNowText } from "./listing-stock-rules.ts";
import { byName, listingsNamed, type OwnListing } from "./own-listing-rows.server.ts";
import { fieldOfTerm, heldForOf, heldWhileBoughtText, type ProhibitedList } from "./prohibited-rules.ts";
import { PROHIBITED_TERMS, readProhibited } from "./prohibited.server.ts";
import { isWholesale } from "./wholesale-rules.ts";

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
  { sellerId, untilMs }: { sellerId: string | null; untilMs: number },
): Promise<number> {
  const whose = sellerId === null ? sql`` : sql`AND seller_id = ${sellerId}`;
  const waiting = await store.db.all<{ id: string }>(
    sql`SELECT id FROM listing_imports WHERE ${stateIs("state", IMPORT.isRunning)} AND claimed_until <= ${store.now()} ${whose}`,
  );
  let done = 0;
  for (const { id } of waiting) {
    if (store.now() >= untilMs) break;
    try {
      done += await runImport(store, id, untilMs);
    } catch (error) {
      // The others go on. This one is tried again once its claim has ended.
      store.log({ event: "import_failed", level: "error", importId: id, error: String(error).slice(0, 200) });
    }
  }
  return done;
}

async function runImport(store: Store, importId: string, untilMs: number): Promise<number> {
  let claim = await takeClaim(store, importId);
  let done = 0;
  while (claim) {
    const batch = await importRows(store, claim);
    if (!batch) return done;
    done += batch.rows;
    claim = { ...claim, until: batch.until };
    if (store.now() >= untilMs || batch.rows < ROWS_AT_ONCE) break;
  }
  if (claim)
    await store.db.run(
      sql`UPDATE listing_imports SET claimed_until = 0 WHERE id = ${importId} AND claimed_until = ${claim.until}`,
    );
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
  const [claim] = await store.db.all<Claim>(sql`UPDATE listing_imports SET claimed_until = ${now + CLAIM_MS}
    WHERE id = ${importId} AND ${stateIs("state", IMPORT.isRunning)} AND claimed_until <= ${now}
    RETURNING id AS importId, claimed_until AS until, seller_id AS sellerId, (SELECT full_name FROM profiles WHERE id = seller_id) AS sellerName,
      (SELECT email FROM credentials WHERE id = seller_id) AS sellerEmail,
      COALESCE((SELECT NULLIF(campus_location, '') FROM profiles WHERE id = seller_id), 'Unknown') AS location`);
  return claim ?? null;
}

/** SQL on `listing_imports`: this runner has the claim, and the import still runs. */
function isClaimed({ importId, until }: Claim): SQL {
  return sql`id = ${importId} AND claimed_until = ${until} AND ${stateIs("state", IMPORT.isRunning)}`;
}

/** SQL: the seller may import. Somebody who lost their verification or their account may not. */
function mayImport(sellerId: string): SQL {
  return sql`(${isVerifiedWholesaler(sellerId)} AND EXISTS (SELECT 1 FROM credentials WHERE id = ${sellerId} AND suspended_at IS NULL))`;
}

/** Imports one batch of rows. Null when the claim is lost: another runner took over, or the import ended. */
async function importRows(store: Store, claim: Claim): Promise<{ rows: number; until: number } | null> {
  for (let attempt = 1; ; attempt += 1) {
    const plans = await planRows(store, claim);
    const until = store.now() + CLAIM_MS;
    try {
      await commitBatch(store.db, writeRows(claim, plans, { until, now: store.now() }));
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
    sql`UPDATE listing_imports SET state = ${"cancelled" satisfies ImportState}, updated_at = ${store.now()} WHERE ${isClaimed(claim)} AND NOT ${mayImport(claim.sellerId)}`,
    sql`SELECT 1 FROM listing_imports WHERE ${isClaimed(claim)}`,
  ]);
  return rowsOf(kept).length > 0;
}

/** The outcome of one row. */
type Plan = { line: number; checked: CheckedRow } & (
  | { state: "unchanged" }
  | { state: "failed"; errors: CellErrors }
  // `heldFor`: what our team looks at first; null for a listing that is published, or stays as it was.
  | { state: "created"; id: string; heldFor: string | null }
  | { state: "updated"; id: string; heldFor: string | null; found: OwnListing }
);

/** The next rows, and the outcome of each as the data is now. One round trip. */
async function planRows({ db }: Store, { importId, sellerId }: Claim): Promise<Plan[]> {
  const next = sql`FROM listing_import_rows WHERE import_id = ${importId} AND ${stateIs("state", IMPORT_ROW.isReady)} ORDER BY line LIMIT ${ROWS_AT_ONCE}`;
  const [rows, listed, categories, terms] = await runBatch(db, [
    sql`SELECT line, checked ${next}`,
    listingsNamed(sellerId, sql`SELECT checked ->> '$.listing.sku' ${next}`),
    sql`SELECT id FROM categories WHERE status = 'approved' AND id IN (SELECT checked ->> '$.listing.category' ${next})`,
    PROHIBITED_TERMS,
  ]);
  const prohibited = readProhibited(terms);
  const current = byName(listed);
  const approved = new Set(rowsOf<{ id: string }>(categories).map(({ id }) => id));
  return rowsOf<{ line: number; checked: string }>(rows).map(({ line, checked }) => {
    const row = JSON.parse(checked) as CheckedRow;
    return planRow(line, row, current.get(row.listing.sku), { approved, prohibited });
  });
}

function planRow(
  line: number,
  checked: CheckedRow,
  found: OwnListing | undefined,
  { approved, prohibited }: { approved: ReadonlySet<string>; prohibited: ProhibitedList },
): Plan {
  const { listing } = checked;
  const fail = (errors: CellErrors): Plan => ({ line, checked, state: "failed", errors });
  if (!approved.has(listing.category) && listing.category !== found?.category)
    return fail({ category: "This category was removed after you sent the file. Choose another one" });
  if (!found) {
    // Its owner deleted it in the meantime. A listing without a SKU can't be found again.
    if (checked.id === listing.sku) return fail({ sku: "You deleted this listing after you sent the file" });
    return { line, checked, state: "created", id: crypto.randomUUID(), heldFor: heldForOf(listing, null, prohibited) };
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
  return { ...row, state: "updated", id: found.id, heldFor, found };
}

function changedSinceText(stock: number | null): string {
  return `The stock changed after you sent the file. ${stockNowText(stock)}. Correct the number and send the row again`;
}

/**
 * Writes the rows' results with their listings. Every list is one JSON value, because D1 allows 100 values in a
 * statement.
 */
function writeRows(claim: Claim, plans: readonly Plan[], { until, now }: { until: number; now: number }): Statement[] {
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
  const hasHeld = [...created, ...updated].some(({ heldFor }) => heldFor !== null);
  const isLeft = sql`EXISTS (SELECT 1 FROM listing_import_rows WHERE import_id = ${importId} AND ${stateIs("state", IMPORT_ROW.isReady)})`;
  return [
    // The plus makes SQLite use the primary key: one seek for each row.
    sql`UPDATE listing_import_rows SET state = json_extract(${results}, '$."' || line || '".state'), errors = json_extract(${results}, '$."' || line || '".errors')
      WHERE import_id = ${importId} AND line IN (SELECT CAST(key AS INTEGER) FROM json_each(${results})) AND ${stateIs("+state", IMPORT_ROW.isReady)}`,
    expectThat(sql`changes() = ${plans.length}`),
    sql`UPDATE listing_imports SET created_rows = created_rows + ${counted("created")}, updated_rows = updated_rows + ${counted("updated")},
      unchanged_rows = unchanged_rows + ${counted("unchanged")}, failed_rows = failed_rows + ${counted("failed")},
      state = CASE WHEN ${isLeft} THEN state ELSE ${"done" satisfies ImportState} END, claimed_until = ${until}, updated_at = ${now} WHERE ${isClaimed(claim)}`,
    expectOneChange(),
    expectThat(mayImport(sellerId)),
    ...(created.length > 0 ? createListings(claim, created, now) : []),
    ...(updated.length > 0 ? updateListings(sellerId, updated, now) : []),
    ...(hasHeld ? [heldMail(claim, now)] : []),
  ];
}

/** Tells the seller, once for each import, that our team looks at some of its listings before they are published. */
function heldMail({ importId, sellerEmail, sellerName }: Claim, now: number): Statement {
  const mail: Mail = { to: sellerEmail, template: "import_held", data: { name: sellerName } };
  return queueEffect("mail", `import_held:${importId}`, mail, now);
}

/** The columns of a listing, as JSON for SQL. */
function valuesOf({ id, heldFor, checked: { listing } }: { id: string; heldFor: string | null; checked: CheckedRow }) {
  const { terms, ...values } = listing;
  return {
    ...values,
    id,
    heldFor,
    ...terms,
    wholesale: isWholesale(terms) ? 1 : 0,
    takesOffers: values.takesOffers ? 1 : 0,
  };
}

type Values = ReturnType<typeof valuesOf>;

function createListings(
  { sellerId, sellerName, location }: Claim,
  created: readonly Values[],
  now: number,
): Statement[] {
  const rows = JSON.stringify(created);
  return [
    sql`INSERT INTO products (id, name, description, price, original_price, images, condition, location, category, seller_id, status, sold_at,
        stock, sku, min_quantity, wholesale, takes_offers, lowest_offer, suspended_at, held_for, created_at, updated_at)
      SELECT value ->> 'id', value ->> 'name', value ->> 'description', value ->> 'price', value ->> 'originalPrice', '[]', value ->> 'condition',
        ${location}, value ->> 'category', ${sellerId},
        CASE WHEN value ->> 'stock' IS NOT 0 THEN 'active' WHEN value ->> 'condition' = 'new' THEN 'out_of_stock' ELSE 'sold' END,
        CASE WHEN value ->> 'stock' IS 0 AND value ->> 'condition' <> 'new' THEN ${now} END,
        value ->> 'stock', value ->> 'sku', value ->> 'minQuantity', value ->> 'wholesale', value ->> 'takesOffers', value ->> 'lowestOffer',
        CASE WHEN value ->> 'heldFor' IS NOT NULL THEN ${now} END, value ->> 'heldFor', ${now}, ${now}
      FROM json_each(${rows})`,
    writeSteps(rows),
    // The seller's first listing opens their shop.
    sql`INSERT INTO shops (id, shop_name, created_at, updated_at) VALUES (${sellerId}, ${firstShopName(sellerName)}, ${now}, ${now}) ON CONFLICT (id) DO NOTHING`,
  ];
}

function updateListings(
  sellerId: string,
  updated: readonly (Values & { stockSeen: number | null; seenAt: number })[],
  now: number,
): Statement[] {
  const rows = JSON.stringify(updated);
  return [
    // A sale or an edit may have changed it, or reserved a piece of what is held now, since we read it. `changes()` after the update would count the rows of the search
    // index instead, which is written at the end of a statement.
    expectThat(sql`(SELECT COUNT(*) FROM json_each(${rows}) j JOIN products p ON p.id = j.value ->> 'id'
      WHERE +p.seller_id = ${sellerId} AND p.deleted_at IS NULL AND p.stock IS j.value ->> 'stockSeen' AND p.updated_at = j.value ->> 'seenAt'
        AND (j.value ->> 'heldFor' IS NULL OR p.reserved = 0 OR p.suspended_at IS NOT NULL)) = ${updated.length}`),
    countReturned(
      sql`SELECT value ->> 'id' FROM json_each(${rows}) WHERE value ->> 'stock' IS NOT value ->> 'stockSeen'`,
      now,
    ),
    // Only what is published can be held.
    sql`UPDATE products SET name = j.value ->> 'name', description = j.value ->> 'description', price = j.value ->> 'price',
        original_price = j.value ->> 'originalPrice', condition = j.value ->> 'condition', category = j.value ->> 'category',
        stock = j.value ->> 'stock', min_quantity = j.value ->> 'minQuantity', wholesale = j.value ->> 'wholesale',
        takes_offers = j.value ->> 'takesOffers', lowest_offer = j.value ->> 'lowestOffer', updated_at = ${now},
        held_for = CASE WHEN suspended_at IS NULL THEN j.value ->> 'heldFor' ELSE held_for END,
        suspended_at = CASE WHEN suspended_at IS NULL AND j.value ->> 'heldFor' IS NOT NULL THEN ${now} ELSE suspended_at END
      FROM json_each(${rows}) j WHERE products.id = j.value ->> 'id'`,
    sql`DELETE FROM price_steps WHERE product_id IN (SELECT value ->> 'id' FROM json_each(${rows}))`,
    writeSteps(rows),
  ];
}

function writeSteps(rows: string): Statement {
  return sql`INSERT INTO price_steps (product_id, from_quantity, price)
    SELECT j.value ->> 'id', s.value ->> 'fromQuantity', s.value ->> 'price' FROM json_each(${rows}) j, json_each(j.value, '$.steps') s`;
}
