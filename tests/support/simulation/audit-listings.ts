/** Holds after each step that what follows from a change of listings has followed (`app/catalogue/listing-effects.server.ts`). */

/** For each rule the listings for which it doesn't hold. */
const BROKEN = {
  "is active, and nobody looks at it in 30 days": `SELECT id FROM products WHERE status = 'active' AND deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM listing_checks c WHERE c.product_id = products.id)`,
  "has news that nobody noted": `SELECT id FROM products WHERE news_price <> price
    OR (news = 'known') <> (status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL)`,
  "is held without a case": `SELECT id FROM products WHERE held_for IS NOT NULL AND deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM moderation_cases k
      WHERE k.subject = 'listing' AND k.subject_id = products.id AND k.state = 'open')`,
} as const;

const QUERY = Object.entries(BROKEN)
  .map(([what, rows]) => `SELECT '${what}' AS what, id FROM (${rows})`)
  .join(" UNION ALL ");

/** The first listing for which a rule doesn't hold, in words; null where all hold. */
export async function brokenListing(d1: D1Database): Promise<string | null> {
  const broken = await d1.prepare(QUERY).first<{ what: string; id: string }>();
  return broken && `listing ${broken.id.slice(0, 8)} ${broken.what}`;
}

export function listingCheck(d1: D1Database): (worker: string) => Promise<void> {
  const writes = d1.prepare("SELECT total_changes() AS total");
  let last: number | null = null;
  return async (worker) => {
    // Most steps only read, and change nothing.
    const total = await writes.first<number>("total");
    if (total === last) return;
    last = total;
    const broken = await brokenListing(d1);
    if (broken) throw new Error(`after a step of ${worker}: ${broken}`);
  };
}
