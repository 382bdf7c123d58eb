/** What each role of an admin may open and do: pure rules. docs/product-rules.md, "Admin pages", has them in words. */
import type { AdminRole } from "#app/db/states/admin.ts";
import { visibleForm } from "#app/platform/visible-text.ts";
import type { AdminAct } from "./act-rules.ts";

export const ROLE_NAMES: Record<AdminRole, string> = { support: "Support", finance: "Finance", owner: "Owner" };

/** Besides the owners, who open every page. A page that is missing here is for owners alone. */
export const PAGE_ROLES: Readonly<Record<string, readonly AdminRole[]>> = {
  "/admin": ["support", "finance"],
  "/admin/figures.csv": ["support", "finance"],
  "/admin/verifications": ["support"],
  "/admin/moderation": ["support"],
  "/admin/moderation/:caseId": ["support"],
  "/admin/problems": ["support", "finance"],
  "/admin/problems/:id": ["support", "finance"],
  "/admin/money": ["finance"],
  "/admin/money/lists": ["finance"],
  "/admin/money/explain": ["finance"],
  // Each role confirms there what it may do itself.
  "/admin/proposals": ["support", "finance"],
  "/admin/people": ["support"],
  "/admin/codes": [],
  "/admin/categories": [],
  "/admin/types": [],
  "/admin/prohibited": [],
  "/admin/universities": [],
  "/admin/campuses": [],
  "/admin/operations": ["support", "finance"],
  "/admin/admins": [],
};

/** `page`: a pattern of the router. */
export function mayOpen(role: AdminRole, page: string): boolean {
  return role === "owner" || (PAGE_ROLES[page] ?? []).includes(role);
}

const CASES = ["support"] as const;
const MONEY = ["finance"] as const;
const BOTH = ["support", "finance"] as const;
const OWNERS = [] as const;

/** Who may do each act, besides the owners. It is asked in the batch of the act. */
const ACT_ROLES: Record<AdminAct, readonly AdminRole[]> = {
  team_refunded: BOTH,
  team_split: BOTH,
  team_released: BOTH,
  case_dismissed: CASES,
  case_removed: CASES,
  case_warned: CASES,
  case_suspended: CASES,
  deals_ended: CASES,
  case_noted: CASES,
  case_taken_back: CASES,
  appeal_granted: CASES,
  appeal_declined: CASES,
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
  issue_closed: BOTH,
  payout_retried: MONEY,
  payout_recorded: MONEY,
  payout_parked: MONEY,
  payout_reserved: MONEY,
  payout_paid_twice: MONEY,
  refund_retried: MONEY,
  refund_recorded: MONEY,
  refund_reserved: MONEY,
  refund_paid_twice: MONEY,
  payment_accepted: MONEY,
  payment_dismissed: MONEY,
  discrepancy_resolved: MONEY,
  line_closed: MONEY,
  act_proposed: BOTH,
  act_declined: BOTH,
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
  emails_retried: BOTH,
  meeting_point_added: OWNERS,
  meeting_point_changed: OWNERS,
  meeting_point_hidden: OWNERS,
  meeting_point_shown: OWNERS,
  admin_made: OWNERS,
  admin_changed: OWNERS,
  admin_removed: OWNERS,
  second_step_reset: OWNERS,
};

/** The acts by which an admin gives somebody a role. */
export const GIVES_ROLE: AdminAct[] = ["admin_made", "admin_changed"];

/** The acts of another admin after which somebody is new: whoever does one of them could act with that account themselves. */
export const MAKES_NEW: AdminAct[] = [...GIVES_ROLE, "second_step_reset"];

/** All roles that may do an act. */
export function rolesFor(act: AdminAct): AdminRole[] {
  return [...ACT_ROLES[act], "owner"];
}

export function mayDo(role: AdminRole, act: AdminAct): boolean {
  return rolesFor(act).includes(role);
}

/** The forms by which money moves, or somebody gets power, by their `intent`. They ask who it is again after ten minutes. */
export const ASKING_FORMS: Readonly<Record<string, readonly string[]>> = {
  "/admin/money": ["retry", "refund", "retry-refund", "accept", "dismiss", "paid"],
  "/admin/money/lists": ["accept-line"],
  // What closes a report lets its money go, and what suspends somebody ends their deals.
  "/admin/problems/:id": ["decide", "close", "suspend-user", "suspend-listing"],
  "/admin/proposals": ["confirm"],
  "/admin/people": ["suspend-user"],
  "/admin/moderation/:caseId": ["decide-case"],
  "/admin/admins": ["give", "change", "take", "reset"],
};

/**
 * Whether a form asks who it is once more. It is read only where its page has such a form: as the page reads it, without unseen
 * characters, and whichever of several intents the page takes.
 */
export async function asksAgain(page: string, read: () => Promise<FormData>): Promise<boolean> {
  const intents = ASKING_FORMS[page];
  if (intents === undefined) return false;
  const sent = visibleForm(await read()).getAll("intent");
  return sent.some((intent) => intents.includes(String(intent)));
}
