/**
 * Every act of an admin, and the money that it moves or makes the clock move: pure rules. An act that is missing here
 * doesn't compile, because the audit log takes no other.
 */

/** KES. An act that moves more than this needs two admins, so that no single account can move it. */
export const SECOND_ADMIN_ABOVE = 50_000;

const DAY_MS = 24 * 60 * 60_000;

/** For how long what an admin has moved alone counts with their next act about the same people, in ms. */
export const MOVES_COUNT_MS = 30 * DAY_MS;
/** How long a second admin can confirm an act, in ms. Deals that wait for the end of their hold have no such limit. */
export const PROPOSAL_LIFE_MS = 7 * DAY_MS;

/** For how long another admin confirms whatever somebody does with money who got their role from an admin, in ms. */
export const NEW_FOR_MS = 7 * DAY_MS;

/** Whose money an act moves. `act-moves.server.ts` finds it. */
export type MovedMoney =
  /** Nobody's. */
  | "none"
  /** That of one item, which waits for our decision. */
  | "item"
  /** That of all running deals of a person or a listing: they end. */
  | "deals"
  /** About a listing, that of its running deals: they end. About anything else, that which the reports keep. */
  | "deals_or_reported"
  /** That of the deals which a proposal holds. */
  | "held_deals"
  /** That which the reports keep from being released. */
  | "reported"
  | "payout"
  | "refund"
  /** A payment of a buyer that came in. */
  | "payment";

export const ADMIN_ACTS = {
  // Decisions about a problem.
  team_refunded: "item",
  team_split: "item",
  team_released: "item",
  // Moderation. Where a decision ends deals, the listing or account disappears at once, and only the end of the deals waits for
  // a second admin. Any other decision lets go what the reports keep, and waits as a whole.
  case_dismissed: "reported",
  case_removed: "deals_or_reported",
  case_warned: "deals_or_reported",
  case_suspended: "deals",
  deals_ended: "held_deals",
  case_noted: "none",
  // Undoing lets the deals go on as they were. What a report of the buyer stops stays stopped.
  case_taken_back: "none",
  appeal_granted: "none",
  appeal_declined: "none",
  // Parts of a decision, in the history of what it is about.
  user_suspended: "none",
  user_restored: "none",
  listing_suspended: "none",
  listing_restored: "none",
  pictures_removed: "none",
  pictures_restored: "none",
  review_removed: "none",
  review_restored: "none",
  reply_removed: "none",
  reply_restored: "none",
  message_removed: "none",
  message_restored: "none",
  // Reports about orders. An open one keeps the money from being released.
  issue_noted: "none",
  issue_closed: "reported",
  // Money.
  payout_retried: "payout",
  payout_recorded: "payout",
  payout_parked: "none",
  payout_reserved: "none",
  payout_paid_twice: "none",
  refund_retried: "refund",
  refund_recorded: "refund",
  refund_reserved: "none",
  refund_paid_twice: "none",
  payment_accepted: "payment",
  payment_dismissed: "payment",
  discrepancy_resolved: "none",
  line_closed: "none",
  // Proposals. The act itself is in this table, too.
  act_proposed: "none",
  act_declined: "none",
  // A code opens wholesale listings, and is worth no money. An approved document shortens later inspections, and pays nobody.
  codes_generated: "none",
  document_approved: "none",
  document_rejected: "none",
  category_merged: "none",
  category_removed: "none",
  term_added: "none",
  term_removed: "none",
  type_added: "none",
  type_word_set: "none",
  type_word_unset: "none",
  missed_search_removed: "none",
  university_added: "none",
  university_removed: "none",
  emails_retried: "none",
  meeting_point_added: "none",
  meeting_point_changed: "none",
  meeting_point_hidden: "none",
  meeting_point_shown: "none",
  admin_made: "none",
  admin_changed: "none",
  admin_removed: "none",
  second_step_reset: "none",
} as const satisfies Record<string, MovedMoney>;

export type AdminAct = keyof typeof ADMIN_ACTS;
type ActsThat<Moves extends MovedMoney> = {
  [Act in AdminAct]: (typeof ADMIN_ACTS)[Act] extends Moves ? Act : never;
}[AdminAct];
/** Acts that move no money. */
export type FreeAct = ActsThat<"none">;
export type MoneyAct = Exclude<AdminAct, FreeAct>;
/** Acts that can wait as a whole. Of a decision that ends deals, only their end waits. */
export type ProposedAct = Exclude<MoneyAct, ActsThat<"deals">>;

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
  /** KES that it moves now. */
  amount: number;
  /** KES that one admin would have moved alone with it: `weightOf` in `acts.server.ts`. */
  weight: number;
  /** They are new, or gave whoever proposed it a role while they are new: `mayNotConfirm` in `acts.server.ts`. */
  mayNotConfirm: boolean;
  now: number;
}

/** Whether a proposal still stands: it isn't too old, and would move no more than when it was made. */
export function isProposalGood(
  proposal: Pick<ProposalFacts, "act" | "amount" | "createdAt">,
  amount: number,
  now: number,
): boolean {
  const isFresh = proposal.act === ("deals_ended" satisfies ProposedAct) || now < proposal.createdAt + PROPOSAL_LIFE_MS;
  return isFresh && amount > 0 && amount <= proposal.amount;
}

/** What follows when an admin acts: it happens, or it confirms another admin's proposal, or a second admin must confirm. */
export function actStep(facts: ActFacts, proposal: ProposalFacts | null): "alone" | "confirm" | "propose" {
  if (facts.weight <= SECOND_ADMIN_ABOVE) return "alone";
  const isSame = proposal?.act === facts.act && proposal.input === facts.input;
  if (!isSame || proposal.adminId === facts.adminId || facts.mayNotConfirm) return "propose";
  return isProposalGood(proposal, facts.amount, facts.now) ? "confirm" : "propose";
}
