/** Stock in the simulation: what sellers do with it, and what must be true of it after every step of any worker. */
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { writeCsv } from "#app/platform/csv.ts";
import { sql } from "drizzle-orm";
import { COLUMN_HEADERS, COLUMNS } from "#app/catalogue/import/listing-columns.ts";
import { cellsOf, type CurrentListing } from "#app/catalogue/import/listing-file.ts";
import { importListings } from "#app/catalogue/import/import-listings.server.ts";
import { checkedVersions, planListingFile } from "#app/catalogue/import/plan-listing-file.server.ts";
import { saveListing, setListingStock } from "#app/catalogue/selling/listings.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";
import { idList } from "#app/db/build.ts";
import { write } from "#app/db/batch.ts";
import { restockItem } from "#app/orders/restock.server.ts";
import type { Chance } from "./chance.ts";
import { type Campus, invoke } from "./invocation.ts";

/** How many pieces a new listing has; null means no limit. */
export function piecesFor(chance: Chance): number | null {
  return chance.happens(0.4) ? 1 : chance.pick([null, null, 2, 3, 4]);
}

/** The worker of a seller who edits the stock, by hand or by a file. */
const EDIT = "seller edits the stock";

/** Of `share` of the listings the seller counts again, and of what came back, says that it can be sold again. */
export function changeStock(campus: Campus, share: number): void {
  const { stage, away } = campus;
  const { chance } = stage;
  invoke(campus, "stock", async (services) => {
    const listings = await services.db.all<{ productId: string; sellerId: string; stock: number }>(
      sql`SELECT id AS productId, seller_id AS sellerId, stock FROM products WHERE stock IS NOT NULL ORDER BY rowid`,
    );
    for (const { productId, sellerId, stock: seen } of listings) {
      if (!chance.happens(share)) continue;
      // Sometimes in two tabs, which have seen the same.
      const tabs = chance.happens(0.2) ? 2 : 1;
      for (let n = 1; n <= tabs; n += 1) {
        const stock = Math.max(0, seen + chance.between(-2, 2));
        invoke(campus, EDIT, async (own) => {
          if (away.has(sellerId)) return;
          const set = await setListingStock(own, { sellerId, productId, seen, stock });
          stage.note(`seller: edit the stock: ${set.ok ? "done" : set.code}`);
        });
      }
    }
    const returned = await services.db.all<{ itemId: string; sellerId: string }>(
      sql`SELECT id AS itemId, seller_id AS sellerId FROM order_items WHERE status IN ('cancelled', 'refunded')
        ORDER BY rowid`,
    );
    for (const item of returned) {
      if (!chance.happens(share)) continue;
      const presses = chance.between(1, 2);
      for (let n = 1; n <= presses; n += 1)
        invoke(campus, "seller restocks", async (own) => {
          if (away.has(item.sellerId)) return;
          stage.note(`seller: restock: ${await restockItem(own, item)}`);
        });
    }
  });
}

/** The version of a listing, and all that a form sends of it. */
interface OpenedListing extends Listing {
  productId: string;
  sellerId: string;
  version: number;
}

/**
 * The forms of `share` of the listings are opened, often in two tabs, and sent some time later. An edit that was made
 * from an old version must not undo another: each version is what at most one edit began with.
 */
export function editListings(campus: Campus, share: number): void {
  const { stage, away } = campus;
  const { chance } = stage;
  const begun = new Set<string>();
  invoke(campus, "forms", async (services) => {
    const listings = await services.db.all<OpenedListing>(
      sql`SELECT id AS productId, seller_id AS sellerId, name, price, original_price AS originalPrice, description,
        category,
          condition, stock, takes_offers AS takesOffers, lowest_offer AS lowestOffer, updated_at AS version
        FROM products WHERE deleted_at IS NULL ORDER BY rowid`,
    );
    for (const { productId, sellerId, version, ...opened } of listings) {
      if (!chance.happens(share)) continue;
      for (let tab = chance.between(1, 2); tab > 0; tab -= 1) {
        const listing = {
          ...opened,
          chosenType: null,
          facts: {},
          takesOffers: Boolean(opened.takesOffers),
          originalPrice: opened.price + chance.between(1, 300),
        };
        stage.later(chance.between(0, 60_000), () =>
          invoke(campus, "seller edits the listing", async (own) => {
            if (away.has(sellerId)) return;
            const saved = await saveListing(own, openHeldCases, {
              sellerId,
              productId,
              listing,
              stockSeen: listing.stock,
              photoKeys: [],
              mergedWith: version,
            });
            stage.note(`seller: edit the listing: ${saved.ok ? "done" : saved.code}`);
            if (!saved.ok) return;
            if (begun.has(`${productId} ${version}`))
              throw new Error(`two edits of ${productId} began with one version`);
            begun.add(`${productId} ${version}`);
          }),
        );
      }
    }
  });
}

/**
 * `share` of the sellers count everything again and send it as a file, which one or two workers then import at once.
 */
