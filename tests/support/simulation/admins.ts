/** The two admins of a simulation: what they leave to each other, and that neither moves too much alone. */
import { DESK_ACTS } from "#app/admin/desk-acts.server.ts";
import { env } from "cloudflare:workers";
import { MOVES_COUNT_MS, SECOND_ADMIN_ABOVE } from "#app/moderation/second-admin/second-admin-rules.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import { confirmProposal, declineProposal, listProposals } from "#app/moderation/second-admin/proposals.server.ts";
import { type Campus, invoke } from "./invocation.ts";

/** One of the two. The first one tries most things, so that their acts add up. */
export function oneAdmin({ stage, admin, secondAdmin }: Campus): Admin {
  const id = stage.chance.happens(0.7) ? admin : secondAdmin;
  return { id, email: "admin@campus.test" };
}

/** Most often the other one of the two. */
function otherAdmin({ stage, admin, secondAdmin }: Campus, than: string): Admin {
  const other = than === admin ? secondAdmin : admin;
  return { id: stage.chance.happens(0.8) ? other : than, email: "admin@campus.test" };
}

/**
 * One of the two looks at what waits. Some confirm or decline what they have read before, both at once, or their own
 * proposals.
 */
export function visitProposals(campus: Campus, share: number): void {
  const { stage } = campus;
  const { chance } = stage;
  invoke(campus, "proposals", async (services) => {
    const { rows } = await listProposals(services);
    for (const { id, adminId, amountNow, changedAt } of rows) {
      if (!chance.happens(share)) continue;
      const declines = chance.happens(0.35);
      const visits = chance.happens(0.2) ? 2 : 1;
      for (let visit = 1; visit <= visits; visit += 1)
        invoke(campus, "a proposal", async (own) => {
          const later: Promise<unknown>[] = [];
          const desk = { ...own, media: env.MEDIA, defer: (work: Promise<unknown>) => void later.push(work) };
          const outcome = declines
            ? await declineProposal(own, otherAdmin(campus, adminId), id)
            : await confirmProposal(
                desk,
                otherAdmin(campus, adminId),
                { id, seenAmount: amountNow, changedAt },
                DESK_ACTS,
              );
          await Promise.all(later);
          stage.note(`a second admin: ${outcome}`);
        });
    }
  });
}

interface Move {
  itemId: string;
  subtotal: number;
  /** Both sides of the deal. */
  people: string[];
  adminId: string;
  /** Ms since 1970. */
  at: number;
}

/**
 * No admin alone has moved more than KES 50,000 for or against one person within 30 days: by decisions, or by the ends
 * of deals after a suspension. Only facts are compared, and never what the app has counted.
 */
export async function auditAdmins(d1: D1Database): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.id AS itemId, i.subtotal, o.user_id AS buyerId, i.seller_id AS sellerId, e.actor_id AS adminId,
        e.created_at AS at
        FROM deal_events e JOIN order_items i ON i.id = e.order_item_id JOIN orders o ON o.id = i.order_id
        WHERE e.event IN ('team_refunded', 'team_split', 'team_released')
          AND NOT EXISTS (SELECT 1 FROM admin_proposals p
            WHERE p.subject = 'order_item:' || i.id AND p.state = 'confirmed' AND p.admin_id <> p.decided_by)
      UNION ALL
      SELECT i.id, i.subtotal, o.user_id, i.seller_id, k.decided_by, e.created_at
        FROM deal_events e JOIN order_items i ON i.id = e.order_item_id JOIN orders o ON o.id = i.order_id
          JOIN moderation_cases k ON k.reported_id IN (o.user_id, i.seller_id) AND k.decision = 'suspended'
            AND k.decided_at <= e.created_at
        WHERE e.event = 'party_gone'
          AND NOT EXISTS (SELECT 1 FROM admin_proposals p JOIN moderation_cases m ON p.subject = 'case:' || m.id
            WHERE p.act = 'deals_ended' AND p.state = 'confirmed' AND p.decided_at <= e.created_at
              AND m.reported_id IN (o.user_id, i.seller_id))
        GROUP BY i.id`,
    )
    .all<{ itemId: string; subtotal: number; buyerId: string; sellerId: string; adminId: string; at: number }>();
  // A suspension may leave an item to the decision of the same admin. Its money counts once.
  const once = new Map(results.map((move) => [`${move.adminId} ${move.itemId}`, move]));
  const moves = [...once.values()].map(({ buyerId, sellerId, ...move }): Move => ({
    ...move,
    people: [buyerId, sellerId],
  }));
  const sums = new Map<string, number>();
  for (const { people, adminId, at } of moves)
    for (const person of people) {
      const total = moves
        .filter((move) => move.adminId === adminId && move.people.includes(person))
        .filter((move) => move.at <= at && move.at > at - MOVES_COUNT_MS)
        .reduce((sum, { subtotal }) => sum + subtotal, 0);
      const who = `admin ${adminId.slice(0, 8)} about ${person.slice(0, 8)}`;
      sums.set(who, Math.max(sums.get(who) ?? 0, total));
    }
  return [...sums]
    .filter(([, total]) => total > SECOND_ADMIN_ABOVE)
    .map(([who, total]) => `${who} moved KES ${total} alone`);
}
