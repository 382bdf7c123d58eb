/** What a prompt may ask for, what it shows, and how often one may go out. See docs/m-pesa.md, Prompts. */
import { PAYMENT_LIMITS } from "#app/platform/m-pesa-rules.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Which limit refuses `amount` (KES), or null where it may be asked for. */
export function refuseAmount(amount: number): "not_positive" | "too_large" | null {
  if (!Number.isInteger(amount) || amount < PAYMENT_LIMITS.min) return "not_positive";
  return amount > PAYMENT_LIMITS.max ? "too_large" : null;
}

/** What the prompt names as the account: "ORD" and the order id's first 8 digits. M-Pesa takes at most 12 letters and digits. */
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

/** M-Pesa refuses a second payment of the same amount by the same phone within this time, so a retry waits, ms. */
export const SAME_AMOUNT_PAUSE_MS = 2 * MINUTE;

/** The shorter time over which the prompts to one phone are counted, ms. */
export const PROMPT_WINDOW_MS = 10 * MINUTE;

/** How often one phone may ring, whoever asks: often enough to get a PIN right, and not all day. */
export function promptAllowances(phone: string): { key: string; max: number; windowMs: number }[] {
  return [
    { key: `prompts:${phone}`, max: 4, windowMs: PROMPT_WINDOW_MS },
    { key: `prompts-day:${phone}`, max: 12, windowMs: DAY },
  ];
}

/**
 * How many payments one account may ask for, on any phone. The limit protects sellers: while a payment is asked for, nobody else can
 * buy a one-off item of the order.
 */
export function requestAllowance(userId: string): { key: string; max: number; windowMs: number } {
  return { key: `payment-requests:${userId}`, max: 60, windowMs: DAY };
}