export function importStock(campus: Campus, share: number): void {
  const { stage, sellers, away } = campus;
  const { chance } = stage;
  for (const { id: sellerId } of sellers) {
    if (!chance.happens(share)) continue;
    invoke(campus, "file", async (services) => {
      if (away.has(sellerId)) return;
      const { listings } = await write(services.db, {
        listings: sql<CurrentListing>`SELECT id, name, price, condition, stock, takes_offers AS takesOffers
          FROM products WHERE seller_id = ${sellerId} AND deleted_at IS NULL ORDER BY rowid`,
        verified: sql`UPDATE profiles SET account_type = 'wholesaler', verification_status = 'approved'
          WHERE id = ${sellerId}`,
        afterVerifiedChanged: afterVerifiedChanged(idList(sellerId), services.now()),
      });
      const counted = listings.results.map((listing) => ({
        ...listing,
        ...UNLISTED,
        takesOffers: Boolean(listing.takesOffers),
        stock: listing.stock === null ? null : Math.max(1, listing.stock + chance.between(-1, 2)),
      }));
      // A file of their own: an export would say that nothing was counted anew.
      const rows = counted.map((listing) => COLUMNS.map((column) => cellsOf(listing)[column]));
      const bytes = new TextEncoder().encode(writeCsv([Object.values(COLUMN_HEADERS), ...rows]));
      const workers = chance.between(1, 2);
      const plan = await planListingFile(services, { sellerId, bytes, checked: null });
      if (!plan.ok) return stage.note("seller: send a file: refused");
      const checked = checkedVersions(plan.rows);
      const seller = { id: sellerId, name: "Seller", email: `${sellerId}@campus.test`, campusLocation: null };
      for (let n = 1; n <= workers; n += 1)
        invoke(campus, EDIT, async (own) => {
          const done = await importListings(own, openHeldCases, { seller, bytes, checked });
          stage.note(done.ok ? "rows of a file are imported" : "seller: import a file: refused");
        });
    });
  }
}

/** What the listings of the simulation don't have. */
const UNLISTED = {
  factsChosen: {},
  sku: null,
  description: "-",
  originalPrice: null,
  category: "Books",
  categoryName: null,
  reserved: 0,
  minQuantity: 1,
  steps: [],
  lowestOffer: null,
};

interface Pieces {
  id: string;
  status: string;
  stock: number | null;
  reserved: number;
  /** By attempts and by accepted offers, counted anew. */
  promised: number;
  /** Of paid orders. */
  taken: number;
  /** Of items that their sellers have put back. */
  restocked: number;
}

const PIECES = `SELECT p.id, p.status, p.stock, p.reserved,
    COALESCE(SUM(CASE WHEN i.offer_id IS NULL THEN i.quantity * (SELECT COUNT(*) FROM payment_attempts a
      WHERE a.order_id = i.order_id AND a.reserves_stock = 1) END), 0)
      + (SELECT COUNT(*) FROM offers f WHERE f.product_id = p.id AND f.state = 'accepted') AS promised,
    COALESCE(SUM(CASE WHEN o.payment_status = 'completed' THEN i.quantity END), 0) AS taken,
    COALESCE(SUM(CASE WHEN i.restocked_at IS NOT NULL THEN i.quantity END), 0) AS restocked
  FROM products p LEFT JOIN order_items i ON i.product_id = p.id LEFT JOIN orders o ON o.id = i.order_id GROUP BY p.id`;

/**
 * Attempts that ask for money for pieces that nobody has reserved for them, and attempts that reserve without asking.
 */
const INCONSISTENT = `SELECT a.id, a.state FROM payment_attempts a JOIN orders o ON o.id = a.order_id
  WHERE (a.state IN ('created', 'pushed', 'unknown') AND o.payment_status <> 'completed' AND a.reserves_stock = 0)
    OR (a.reserves_stock = 1 AND (a.state NOT IN ('created', 'pushed', 'unknown', 'held')
      OR o.payment_status = 'completed'))`;

/**
 * After each step: the reserved pieces are those of attempts and offers, none is promised twice, the stock changes only
 * by what was taken, restocked or edited, and nobody is asked to pay for something not reserved for them.
 */
export function stockCheck(d1: D1Database): (worker: string) => Promise<void> {
  const before = new Map<string, Pieces>();
  const queries = [d1.prepare(PIECES), d1.prepare(INCONSISTENT)];
  return async (worker) => {
    const [pieces, inconsistent] = await d1.batch(queries);
    const fail = (what: string) => {
      throw new Error(`after a step of ${worker}: ${what}`);
    };
    for (const now of (pieces?.results ?? []) as Pieces[]) {
      const name = `product ${now.id.slice(0, 8)} (${now.status}, ${now.stock} pieces, ${now.reserved} of them reserved)`;
      if (now.reserved !== now.promised) fail(`${name} has promised ${now.promised} pieces`);
      const last = before.get(now.id);
      before.set(now.id, now);
      if (now.stock === null) continue;
      if (now.reserved < 0 || now.reserved > now.stock) fail(`${name} has promised more than there is`);
      if (now.stock === 0 && now.status === "active") fail(`${name} is for sale without a piece`);
      const moved = last ? now.restocked - last.restocked - (now.taken - last.taken) : 0;
      if (last && worker !== EDIT && now.stock !== (last.stock ?? 0) + moved)
        fail(`${name} had ${last.stock} pieces, and ${moved} came or went`);
    }
    for (const { id, state } of (inconsistent?.results ?? []) as { id: string; state: string }[])
      fail(`attempt ${id.slice(0, 8)} (${state}) and its reservation don't agree`);
  };
}
