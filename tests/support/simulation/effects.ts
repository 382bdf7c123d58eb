/** Holds, after each step of a worker, that what follows from a change was written with it. */
import { COPIED } from "#app/moderation/cases/copies.server.ts";
import { type SQL, sql } from "drizzle-orm";
import { textOf } from "#scripts/statement-text.ts";
import { contentNow } from "#app/db/copies.ts";
import { BROKEN_LEVELS } from "#tests/support/verified-levels.ts";

/** Paid items, as whom their buyer counts, and how they ended against the seller. */
const SALES = `SELECT i.id, i.seller_id, i.status,
    coalesce((SELECT buyer_id FROM seller_buyers b WHERE b.seller_id = i.seller_id AND b.buyer_id = o.user_id),
      (SELECT buyer_id FROM seller_buyers b WHERE b.seller_id = i.seller_id AND b.phone = o.phone_number)) AS buyer,
    (SELECT iif(event IN ('cancelled_by_seller', 'not_shipped'), 'cancelled', 'refunded') FROM deal_events e
      WHERE e.order_item_id = i.id AND e.against = 'seller') AS against
  FROM order_items i JOIN orders o ON o.id = i.order_id
  WHERE i.paid_at IS NOT NULL AND i.subtotal > 0 AND i.paid_by_seller = 0`;

/** Each rule as a query for the ids of what breaks it. */
const BROKEN = {
  "a conversation isn't what its messages say": `WITH
      sides AS (
        SELECT id, sender_id AS me, recipient_id AS other, 1 AS mine, created_at, product_id, order_id, order_item_id
          FROM messages
        UNION ALL SELECT id, recipient_id, sender_id, 0, created_at, product_id, order_id, order_item_id FROM messages),
      written AS (SELECT me, other, MIN(created_at) AS first, MAX(created_at) AS last,
        MIN(iif(mine, created_at, NULL)) AS answered, MAX(iif(product_id IS NULL, NULL, created_at)) AS about
        FROM sides GROUP BY me, other)
    SELECT w.me || ':' || w.other AS id FROM written w
      LEFT JOIN conversations c ON c.user_id = w.me AND c.other_id = w.other
    WHERE c.user_id IS NULL OR c.last_at <> w.last OR c.reply_ms IS NOT MAX(0, w.answered - c.asked_at)
      OR NOT EXISTS (SELECT 1 FROM sides s WHERE s.me = w.me AND s.other = w.other
        AND s.id = c.last_message_id AND s.created_at = w.last)
      OR NOT EXISTS (SELECT 1 FROM sides s WHERE s.me = w.me AND s.other = w.other
        AND s.created_at = w.first AND iif(s.mine, NULL, s.created_at) IS c.asked_at)
      OR (w.about IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sides s WHERE s.me = w.me AND s.other = w.other
        AND s.created_at = w.about
        AND (s.product_id, s.order_id, s.order_item_id) IS (c.product_id, c.order_id, c.order_item_id)))`,
  // Nor where there was a block, which goes with the account of whoever blocked.
  "a paid item lacks the meeting of its checkout": `SELECT i.id FROM order_items i JOIN orders o ON o.id = i.order_id
    WHERE i.paid_at IS NOT NULL AND o.meeting_place IS NOT NULL AND o.meet_at > i.paid_at
      AND NOT EXISTS (SELECT 1 FROM meetings m WHERE m.order_item_id = i.id)
      AND NOT EXISTS (SELECT 1 FROM profiles p WHERE p.id IN (o.user_id, i.seller_id) AND p.deleted_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM blocks b WHERE (b.user_id = o.user_id AND b.blocked_id = i.seller_id)
        OR (b.user_id = i.seller_id AND b.blocked_id = o.user_id))`,
  "a buyer is missing in the record of a seller": `SELECT id FROM (${SALES}) WHERE buyer IS NULL
    AND (status IN ('completed', 'refunded') OR against IS NOT NULL)`,
  "how a meeting went isn't what the two say": `WITH said AS (SELECT i.id, i.seller_id, o.user_id AS buyer_id,
        i.status = 'completed' OR EXISTS (SELECT 1 FROM deal_events e WHERE e.order_item_id = i.id
          AND e.event IN ('code_entered', 'code_held')) AS done,
        (SELECT e.created_at FROM deal_events e WHERE e.order_item_id = i.id AND e.event = 'seller_missed') AS by_buyer,
        (SELECT e.created_at FROM deal_events e WHERE e.order_item_id = i.id AND e.event = 'buyer_missed') AS by_seller,
        iif(m.state = 'accepted', m.starts_at, m.passed_at) AS agreed
      FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN meetings m ON m.order_item_id = i.id
      WHERE i.subtotal > 0 AND i.paid_by_seller = 0),
    known AS (SELECT id, seller_id, buyer_id, iif(by_buyer IS NULL AND by_seller IS NULL, NULL,
        iif(done AND coalesce(agreed, 0) <= coalesce(by_buyer, by_seller), NULL,
          iif(by_seller IS NULL, 'seller', 'buyer'))) AS missed_by FROM said
      WHERE iif(by_buyer IS NULL AND by_seller IS NULL, done AND agreed IS NOT NULL,
        by_buyer IS NULL OR by_seller IS NULL))
    SELECT coalesce(k.id, a.order_item_id) AS id FROM known k FULL JOIN attendance a ON a.order_item_id = k.id
    WHERE (a.seller_id, a.buyer_id, a.missed_by) IS NOT (k.seller_id, k.buyer_id, k.missed_by)`,
  "an invitation counts without a deal of its own": `SELECT n.invited_id AS id FROM invitations n
    WHERE n.counted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM order_items i JOIN orders o ON o.id = i.order_id
      JOIN deal_events e ON e.order_item_id = i.id AND e.event IN ('code_entered', 'code_held')
      WHERE n.invited_id IN (o.user_id, i.seller_id) AND i.subtotal > 0
        AND n.inviter_id IS NOT iif(n.invited_id = o.user_id, i.seller_id, o.user_id))`,
  "a week began before its invitation counted": `SELECT invited_id AS id FROM invitations
    WHERE counted_at IS NULL AND coalesce(invited_week_at, inviter_week_at) IS NOT NULL`,
  "somebody was told of a friend's deal that doesn't count": `SELECT n.invited_id AS id FROM invitations n
    WHERE n.counted_at IS NULL
      AND EXISTS (SELECT 1 FROM notifications t WHERE t.key LIKE 'friend_came:' || n.invited_id || '%')`,
  "the record of a seller isn't what their sales say": `WITH sales AS (${SALES})
    SELECT b.seller_id || ':' || b.buyer_id AS id FROM seller_buyers b LEFT JOIN
      (SELECT seller_id, buyer, max(status = 'completed') AS handed_over, max(against = 'refunded') AS refunded,
        max(against = 'cancelled') AS cancelled FROM sales GROUP BY seller_id, buyer) s ON s.seller_id = b.seller_id
          AND s.buyer = b.buyer_id
    WHERE b.handed_over <> coalesce(s.handed_over, 0) OR b.refunded <> coalesce(s.refunded, 0)
      OR b.cancelled <> (coalesce(s.cancelled, 0)
        OR EXISTS (SELECT 1 FROM refunds r JOIN payment_attempts a ON a.id = r.attempt_id
        JOIN order_items i ON i.order_id = r.order_id JOIN products p ON p.id = i.product_id
        WHERE r.reason = 'listing_removed' AND i.seller_id = b.seller_id AND i.subtotal > 0
          AND p.deleted_at IS NOT NULL AND p.suspended_at IS NULL AND (a.user_id = b.buyer_id OR a.phone = b.phone)))`,
} as const;

