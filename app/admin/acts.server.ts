/**
 * One rule for every act of an admin that moves money: how much one admin may move alone, counted in the database and
 * guarded in the batch of the act. See docs/decisions/two-admins.md.
 */
import { type SQL, sql } from "drizzle-orm";
import { expectOneChange, expectThat, rowOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { voidProposal } from "#app/db/void-proposal.ts";
import {
  actStep,
  type MoneyAct,
  MOVES_COUNT_MS,
  type ProposalFacts,
  type ProposedAct,
  SECOND_ADMIN_ABOVE,
} from "./act-rules.ts";

/** An act to weigh. */
export interface WeighedAct {
  act: MoneyAct;
  /** "kind:id" of what the act is about, as in the audit log. */
  subject: string;
  /** SQL of `act-moves.server.ts`. */
  moves: SQL;
  /** SQL: whether it needs two admins in any case, because nothing else can prove it. */
  needsTwo?: SQL;
  /** What a proposal needs to be done by a second admin, besides its subject. */
  input: Record<string, string | number | boolean>;
}

/** The admin may do it. The guards belong into its batch. */
export interface MayAct {
  guards: Statement[];
}

/** What follows from an act: it happens, or it confirms what another admin proposed, or it must be proposed. */
export type Weighed =
  | (MayAct & { step: "alone" | "confirm" })
  /** `amount`: KES that the act would move. */
  | { step: "propose"; amount: number };

/**
 * SQL: KES that this admin would have moved alone with this act: in it as a whole, and for each person together with what they
 * moved before.
 */
function weightOf(adminId: string, { moves, needsTwo = sql`0` }: WeighedAct, now: number): SQL {
  return sql`MAX(CASE WHEN ${needsTwo} THEN ${SECOND_ADMIN_ABOVE + 1} ELSE 0 END, ${sumOf(adminId, moves, now)})`;
}

function sumOf(adminId: string, moves: SQL, now: number): SQL {
  return sql`(WITH moved AS (${moves}),
    counted AS (SELECT buyer_id, seller_id, amount FROM moved
      UNION ALL SELECT buyer_id, seller_id, amount FROM admin_moves WHERE admin_id = ${adminId} AND created_at > ${now - MOVES_COUNT_MS} AND money_id NOT IN (SELECT id FROM moved)),
    people AS (SELECT buyer_id AS id FROM moved WHERE amount > 0 UNION SELECT seller_id FROM moved WHERE amount > 0)
    SELECT COALESCE(MAX(total), 0) FROM (SELECT SUM(amount) AS total FROM moved
      UNION ALL SELECT (SELECT SUM(c.amount) FROM counted c WHERE p.id IN (c.buyer_id, c.seller_id)) FROM people p WHERE p.id IS NOT NULL))`;
}

/** SQL: KES that an act moves. */
export function amountOf(moves: SQL): SQL {
  return sql`(SELECT COALESCE(SUM(amount), 0) FROM (${moves}))`;
}

/** SQL: somebody is an admin who can log in. `id` as a value or a column. */
export function isAdmin(id: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM profiles p JOIN credentials c ON c.id = p.id WHERE p.id = ${id} AND p.is_admin = 1 AND c.suspended_at IS NULL)`;
}

/**
 * Whether an admin may do this alone, confirms the same act of another admin, or must leave it to a second one. The
 * guards repeat all of it in the batch of the act.
 */
export async function weighAct(store: Store, adminId: string, weighed: WeighedAct): Promise<Weighed> {
  const { act, subject, moves } = weighed;
  const now = store.now();
  const input = JSON.stringify(weighed.input);
  const [sums, proposals] = await runBatch(store.db, [
    sql`SELECT ${weightOf(adminId, weighed, now)} AS weight, ${amountOf(moves)} AS amount`,
    sql`SELECT id, act, admin_id AS adminId, input, amount, created_at AS createdAt FROM admin_proposals WHERE subject = ${subject} AND state = 'open'`,
  ]);
  const { weight, amount } = rowOf<{ weight: number; amount: number }>(sums) ?? { weight: 0, amount: 0 };
  const proposal = rowOf<ProposalFacts & { id: string }>(proposals) ?? null;
  const step = actStep({ adminId, act, input, amount, weight, now }, proposal);
  switch (step) {
    case "propose":
      return { step, amount };
    case "alone":
      return {
        step,
        guards: [
          expectThat(sql`${weightOf(adminId, weighed, now)} <= ${SECOND_ADMIN_ABOVE}`),
          sql`INSERT INTO admin_moves (admin_id, money_id, act, buyer_id, seller_id, amount, created_at)
            SELECT ${adminId}, id, ${act}, buyer_id, seller_id, amount, ${now} FROM (${moves}) WHERE amount > 0
            ON CONFLICT (admin_id, money_id) DO UPDATE SET act = excluded.act, amount = excluded.amount, created_at = excluded.created_at`,
          voidProposal(subject, now),
        ],
      };
    case "confirm":
      return {
        step,
        guards: [
          sql`UPDATE admin_proposals SET state = 'confirmed', decided_by = ${adminId}, decided_at = ${now}
            WHERE id = ${proposal?.id ?? ""} AND state = 'open' AND admin_id <> ${adminId} AND ${isAdmin(sql`admin_proposals.admin_id`)}
              AND ${amountOf(moves)} = ${amount}`,
          expectOneChange(),
        ],
      };
  }
}

/**
 * Writes down what a second admin must confirm, in place of an earlier proposal about the same thing. Aborts its batch when
 * there is no longer anything to move.
 */
export function proposeStatements(
  adminId: string,
  { act, subject, moves, input }: WeighedAct & { act: ProposedAct },
  { id, reasons, now }: { id: string; reasons: string; now: number },
): Statement[] {
  return [
    voidProposal(subject, now),
    sql`INSERT INTO admin_proposals (id, act, subject, admin_id, input, reasons, amount, created_at)
      SELECT ${id}, ${act}, ${subject}, ${adminId}, ${JSON.stringify(input)}, ${reasons}, total, ${now} FROM (SELECT SUM(amount) AS total FROM (${moves})) WHERE total > 0`,
    expectOneChange(),
  ];
}
