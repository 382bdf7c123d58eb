import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { queueEffects } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealHoldStep } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { DEAL_EMAILS } from "#app/orders/deal-rules.ts";
import type { MailOf } from "#app/platform/mailer.ts";

/**
 * Tells both sides of the deals that these proposals alone hold, except those who are suspended, that they stand still, or go on
 * after all. One statement, because any number of deals can be held. Write "held" after the holds and the suspension, and
 * "resumed" before the holds are lifted. `proposals`, `except`: SQL of ids, as for `liftHolds`.
 */
export function holdMails(
  step: DealHoldStep,
  proposals: SQL,
  now: number,
  except: SQL = sql`SELECT NULL WHERE 0`,
): Statement {
  const roles = sql.join(
    (DEAL_EMAILS[step] ?? []).map((role) => sql`SELECT ${role} AS role`),
    sql` UNION ALL `,
  );
  const template: MailOf<"deal_step">["template"] = "deal_step";
  return queueEffects(
    "mail",
    sql`SELECT 'deal:' || i.id || ${`:${step}:`} || h.proposal_id || ':' || s.role AS dedupeKey,
        json_object('to', c.email, 'template', ${template}, 'data', json_object('name', COALESCE(NULLIF(p.full_name, ''), 'there'), 'role', s.role,
          'step', ${step}, 'productName', i.product_name, 'price', i.subtotal, 'orderId', i.order_id, 'orderItemId', i.id,
          'amount', NULL, 'note', NULL, 'until', NULL)) AS payload
      FROM deal_holds h JOIN order_items i ON i.id = h.order_item_id JOIN orders o ON o.id = i.order_id JOIN (${roles}) s
        JOIN credentials c ON c.id = iif(s.role = 'buyer', o.user_id, i.seller_id) LEFT JOIN profiles p ON p.id = c.id
      WHERE h.proposal_id IN (${proposals}) AND h.order_item_id NOT IN (${except}) AND ${stateIs("i.status", ITEM.isRunning)} AND c.suspended_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM deal_holds e WHERE e.order_item_id = i.id AND e.proposal_id NOT IN (${proposals}))`,
    now,
  );
}
