import { and, count, eq, exists, min, sql } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";
import { write } from "#app/db/batch.ts";
import { build, named } from "#app/db/build.ts";
import { adminProposals } from "#app/moderation/tables.server.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { dealHolds, orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { IS_OPEN_PROPOSAL } from "./open-proposals.server.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { type ProposedAct, PROPOSAL_LIFE_MS } from "./second-admin-rules.ts";
import { isAdmin } from "#app/team/is-admin.server.ts";

/**
 * Tells every admin, once a day, while something waits for a second one: deals that are held have no other end. Whoever
 * proposed it gets it, too, and can ask for another admin. Returns how many were told.
 */
export async function remindOfProposals({ db, now }: Store): Promise<number> {
  const at = now();
  const running = build
    .select({ id: orderItems.id })
    .from(dealHolds)
    .innerJoin(orderItems, eq(orderItems.id, dealHolds.orderItemId))
    .where(and(eq(dealHolds.proposalId, adminProposals.id), stateIs(orderItems.status, ITEM.isRunning)));
  const isWaiting = sql`CASE WHEN ${adminProposals.act} = ${"deals_ended" satisfies ProposedAct}
    THEN ${exists(running)} ELSE ${adminProposals.createdAt} > ${at - PROPOSAL_LIFE_MS} END`;
  const [waiting] = await db
    .select({ count: count(), since: min(adminProposals.createdAt) })
    .from(adminProposals)
    .where(and(IS_OPEN_PROPOSAL, isWaiting));
  if (!waiting || waiting.since === null) return 0;
  const data = JSON.stringify({ count: waiting.count, since: waiting.since });
  const admins = build
    .select({
      ...named({ userId: credentials.id }),
      key: sql`${`proposals_waiting:${dayName(at)}:`} || ${credentials.id}`.as("key"),
      data: sql`${data}`.as("data"),
    })
    .from(credentials)
    .where(isAdmin(credentials.id));
  const {
    told: [told],
  } = await write(db, { told: notifyEach("proposals_waiting", admins.getSQL(), at) });
  return (told as D1Result).meta.changes;
}
