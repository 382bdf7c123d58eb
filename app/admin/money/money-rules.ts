/** What admins type on the money pages, and what those pages show of it: pure rules. */
import { LETTERS_AND_DIGITS, readCode } from "#app/platform/digit-rules.ts";
import { phoneIn } from "#app/admin/people/people-search-rules.ts";

/** Reads an M-Pesa receipt: ten letters and digits, returned in capitals. Null for anything else. */
export function readReceipt(typed: string): string | null {
  const receipt = readCode(typed, LETTERS_AND_DIGITS);
  return /^[A-Z0-9]{10}$/.test(receipt) ? receipt : null;
}

/** The most orders and plans that a search lists. */
export const FOUND_MAX = 30;

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
