/** Admin pages: pure rules (docs/product-rules.md, "Admin pages"). */

import { ACCESS_CODE_ALPHABET } from "#app/accounts/login/access-code-rules.ts";
import { searchedNames } from "#app/accounts/trust/person-name-rules.ts";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { LETTERS_AND_DIGITS, readCode } from "#app/platform/digit-rules.ts";
import { TERM_MAX_LENGTH } from "#app/catalogue/selling/prohibited-rules.ts";

const CODE_LENGTH = 8;
export const CODES_MAX = 50;

export const CODE_TEXTS = {
  load_failed: "Failed to load codes",
  signed_out: "You must be logged in to generate codes",
  failed: "Failed to generate codes",
  count: `Enter a number from 1 to ${CODES_MAX}`,
  empty: "No codes found. Generate some using the button above.",
} as const;

export function generatedText(count: number): string {
  return `Generated ${count} new access code(s)`;
}

/** A code made from `CODE_LENGTH` random bytes. */
export function codeOf(bytes: Uint8Array): string {
  return Array.from(
    bytes.subarray(0, CODE_LENGTH),
    (byte) => ACCESS_CODE_ALPHABET[byte % ACCESS_CODE_ALPHABET.length],
  ).join("");
}

/** The codes as a CSV file. */
export function codesAsCsv(codes: readonly string[]): string {
  return ["Code", ...codes].join("\r\n");
}

/** A meeting point as admins edit it. Hours in minutes after midnight in East Africa Time. */
export interface PointValues {
  name: string;
  opensAt: number;
  closesAt: number;
  weekdaysOnly: boolean;
}

/** What an edit form has seen of a point. A change by another admin makes it different. */
export function seenPoint({ name, opensAt, closesAt, weekdaysOnly }: PointValues): string {
  return [name, opensAt, closesAt, weekdaysOnly ? 1 : 0].join("|");
}

/** Characters of a campus's name. */
export const CAMPUS_NAME_MAX = 60;

/** Characters of a meeting point's name. */
export const POINT_NAME_MAX = 60;

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
  campus_added: "Campus added. People can choose it now.",
  campus_removed: "Campus removed",
  campus_name: "Please enter a name",
  campus_listed: "A campus with this name is on the list already",
  campus_full: "There are as many campuses as there can be",
  campus_used: "Somebody studies or sells there, so it stays on the list",
  point_added: "Meeting point added",
  point_saved: "Meeting point saved",
  point_hidden: "Hidden. Nobody can suggest it any more.",
  point_shown: "People can suggest it again",
  point_name: "Please enter a name",
  name_taken: "This campus already has a meeting point with this name",
  hours: "Enter a time, such as 08:00",
  closes: "It must close after it opens",
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
  resolved: "Resolved",
  resolution: "Please enter how you resolved it",
} as const;

/** The messages of the page of admins. */
export const ROLE_TEXTS = {
  give: "Added. We've emailed them.",
  change: "Role changed. It counts at once, and we've emailed them.",
  take: "Role taken away. It counts at once, and we've emailed them.",
  reset: "Turned off. They are logged out everywhere, and we've emailed them.",
  stale: "This changed while you were looking at it, or there was nothing to turn off. Here is the latest.",
  email: "Enter an email address",
  no_account: "Nobody with this email can log in. Ask them to sign up and to confirm their email first.",
  has_role: "They are an admin already. Change their role below.",
  last_owner: "This is the last owner. Make somebody else an owner first.",
  same_role: "That is their role already. Choose another one.",
  owner_stays: "They are an owner. Only they themselves, or the operator, can change that.",
  owner_reset: "They are an owner. Ask the operator to turn off their two-step login.",
  own: "Change your own second step in Settings.",
} as const;

/** The messages of the list of prohibited goods. */
export const TERM_TEXTS = {
  added: "Added. New and edited listings are checked for it from now on.",
  removed: "Removed. What is held already stays held until our team decides.",
  empty: "Enter a word with at least one letter, or choose a category",
  too_long: `Please use at most ${TERM_MAX_LENGTH} characters`,
  known: "This is on the list already",
  no_category: "This category no longer exists. Choose another one.",
  full: "The list is full. Remove something that you no longer need.",
} as const;

