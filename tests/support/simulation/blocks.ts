/**
 * Holds that nothing begins between two people of whom one has blocked the other, and that no ending of theirs counts.
 */

/** What begins between two people, and the endings that count against a seller. */
const DEALINGS = {
  "an order": `SELECT i.id, o.user_id AS one, i.seller_id AS other
    FROM order_items i JOIN orders o ON o.id = i.order_id`,
  "a payment request": `SELECT a.id || ':' || i.id AS id, o.user_id AS one, i.seller_id AS other
    FROM payment_attempts a JOIN orders o ON o.id = a.order_id JOIN order_items i ON i.order_id = o.id`,
  "an offer": "SELECT id, buyer_id AS one, seller_id AS other FROM offers",
  "a meeting": `SELECT m.order_item_id AS id, o.user_id AS one, i.seller_id AS other
    FROM meetings m JOIN order_items i ON i.id = m.order_item_id JOIN orders o ON o.id = i.order_id`,
  "a message": "SELECT id, sender_id AS one, recipient_id AS other FROM messages WHERE kind <> 'agreement'",
  "an ending against the seller": `SELECT e.id, o.user_id AS one, i.seller_id AS other
    FROM deal_events e JOIN order_items i ON i.id = e.order_item_id JOIN orders o ON o.id = i.order_id
    WHERE e.against IS NOT NULL AND e.event IN ('cancelled_by_seller', 'not_shipped')`,
} as const;

/** One query for each, because D1 joins no more than five with UNION. */
const QUERIES = Object.entries(DEALINGS).map(
  ([what, rows]) => `SELECT '${what}' AS what, id, EXISTS (SELECT 1 FROM blocks b
    WHERE (b.user_id = one AND b.blocked_id = other) OR (b.user_id = other AND b.blocked_id = one)) AS blocked
  FROM (${rows})`,
);

/** After each step of a worker: what is new is between people without a block. */
export function blockCheck(d1: D1Database): (worker: string) => Promise<void> {
  const known = new Set<string>();
  const queries = QUERIES.map((query) => d1.prepare(query));
  return async (worker) => {
    const found = await d1.batch<{ what: string; id: string; blocked: number }>(queries);
    for (const { what, id, blocked } of found.flatMap(({ results }) => results)) {
      const row = `${what} ${id}`;
      if (!known.has(row) && blocked === 1)
        throw new Error(`after a step of ${worker}: ${what} (${id.slice(0, 8)}) across a block`);
      known.add(row);
    }
  };
}
