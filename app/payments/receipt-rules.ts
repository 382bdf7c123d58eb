/**
 * What M-Pesa's answer about a receipt proves. It may mask or hash the numbers (docs/m-pesa.md, "Transaction Status").
 */
import type { ReceiptReport } from "#app/payments/gateway.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/**
 * How long M-Pesa has to answer about a receipt, in ms. Then the receipt may be entered for something else, and a late
 * answer doesn't count.
 */
export const RECEIPT_WAIT_MS = HOUR_MS;

/** Why an answer doesn't prove what an admin entered. */
export interface ReceiptFault {
  /** After "M-Pesa does not confirm receipt …: ". */
  words: string;
  /**
   * What our team is told. wrong_receipt: it is the receipt of something else, perhaps mistyped, which says nothing
   * against a payment that has another one. Null: nothing is wrong, and the admin asks again.
   */
  raises: "mismatch" | "wrong_receipt" | "doubt" | null;
}

/** The answer came after `RECEIPT_WAIT_MS`. */
export const ANSWERED_LATE: ReceiptFault = { words: "its answer came too late, so enter it again", raises: null };

/** It is no answer to a look-up. */
export const UNREADABLE: ReceiptFault = { words: "its answer cannot be read", raises: "doubt" };

export function mismatch(words: string): ReceiptFault {
  return { words, raises: "mismatch" };
}

export function wrongReceipt(words: string): ReceiptFault {
  return { words, raises: "wrong_receipt" };
}

export function doubt(words: string): ReceiptFault {
  return { words, raises: "doubt" };
}

/**
 * Why a report doesn't prove a payment of `amount` (KES) under `receipt` to our account, or from it; null when it does.
 * The numbers of both sides are compared apart (`comparePhone`).
 */
export function reportFault(
  report: ReceiptReport,
  { receipt, amount, direction }: { receipt: string; amount: number; direction: "to_us" | "from_us" },
): ReceiptFault | null {
  switch (report.outcome) {
    case "not_found":
      return wrongReceipt("there is no such transaction");
    case "failed":
      return mismatch(`its status is “${report.code}”`);
    case "pending":
      return { words: `its status is still “${report.code}”, so enter it again later`, raises: null };
    case "busy":
      return { words: "it is busy, so enter it again in a few minutes", raises: null };
    case "unknown":
      return doubt(`it could not be looked up (${report.code})`);
    case "done":
      break;
  }
  if (report.receipt !== receipt) return wrongReceipt("the answer is about another receipt");
  if (direction === "to_us" && !report.isToUs) return wrongReceipt("the money did not go to our account");
  if (direction === "from_us" && !report.isFromUs) return wrongReceipt("the money did not come from our account");
  if (report.amountCents === amount * 100) return null;
  return typeof report.amountCents === "number"
    ? wrongReceipt(`it is for KES ${report.amountCents / 100}, not KES ${amount}`)
    : doubt("the answer has no amount");
}

/** hidden: nothing of it can be compared. */
export type PhoneComparison = "same" | "other" | "hidden";

/** How many digits of a masked number must show at least. "2547 ***** 349" shows seven. */
const DIGITS_SHOWN_MIN = 5;

/** `shown`: as M-Pesa sent it, or null. `phone`: 254XXXXXXXXX. */
export async function comparePhone(shown: string | null, phone: string): Promise<PhoneComparison> {
  const text = (shown ?? "").replaceAll(/[\s+()-]/g, "");
  // A hash may be salted, so only an equal one tells something.
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() === (await sha256Hex(phone)) ? "same" : "hidden";
  const masked = /^(?<first>\d*)[*xX•]+(?<last>\d*)$/.exec(text);
  if (masked) {
    const { first = "", last = "" } = masked.groups ?? {};
    const start = first.replace(/^0/, "254");
    if (start.length + last.length < DIGITS_SHOWN_MIN) return "hidden";
    return phone.startsWith(start) && phone.endsWith(last) ? "same" : "other";
  }
  if (!/^\d{9,15}$/.test(text)) return "hidden";
  return text.slice(-9) === phone.slice(-9) ? "same" : "other";
}
