/** What a prompt may ask for, what it shows, and how often one may be sent. See docs/m-pesa.md, "Prompts". */
import { PAYMENT_LIMITS } from "#app/platform/m-pesa-rules.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Which limit refuses `amount` (KES); null when it is allowed. */
export function refuseAmount(amount: number): "not_positive" | "too_large" | null {
  if (!Number.isInteger(amount) || amount < PAYMENT_LIMITS.min) return "not_positive";
  return amount > PAYMENT_LIMITS.max ? "too_large" : null;
}

/**
 * The account name on the prompt: "ORD" and the first 8 digits of the order's id. M-Pesa accepts at most 12 letters and
 * digits.
 */
export function accountReference(orderId: string): string {
  return reference("ORD", orderId);
}

/** The same for a plan, with "PLN". */
export function planReference(subscriptionId: string): string {
  return reference("PLN", subscriptionId);
}

function reference(prefix: string, id: string): string {
  return `${prefix}${id.replaceAll("-", "").slice(0, 8).toUpperCase()}`;
}

/** M-Pesa refuses a second payment of the same amount by the same phone within this time, so a retry waits, in ms. */
export const SAME_AMOUNT_PAUSE_MS = 2 * MINUTE;

/** The shorter period in which the prompts to one phone are counted, in ms. */
export const PROMPT_WINDOW_MS = 10 * MINUTE;

/** How often one phone may ring, whoever asks: often enough to get a PIN right, but not all day. */
export function promptAllowances(phone: string): { key: string; max: number; windowMs: number }[] {
  return [
    { key: `prompts:${phone}`, max: 4, windowMs: PROMPT_WINDOW_MS },
    { key: `prompts-day:${phone}`, max: 12, windowMs: DAY },
  ];
}

/**
 * How many payments one account may request, on any phone. The limit protects sellers, because nobody else can buy
 * the pieces that an open payment has reserved.
 */
export function requestAllowance(userId: string): { key: string; max: number; windowMs: number } {
  return { key: `payment-requests:${userId}`, max: 60, windowMs: DAY };
}
