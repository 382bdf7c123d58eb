/** The messages of the admin pages. */
export const ADMIN_TEXTS = {
  /** Something has changed since the page was loaded. */
  stale: "This changed while you were looking at it. Here is the latest.",
  lost: "We couldn't reach the server. Please check your connection and try again.",
  approved: "Approved. We've emailed them.",
  rejected: "Rejected. We've emailed them the reason.",
  reason: "Please enter a reason",
  noted: "Note added",
  note: "Please enter a note",
  closed: "Report closed. We've emailed the person who sent it.",
  outcome: "Please enter an outcome",
  user_suspended: "Account suspended and logged out everywhere",
  user_restored: "Account restored",
  listing_suspended: "Listing taken down",
  listing_restored: "Listing restored",
  category_merged: "Categories merged",
  category_removed: "Category removed",
  target: "Please choose a category",
  emails_retried: "Sending now. Emails that fail again come back to this list.",
  other_role: "Your role doesn't include this page. Ask an owner if you need it.",
  protected: "You can't suspend yourself or another admin",
  receipt: "An M-Pesa receipt has 10 letters and digits",
  own_money: "You're the buyer or a seller in this order. Please ask another admin to decide.",
  decision: "Please choose who gets the money",
  reasons: "Please enter the reasons",
  decided: "Decided. We've emailed the buyer and the seller.",
  proposed: "Sent to our team. Another admin must confirm it before the money moves.",
  deals_wait:
    "Done. Their deals are worth more than KES 50,000, so they wait until another admin confirms that they end.",
  confirmed: "Confirmed",
  declined: "Declined. Nothing moves.",
  deals_kept: "Declined. The deals go on.",
  decision_second: "Another admin must confirm this before any money moves.",
  decision_final: "This can't be undone. Both sides get an email with your reasons.",
  decision_reports: "Your decision about the money doesn't close them. Close each one when you've answered it.",
  statement: "Please enter the reason",
  answer: "Please enter an answer",
  case_decided: "Decided. Everybody concerned gets an email.",
  appeal_answered: "Answered. We've emailed them.",
  concerned: "This is about you. Another admin must decide it.",
  reporter: "You reported this. Another admin must decide it.",
  related:
    "You and this person have blocked each other, or one of you reported the other. Another admin must decide it.",
  case: "Another admin decided this. Only an appeal, or that admin, can undo it.",
  new_admin:
    "Your role, or that of whoever proposed this, is less than 7 days old, or an owner turned off the two-step login in that time. Another admin must confirm it.",
  proposed_by_you: "You proposed this. Another admin must confirm it.",
  decided_by_you: "You made this decision. Another admin must answer the appeal.",
  claim: "You work on this now",
  release: "Given back. Anybody can take it.",
  taken: "Ask them before you take it over.",
  resolved: "Resolved",
  resolution: "Please enter how you resolved it",
} as const;

/** Maximum length of texts that admins write, in characters. */
export const ADMIN_TEXT_MAX = 1000;

// -------------------------------------------------------------------- money
