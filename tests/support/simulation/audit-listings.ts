/**
 * Holds after each step that what follows from a change of listings has followed
 * (`app/catalogue/listing-effects.server.ts`).
 */

/** For each rule the listings for which it doesn't hold. */
const BROKEN = {
  "is active, and nobody looks at it in 30 days": `SELECT id FROM products
    WHERE status = 'active' AND deleted_at IS NULL
    AND check_at IS NULL`,
  "has news that nobody noted": `SELECT id FROM products WHERE news_price <> price
    OR (news = 'known') <> (status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL)`,
  "has an offer that should have ended": `SELECT p.id FROM offers f JOIN products p ON p.id = f.product_id
    WHERE f.state IN ('open', 'countered', 'accepted')
      AND (p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL OR p.status <> 'active' OR p.revision <> f.revision
        OR (p.price <> f.listing_price AND f.state <> 'accepted')
        OR EXISTS (SELECT 1 FROM credentials c WHERE c.id IN (f.buyer_id, f.seller_id) AND c.suspended_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM blocks b WHERE (b.user_id = f.buyer_id AND b.blocked_id = f.seller_id)
          OR (b.user_id = f.seller_id AND b.blocked_id = f.buyer_id)))`,
  "has somebody waiting who should be told, wait on, or wait no more": `SELECT p.id FROM stock_waits w
    JOIN products p ON p.id = w.product_id
    WHERE p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL
      OR (w.free_at IS NULL) <> ((p.status <> 'active' OR p.stock <= p.reserved) IS 1)`,
  "is back, and nobody noted it": "SELECT id FROM products WHERE status = 'active' AND sold_at IS NOT NULL",
  "is not found by its name, or found although nobody may see it": `SELECT id FROM products
    WHERE (deleted_at IS NULL AND suspended_at IS NULL) <> EXISTS (SELECT 1 FROM product_search
      WHERE product_search MATCH '{name} : "' || replace(products.name, '"', ' ') || '"'
        AND product_search.rowid = products.rowid)`,
  "is held without a case": `SELECT id FROM products WHERE held_for IS NOT NULL AND deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM moderation_cases k
      WHERE k.subject = 'listing' AND k.subject_id = products.id AND k.state = 'open')`,
} as const;

/** One query for each, because D1 joins no more than five with UNION. */
const QUERIES = Object.entries(BROKEN).map(([what, rows]) => `SELECT '${what}' AS what, id FROM (${rows}) LIMIT 1`);

/** The first listing for which a rule doesn't hold, in words; null where all hold. */
export async function brokenListing(d1: D1Database): Promise<string | null> {
  const found = await d1.batch<{ what: string; id: string }>(QUERIES.map((query) => d1.prepare(query)));
  const [broken] = found.flatMap(({ results }) => results);
  return broken ? `listing ${broken.id.slice(0, 8)} ${broken.what}` : null;
}

export function listingCheck(d1: D1Database): (worker: string) => Promise<void> {
  return async (worker) => {
    const broken = await brokenListing(d1);
    if (broken) throw new Error(`after a step of ${worker}: ${broken}`);
  };
}
