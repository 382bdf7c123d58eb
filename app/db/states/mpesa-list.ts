/** `mpesa_lists.source`: pulled by the job, or a statement that an admin sent. */
export const LIST_SOURCES = ["pull", "statement"] as const;
export type ListSource = (typeof LIST_SOURCES)[number];

/** `mpesa_lists.account`: our account that takes payments, or the one that pays sellers and buyers. */
export const LIST_ACCOUNTS = ["collection", "payouts"] as const;
export type ListAccount = (typeof LIST_ACCOUNTS)[number];

/** `unmatched_lines.finding`. */
export const LINE_FINDINGS = [
  /** M-Pesa lists it, and we don't know its receipt. */
  "missing_here",
  /** We have it, and M-Pesa's list of that time doesn't. */
  "missing_there",
  /** Both have it, with another amount, or we don't count it as done. */
  "different",
] as const;
export type LineFinding = (typeof LINE_FINDINGS)[number];

/** `unmatched_lines.record_kind`. */
export const RECORD_KINDS = ["payment", "payout", "refund"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
