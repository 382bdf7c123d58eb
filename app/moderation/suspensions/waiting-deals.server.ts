/** The deals that wait for a second admin because of a case. */
import { and, eq, ne, not, sql } from "drizzle-orm";
import { expectOneChange, expectThat } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { adminProposals } from "#app/moderation/tables.server.ts";
import { dealHolds } from "#app/orders/tables.server.ts";
import { IS_OPEN_PROPOSAL } from "#app/moderation/second-admin/open-proposals.server.ts";
import { resumeDeals } from "#app/deals/tell-held.server.ts";
import { type DecideRefusal } from "#app/moderation/cases/case-rules.ts";
import { endHeldDeals } from "#app/deals/deal-holds.server.ts";
import { heldMoves } from "#app/moderation/second-admin/act-moves.server.ts";
import { rolesFor } from "#app/team/role-rules.ts";
import { mayNotConfirm, weighAct } from "#app/moderation/second-admin/weigh-act.server.ts";
import { isAdmin } from "#app/team/is-admin.server.ts";
import { type Admin, performAdminAction, performMoneyAction } from "#app/team/perform-act.server.ts";
import { endsOwnDeal } from "./suspension-statements.server.ts";
import type { CaseFacts, ModerationServices } from "#app/moderation/cases/case-facts.server.ts";
import { findCaseFacts, refusalFor } from "#app/moderation/cases/case-facts.server.ts";

/** The deals that wait because of a case end. `stale`: nothing waits any more, or it has changed. */
export async function endWaitingDeals(
  services: ModerationServices,
  admin: Admin,
  proposal: { id: string; subject: string; reasons: string },
): Promise<{ ok: true } | { ok: false; code: DecideRefusal | "own_money" | "stale" }> {
  const { facts, refusal } = await refuseAboutDeals(services, admin, proposal);
  if (refusal) return { ok: false, code: refusal };
  const moves = heldMoves(proposal.id);
  const weighed = await weighAct(services, admin.id, {
    act: "deals_ended",
    subject: proposal.subject,
    moves,
    input: {},
  });
  if (weighed.step === "propose" || !facts) return { ok: false, code: "stale" };
  const now = services.now();
  const action = { action: "deals_ended", subject: proposal.subject, detail: proposal.reasons } as const;
  const done = await performMoneyAction(services, admin, action, weighed, [
    expectThat(hasRow(dealHolds, eq(dealHolds.proposalId, proposal.id))),
    ...endHeldDeals(sql`${proposal.id}`, now),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/**
 * The deals that wait because of a case go on by their usual clocks, although the decision stays. Who may end them may
 * do it.
 */
export async function keepWaitingDeals(
  services: ModerationServices,
  admin: Admin,
  proposal: { id: string; adminId: string; subject: string; reasons: string },
): Promise<{ ok: true } | { ok: false; code: DecideRefusal | "own_money" | "stale" }> {
  const { refusal } = await refuseAboutDeals(services, admin, proposal);
  if (refusal) return { ok: false, code: refusal };
  const now = services.now();
  const done = await performAdminAction(
    services,
    admin,
    { action: "act_declined", subject: proposal.subject, detail: proposal.reasons },
    [
      expectThat(isAdmin(admin.id, rolesFor("deals_ended"))),
      expectThat(not(mayNotConfirm(admin.id, proposal.adminId, now))),
      // Whoever made the decision can only undo it: otherwise the clocks would end the deals after one admin's act.
      build
        .update(adminProposals)
        .set({ state: "declined", decidedBy: admin.id, decidedAt: now })
        .where(and(eq(adminProposals.id, proposal.id), IS_OPEN_PROPOSAL, ne(adminProposals.adminId, admin.id))),
      expectOneChange(),
      ...resumeDeals(sql`${proposal.id}`, now),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/**
 * Why an admin decides nothing about the deals that wait because of a case. Whoever decided the case may not confirm
 * it.
 */
async function refuseAboutDeals(
  services: ModerationServices,
  admin: Admin,
  { id, subject }: { id: string; subject: string },
): Promise<{ facts: CaseFacts | null; refusal: DecideRefusal | "own_money" | "stale" | null }> {
  const facts = await findCaseFacts(services.db, subject.replace(/^case:/, ""));
  if (!facts) return { facts, refusal: "stale" };
  const held = build.select({ id: dealHolds.orderItemId }).from(dealHolds).where(eq(dealHolds.proposalId, id));
  if (await endsOwnDeal(services, admin.id, held.getSQL())) return { facts, refusal: "own_money" };
  return { facts, refusal: refusalFor(admin, { ...facts, decidedBy: null }) };
}
