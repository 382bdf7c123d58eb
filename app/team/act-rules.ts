/**
 * Every act of an admin, who may do it, and whether it moves money or makes the clock move it: pure rules. An act that
 * is missing here doesn't compile, because the audit log takes no other.
 */
import type { AdminRole } from "#app/db/states/admin.ts";

const CASES = ["support"] as const;
const MONEY = ["finance"] as const;
const BOTH = ["support", "finance"] as const;
const OWNERS = [] as const;

/**
 * Acts that move money, and who may do each besides the owners. `moderation/second-admin/act-moves.server.ts` finds how
 * much it is.
 */
export const MONEY_ACTS = {
  // The money of one item, which waits for our decision.
  team_refunded: BOTH,
  team_split: BOTH,
  team_released: BOTH,
  // Moderation. Where a decision ends running deals, the listing or account disappears at once, and only the end of the
  // deals waits for a second admin. Any other decision lets go the money that the reports keep, and waits as a whole.
  case_dismissed: CASES,
  case_removed: CASES,
  case_warned: CASES,
  case_suspended: CASES,
  deals_ended: CASES,
  // An open report about an order keeps its money from being released.
  issue_closed: BOTH,
  payout_retried: MONEY,
  payout_recorded: MONEY,
  refund_retried: MONEY,
  refund_recorded: MONEY,
  // A payment of a buyer that came in.
  payment_accepted: MONEY,
  payment_dismissed: MONEY,
} as const satisfies Record<string, readonly AdminRole[]>;

/** Acts that move no money, and who may do each besides the owners. */
export const FREE_ACTS = {
  case_noted: CASES,
  // Undoing lets the deals go on as they were. What a report of the buyer stops stays stopped.
  case_taken_back: CASES,
  appeal_granted: CASES,
  appeal_declined: CASES,
  // Parts of a decision, in the history of what it is about.
  user_suspended: CASES,
  user_restored: CASES,
  listing_suspended: CASES,
  listing_restored: CASES,
  pictures_removed: CASES,
  pictures_restored: CASES,
  review_removed: CASES,
  review_restored: CASES,
  reply_removed: CASES,
  reply_restored: CASES,
  message_removed: CASES,
  message_restored: CASES,
  issue_noted: BOTH,
  payout_parked: MONEY,
  payout_reserved: MONEY,
  payout_paid_twice: MONEY,
  refund_reserved: MONEY,
  refund_paid_twice: MONEY,
  discrepancy_resolved: MONEY,
  line_closed: MONEY,
  // What is proposed is itself among the acts that move money.
  act_proposed: BOTH,
  act_declined: BOTH,
  // A code opens wholesale listings, and is worth no money. An approved document shortens later inspections, and pays
  // nobody.
  codes_generated: OWNERS,
  document_approved: CASES,
  document_rejected: CASES,
  category_merged: OWNERS,
  category_removed: OWNERS,
  term_added: OWNERS,
  term_removed: OWNERS,
  type_added: OWNERS,
  type_word_set: OWNERS,
  type_word_unset: OWNERS,
  missed_search_removed: OWNERS,
  university_added: OWNERS,
  university_removed: OWNERS,
  // It opens the accounts of whomever it vouches for, but none of an admin.
  university_login_added: OWNERS,
  university_login_on: OWNERS,
  university_login_off: OWNERS,
  university_login_removed: OWNERS,
  emails_retried: BOTH,
  campus_added: OWNERS,
  campus_removed: OWNERS,
  semester_set: OWNERS,
  points_only_set: OWNERS,
  points_only_ended: OWNERS,
  meeting_point_added: OWNERS,
  meeting_point_changed: OWNERS,
  meeting_point_hidden: OWNERS,
  meeting_point_shown: OWNERS,
  fee_proposed: OWNERS,
  fee_confirmed: OWNERS,
  fee_declined: OWNERS,
  fee_take_back_proposed: OWNERS,
  fee_taken_back: OWNERS,
  fee_kept: OWNERS,
  cost_set: OWNERS,
  admin_made: OWNERS,
  admin_changed: OWNERS,
  admin_removed: OWNERS,
  second_step_reset: OWNERS,
} as const satisfies Record<string, readonly AdminRole[]>;

export type MoneyAct = keyof typeof MONEY_ACTS;

export type FreeAct = keyof typeof FREE_ACTS;

export type AdminAct = MoneyAct | FreeAct;