/** Maximum length of a type's name and of its words, in characters. */
export const WORD_MAX = 40;

export const TYPE_TEXTS = {
  "set-word": "Saved. New listings and searches count it at once, older listings within some hours.",
  "unset-word": "Taken back. Older listings follow within some hours.",
  "add-type": "Added. Say next what people call it.",
  "forget-missed": "Removed. It comes back if people go on searching for it.",
  refused: {
    empty: { field: "word", text: "Enter a word with at least one letter" },
    no_type: { field: "type", text: "Choose a type" },
    no_category: { field: "category", text: "Choose a category" },
    known: { field: "name", text: "There is a type of this name already" },
    full: { field: "form", text: "The list is full. Take back something that you no longer need." },
  },
} as const;

/** Maximum length of texts that admins write, in characters. */
export const ADMIN_TEXT_MAX = 1000;

// -------------------------------------------------------------------- money

/** Reads an M-Pesa receipt: ten letters and digits, returned in capitals. Null for anything else. */
export function readReceipt(typed: string): string | null {
  const receipt = readCode(typed, LETTERS_AND_DIGITS);
  return /^[A-Z0-9]{10}$/.test(receipt) ? receipt : null;
}

/** The possible meanings of a search on the money page. All of them are searched. */
export interface MoneySearch {
  receipt: string | null;
  /** 254XXXXXXXXX. */
  phone: string | null;
  /** The order's id, or its beginning of at least eight characters. */
  order: string | null;
}

/**
 * Reads a search for a receipt, a phone or an order ("Order #1a2b3c4d", "ORD1A2B3C4D", or an id). Null for an empty
 * one.
 */
export function readMoneySearch(typed: string): MoneySearch | null {
  const text = typed.trim();
  if (text === "") return null;
  const order = text.replace(/^(order\s*#?|ord|#)\s*/i, "").toLowerCase();
  return {
    receipt: readReceipt(text),
    phone: phoneIn(text),
    order: /^[0-9a-f]{8}[0-9a-f-]{0,28}$/.test(order) ? order : null,
  };
}

/** 2547XXXXXXXX or 07XXXXXXXX, and the nine digits that end M-Pesa's checkout request ids. */
const PHONES_IN_TEXT = /\b(254[17]|0[17])\d{8}\b|(?<=\bws_CO_\d{6,40})\d{9}\b/g;

/** A text with every phone number masked except for its last three digits. */
export function withoutPhones(text: string): string {
  return text.replaceAll(
    PHONES_IN_TEXT,
    (phone, prefix?: string) =>
      `${prefix ?? ""}${"•".repeat(phone.length - 3 - (prefix?.length ?? 0))}${phone.slice(-3)}`,
  );
}

// ------------------------------------------------------------------- discrepancies

/**
 * Discrepancies that no admin resolves: while one is open, one transfer alone is tried at a time. It ends with the next
 * one that M-Pesa makes.
 */
export const ENDED_BY_SUCCESS = ["payouts_stopped", "reversals_stopped"] as const;

// ------------------------------------------------------------------- people

/** The possible meanings of a search for people: a phone, or else the beginning of an email, or parts of a name. */
export interface PeopleSearch {
  /** 254XXXXXXXXX. */
  phone: string | null;
  /** Lower case. */
  email: string;
  /** Words that the name has (`searchedNames`); empty for an email. */
  names: string[];
}

/** Reads a search for people; null for an empty one. */
export function readPeopleSearch(typed: string): PeopleSearch | null {
  const text = typed.trim().replaceAll(/\s+/g, " ").toLowerCase();
  if (text === "") return null;
  return { phone: phoneIn(text), email: text, names: text.includes("@") ? [] : searchedNames(text) };
}

/** The phone number, if the text is nothing else. */
function phoneIn(text: string): string | null {
  const read = /^[\d\s+()-]{9,20}$/.test(text) ? readPhone(text) : null;
  return read?.ok ? read.phone : null;
}