/** What our team decides is no edit. */
const NO_EDIT = sql`'$.verified'`;

/** Those whose newest copy isn't what they say now. */
function behind(kind: "listing" | "review" | "person"): SQL {
  return sql`SELECT newest.id FROM (
      SELECT c.subject_id AS id, c.owner_id, c.content,
        row_number() OVER (PARTITION BY c.subject_id ORDER BY c.id DESC) AS age
      FROM copies c WHERE c.kind = ${kind}) newest
    WHERE age = 1 AND json_remove(content, ${NO_EDIT}) IS NOT json_remove(${contentNow(COPIED[kind], sql`newest.id`)},
      ${NO_EDIT})
      AND newest.id NOT IN (SELECT id FROM products WHERE deleted_at IS NOT NULL)
      AND newest.owner_id NOT IN (SELECT id FROM profiles WHERE deleted_at IS NOT NULL)`;
}

const RULES: Record<string, SQL> = {
  ...Object.fromEntries(Object.entries({ ...BROKEN, ...BROKEN_LEVELS }).map(([what, ids]) => [what, sql.raw(ids)])),
  "an edit of a listing wasn't copied": behind("listing"),
  "an edit of a review wasn't copied": behind("review"),
  "an edit of a person wasn't copied": behind("person"),
};

type Broken = { what: string; id: string };

/** One query for each, because D1 joins no more than five with UNION. */
const QUERIES = Object.entries(RULES).map(([what, ids]) =>
  textOf(sql`SELECT ${what} AS what, id FROM (${ids}) LIMIT 1`),
);

export function effectCheck(d1: D1Database): (worker: string) => Promise<void> {
  const queries = QUERIES.map((query) => d1.prepare(query));
  return async (worker) => {
    const [broken] = (await d1.batch<Broken>(queries)).flatMap(({ results }) => results);
    if (broken) throw new Error(`after a step of ${worker}: ${broken.what} (${broken.id})`);
  };
}
