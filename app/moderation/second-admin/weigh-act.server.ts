/**
 * One rule for every act of an admin that moves money: how much one admin may move alone, counted in the database and
 * guarded in the batch of the act. See docs/decisions/two-admins.md.
 */
import { and, eq, gt, inArray, isNotNull, ne, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Statement, expectOneChange, expectThat, holds, read } from "#app/db/batch.ts";
import type { MayAct } from "#app/team/perform-act.server.ts";
import { build, hasRow, insertEach, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { adminMoves, adminProposals } from "#app/moderation/tables.server.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { IS_OPEN_PROPOSAL, voidProposal } from "./open-proposals.server.ts";
import { actStep, MOVES_COUNT_MS, NEW_FOR_MS, type ProposedAct, SECOND_ADMIN_ABOVE } from "./second-admin-rules.ts";
import { type MoneyAct } from "#app/team/act-rules.ts";
import { MAKES_NEW, rolesFor } from "#app/team/role-rules.ts";
import { isAdmin } from "#app/team/is-admin.server.ts";

/** An act to weigh. */
export interface WeighedAct {
  act: MoneyAct;
  /** "kind:id" of what the act is about, as in the audit log. */
  subject: string;
  /** SQL of `act-moves.server.ts`. */
  moves: SQL;
  /** SQL: whether it needs two admins in any case, because nothing else can prove it. */
  needsTwo?: SQL;
  /**
   * SQL: the part of `moves` that came after this time, ms, and that whoever proposed it then hasn't agreed to. The
   * second admin may move that part alone, or it is proposed anew.
   */
  movesSince?: (at: number) => SQL;
  /** What a proposal needs to be done by a second admin, besides its subject. */
  input: Record<string, string | number | boolean>;
}

/** What follows from an act: it happens, or it confirms what another admin proposed, or it must be proposed. */
export type Weighed =
  | (MayAct & { step: "alone" | "confirm" })
  /** `amount`: KES that the act would move. */
  | { step: "propose"; amount: number };

/**
 * SQL: KES that this admin would have moved alone with this act: in it as a whole, and for each person together with
 * what they moved before.
 */
function weightOf(adminId: string, { moves, needsTwo = sql`0` }: WeighedAct, now: number): SQL<number> {
  const isNewAndMoves = sql`(${isNew(adminId, now)} AND ${amountOf(moves)} > 0)`;
  return sql`MAX(CASE WHEN ${needsTwo} OR ${isNewAndMoves} THEN ${SECOND_ADMIN_ABOVE + 1}
    ELSE 0 END,
    ${sumOf(adminId, moves, now)})`;
}

// Not built: one expression over the same rows three times.
function sumOf(adminId: string, moves: SQL, now: number): SQL {
  const { buyerId, sellerId, amount, moneyId, createdAt } = adminMoves;
  return sql`(WITH moved AS (${moves}),
    counted AS (SELECT buyer_id, seller_id, amount FROM moved
      UNION ALL SELECT ${buyerId}, ${sellerId}, ${amount} FROM ${adminMoves}
        WHERE ${adminMoves.adminId} = ${adminId} AND ${createdAt} > ${now - MOVES_COUNT_MS}
          AND ${moneyId} NOT IN (SELECT id FROM moved)),
    people AS (SELECT buyer_id AS id FROM moved WHERE amount > 0 UNION SELECT seller_id FROM moved WHERE amount > 0)
    SELECT COALESCE(MAX(total), 0) FROM (SELECT SUM(amount) AS total FROM moved
      UNION ALL SELECT (SELECT SUM(counted.amount) FROM counted
        WHERE people.id IN (counted.buyer_id, counted.seller_id)) FROM people WHERE people.id IS NOT NULL))`;
}

/** SQL: KES that an act moves. */
export function amountOf(moves: SQL): SQL<number> {
  return sql`(SELECT COALESCE(SUM(amount), 0) FROM (${moves}))`;
}

/**
 * SQL: somebody got their role from another admin less than a week ago, or lost their second step by one. Otherwise one
 * owner, or whoever has stolen an owner's account, could be two admins. `giver`: only by this admin.
 */
function isNew(adminId: string | SQLWrapper, now: number, giver?: string): SQL {
  return hasRow(
    auditLog,
    and(
      sql`${auditLog.subject} = 'user:' || ${adminId}`,
      inArray(auditLog.action, MAKES_NEW),
      giver === undefined ? isNotNull(auditLog.actorId) : eq(auditLog.actorId, giver),
      gt(auditLog.createdAt, now - NEW_FOR_MS),
    ),
  );
}

/**
 * SQL: an admin can't be the second one for this proposal, because they are new, or because its proposer is and has the
 * role from them.
 */
export function mayNotConfirm(adminId: string, proposerId: string | SQLWrapper, now: number): SQL {
  return sql`(${isNew(adminId, now)} OR ${isNew(proposerId, now, adminId)})`;
}

/**
 * Whether an admin may do this alone, confirms the same act of another admin, or must leave it to a second one. The
 * guards repeat all of it in the batch of the act.
 */
export async function weighAct(store: Store, adminId: string, weighed: WeighedAct): Promise<Weighed> {
  const { act, subject, moves } = weighed;
  const now = store.now();
  const input = JSON.stringify(weighed.input);
  const {
    sums: [sums],
    proposal: [proposal = null],
  } = await read(store.db, {
    sums: oneRow({ weight: weightOf(adminId, weighed, now), amount: amountOf(moves) }),
    proposal: build
      .select()
      .from(adminProposals)
      .where(and(eq(adminProposals.subject, subject), IS_OPEN_PROPOSAL)),
  });
  const { weight, amount } = sums ?? { weight: 0, amount: 0 };
  const blocked = proposal !== null && (await holds(store.db, mayNotConfirm(adminId, proposal.adminId, now)));
  const added = proposal && weighed.movesSince ? { ...weighed, moves: weighed.movesSince(proposal.createdAt) } : null;
  const news = added
    ? await read(store.db, oneRow({ weight: weightOf(adminId, added, now), amount: amountOf(added.moves) }))
    : [];
  const agreed = amount - (news?.[0]?.amount ?? 0);
  const mayNotAdd = (news?.[0]?.weight ?? 0) > SECOND_ADMIN_ABOVE;
  const step = actStep({ adminId, act, input, agreed, weight, mayNotConfirm: blocked || mayNotAdd, now }, proposal);
  switch (step) {
    case "propose":
      return { step, amount };
    case "alone":
      return {
        step,
        guards: [...moveAlone(adminId, weighed, now), voidProposal(subject, now)],
      };
    case "confirm":
      return {
        step,
        guards: [
          build
            .update(adminProposals)
            .set({ state: "confirmed", decidedBy: adminId, decidedAt: now })
            .where(
              and(
                eq(adminProposals.id, proposal?.id ?? ""),
                IS_OPEN_PROPOSAL,
                ne(adminProposals.adminId, adminId),
                isAdmin(adminProposals.adminId, rolesFor(act)),
                not(mayNotConfirm(adminId, proposal?.adminId ?? "", now)),
                eq(amountOf(moves), amount),
              ),
            ),
          expectOneChange(),
          ...(added ? moveAlone(adminId, added, now) : []),
        ],
      };
  }
}

/** Aborts the batch if one admin moves too much alone with this, and counts it. */
function moveAlone(adminId: string, weighed: WeighedAct, now: number): Statement[] {
  const { act, moves } = weighed;
  return [
    expectThat(sql`${weightOf(adminId, weighed, now)} <= ${SECOND_ADMIN_ABOVE}`),
    insertEach(
      adminMoves,
      {
        adminId,
        moneyId: sql`id`,
        act,
        buyerId: sql`buyer_id`,
        sellerId: sql`seller_id`,
        amount: sql`amount`,
        createdAt: now,
      },
      sql`FROM (${moves}) WHERE amount > 0`,
    ).onConflictDoUpdate({
      target: [adminMoves.adminId, adminMoves.moneyId],
      set: { act, amount: sql`excluded.amount`, createdAt: now },
    }),
  ];
}

/**
 * Writes down what a second admin must confirm, in place of an earlier proposal about the same thing. Aborts its batch
 * when there is no longer anything to move.
 */
export function proposeStatements(
  adminId: string,
  { act, subject, moves, input }: WeighedAct & { act: ProposedAct },
  { id, reasons, now }: { id: string; reasons: string; now: number },
): Statement[] {
  return [
    voidProposal(subject, now),
    insertEach(
      adminProposals,
      { id, act, subject, adminId, input: JSON.stringify(input), reasons, amount: sql`total`, createdAt: now },
      sql`FROM (SELECT SUM(amount) AS total FROM (${moves})) WHERE total > 0`,
    ),
    expectOneChange(),
  ];
}
