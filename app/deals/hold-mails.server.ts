import { and, eq, isNull, not, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { queueEffects } from "#app/db/outbox.ts";
import { credentials, dealHolds, orderItems, orders, profiles } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealHoldStep } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { DEAL_EMAILS } from "#app/orders/deal-rules.ts";
import type { MailOf } from "#app/platform/mailer.ts";

const other = alias(dealHolds, "other");

/**
 * Tells both sides of the deals that these proposals alone hold, except those who are suspended, that they stand still, or go on
 * after all. One statement, because any number of deals can be held. Write "held" after the holds and the suspension, and
 * "resumed" before the holds are lifted. `proposals`, `except`: SQL of ids, as for `liftHolds`.
 */
export function holdMails(step: DealHoldStep, proposals: SQLWrapper, now: number, except?: SQLWrapper): Statement {
  const template: MailOf<"deal_step">["template"] = "deal_step";
  const role = sql`role.value`;
  const isTheirs = (hold: typeof dealHolds | typeof other) => sql`${hold.proposalId} IN (${proposals.getSQL()})`;
  const mails = build
    .select({
      dedupeKey: sql`'deal:' || ${orderItems.id} || ${`:${step}:`} || ${dealHolds.proposalId} || ':' || ${role}`.as(
        "dedupeKey",
      ),
      payload: sql`json_object('to', ${credentials.email}, 'template', ${template}, 'data', json_object(
        'name', COALESCE(NULLIF(${profiles.fullName}, ''), 'there'), 'role', ${role}, 'step', ${step},
        'productName', ${orderItems.productName}, 'price', ${orderItems.subtotal}, 'orderId', ${orders.id}, 'orderItemId', ${orderItems.id},
        'amount', NULL, 'note', NULL, 'until', NULL))`.as("payload"),
    })
    .from(dealHolds)
    .innerJoin(orderItems, eq(orderItems.id, dealHolds.orderItemId))
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .crossJoin(sql`json_each(${JSON.stringify(DEAL_EMAILS[step] ?? [])}) role`)
    .innerJoin(credentials, eq(credentials.id, sql`iif(${role} = 'buyer', ${orders.userId}, ${orderItems.sellerId})`))
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(
      and(
        isTheirs(dealHolds),
        except && sql`${dealHolds.orderItemId} NOT IN (${except.getSQL()})`,
        stateIs(orderItems.status, ITEM.isRunning),
        isNull(credentials.suspendedAt),
        not(hasRow(other, and(eq(other.orderItemId, orderItems.id), not(isTheirs(other))))),
      ),
    );
  return queueEffects("mail", mails.getSQL(), now);
}
