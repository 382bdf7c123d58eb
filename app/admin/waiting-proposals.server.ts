import { sql } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";
import { changesOf, runBatch } from "#app/db/batch.ts";
import { queueEffects } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import type { MailOf } from "#app/platform/mailer.ts";
import { type ProposedAct, PROPOSAL_LIFE_MS } from "./act-rules.ts";
import { ADMINS } from "./case-decisions.server.ts";

/**
 * Emails every admin, once a day, while something waits for a second one: deals that are held have no other end. Whoever proposed it
 * gets it, too, and can ask for another admin. Returns how many emails were queued.
 */
export async function remindOfProposals({ db, now }: Store): Promise<number> {
  const at = now();
  const [waiting] = await db.all<{
    count: number;
    since: number | null;
  }>(sql`SELECT COUNT(*) AS count, MIN(r.created_at) AS since
    FROM admin_proposals r WHERE r.state = 'open' AND CASE WHEN r.act = ${"deals_ended" satisfies ProposedAct}
      THEN EXISTS (SELECT 1 FROM deal_holds h JOIN order_items i ON i.id = h.order_item_id WHERE h.proposal_id = r.id AND ${stateIs("i.status", ITEM.isRunning)})
      ELSE r.created_at > ${at - PROPOSAL_LIFE_MS} END`);
  if (!waiting || waiting.since === null) return 0;
  const mail: Omit<MailOf<"proposals_waiting">, "to"> = {
    template: "proposals_waiting",
    data: { name: "", count: waiting.count, since: waiting.since },
  };
  const [queued] = await runBatch(db, [
    queueEffects(
      "mail",
      sql`SELECT ${`proposals_waiting:${dayName(at)}:`} || c.id AS dedupeKey,
          json_set(${JSON.stringify(mail)}, '$.to', c.email, '$.data.name', COALESCE(p.full_name, '')) AS payload
        FROM credentials c JOIN profiles p ON p.id = c.id WHERE c.id IN (${ADMINS})`,
      at,
    ),
  ]);
  return changesOf(queued);
}
