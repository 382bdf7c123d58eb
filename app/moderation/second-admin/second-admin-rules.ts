/** How much one admin may move alone, and what follows when they would move more: pure rules. */
import type { MoneyAct } from "#app/team/act-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** KES. An act that moves more than this needs two admins, so that no single account can move it. */
export const SECOND_ADMIN_ABOVE = 50_000;

/** For how long what an admin has moved alone counts with their next act about the same people, in ms. */
export const MOVES_COUNT_MS = 30 * DAY_MS;

/** How long a second admin can confirm an act, in ms. Deals that wait for the end of their hold have no such limit. */
export const PROPOSAL_LIFE_MS = 7 * DAY_MS;

/** For how long another admin confirms whatever somebody does with money who got their role from an admin, in ms. */
export const NEW_FOR_MS = 7 * DAY_MS;

/** Acts that can wait as a whole. Of a decision that ends deals, only their end waits. */
export type ProposedAct = Exclude<MoneyAct, "case_suspended">;

/** A proposal, as far as it decides what follows from an act. */
export interface ProposalFacts {
  act: string;
  adminId: string;
  /** JSON. */
  input: string;
  /** KES that it would move. */
  amount: number;
  /** Ms since 1970. */
  createdAt: number;
}

/** What an act needs to know about itself. */
export interface ActFacts {
  adminId: string;
  act: string;
  /** JSON. */
  input: string;
  /** KES that it moves now, without what came after it was proposed. */
  agreed: number;
  /** KES that one admin would have moved alone with it: `weightOf` in `weigh-act.server.ts`. */
  weight: number;
  /**
   * They are new, or gave whoever proposed it a role while they are new (`mayNotConfirm` in `weigh-act.server.ts`), or
   * too much came after it was proposed.
   */
  mayNotConfirm: boolean;
  now: number;
}

/**
 * Whether a proposal still stands: it isn't too old, and would move no more than when it was made. `amount`: KES,
 * without what reports of later stop.
 */
export function isProposalGood(
  proposal: Pick<ProposalFacts, "act" | "amount" | "createdAt">,
  amount: number,
  now: number,
): boolean {
  const isFresh = proposal.act === ("deals_ended" satisfies ProposedAct) || now < proposal.createdAt + PROPOSAL_LIFE_MS;
  return isFresh && amount > 0 && amount <= proposal.amount;
}

/**
 * What follows when an admin acts: it happens, or it confirms another admin's proposal, or a second admin must confirm.
 */
export function actStep(facts: ActFacts, proposal: ProposalFacts | null): "alone" | "confirm" | "propose" {
  if (facts.weight <= SECOND_ADMIN_ABOVE) return "alone";
  const isSame = proposal?.act === facts.act && proposal.input === facts.input;
  if (!isSame || proposal.adminId === facts.adminId || facts.mayNotConfirm) return "propose";
  return isProposalGood(proposal, facts.agreed, facts.now) ? "confirm" : "propose";
}
