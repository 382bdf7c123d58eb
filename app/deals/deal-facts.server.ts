/** SQL on an order item (alias `i`) and its order (alias `o`): what the rules of a deal must know, one seek each. */
import { type SQL, sql } from "drizzle-orm";
import { threadSql } from "#app/db/thread-sql.ts";
import { REVIEW_CAUSES, type TurnFacts } from "#app/orders/deal-blame-rules.ts";

/** The seller is suspended. */
const sellerSuspended: SQL = sql`EXISTS (SELECT 1 FROM credentials c WHERE c.id = i.seller_id AND c.suspended_at IS NOT NULL)`;

/** The end of the deal waits for a second admin, and its clock stands still. */
export const dealHeld: SQL = sql`EXISTS (SELECT 1 FROM deal_holds h WHERE h.order_item_id = i.id)`;

/** The seller is suspended, or the listing was taken down. */
export const sellerGone: SQL = sql`(${sellerSuspended}
  OR EXISTS (SELECT 1 FROM products q WHERE q.id = i.product_id AND q.suspended_at IS NOT NULL))`;

/** Why an item waits for our team; NULL when it never did. */
export const reviewCause: SQL = sql`(SELECT e.event FROM deal_events e WHERE e.order_item_id = i.id AND e.event IN (${sql.join(
  REVIEW_CAUSES.map((event) => sql`${event}`),
  sql`, `,
)}) ORDER BY e.created_at DESC, e.rowid DESC LIMIT 1)`;

/** A `TurnFacts` as JSON, for `readTurn`. */
export const turnJson: SQL = sql`json_object('buyerContacted', i.buyer_contacted, 'buyerAgreed', i.buyer_agreed, 'isDelivery', o.delivery_option = 'delivery',
  'last', json((SELECT json_array(iif(m.sender_id = o.user_id, 'buyer', 'seller'), m.created_at) FROM messages m
    WHERE m.thread = ${threadSql(sql`o.user_id`, sql`i.seller_id`)} AND m.created_at >= i.paid_at ORDER BY m.created_at DESC, m.id DESC LIMIT 1)),
  'blockedBy', (SELECT iif(b.user_id = o.user_id, 'buyer', 'seller') FROM blocks b
    WHERE (b.user_id = o.user_id AND b.blocked_id = i.seller_id) OR (b.user_id = i.seller_id AND b.blocked_id = o.user_id) ORDER BY b.created_at LIMIT 1))`;

export function readTurn(json: string): TurnFacts {
  const { last, buyerContacted, buyerAgreed, isDelivery, blockedBy } = JSON.parse(json) as Pick<
    TurnFacts,
    "blockedBy"
  > & {
    last: [NonNullable<TurnFacts["lastWriter"]>, number] | null;
    buyerContacted: number;
    buyerAgreed: number;
    isDelivery: number | null;
  };
  return {
    buyerContacted: buyerContacted === 1,
    buyerAgreed: buyerAgreed === 1,
    isDelivery: isDelivery === 1,
    lastWriter: last?.[0] ?? null,
    lastWroteAt: last?.[1] ?? null,
    blockedBy,
  };
}
