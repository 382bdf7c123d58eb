/** What a prompt may ask for, what it shows, and how often one may be sent. See docs/m-pesa.md, "Prompts". */
import { PAYMENT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { MINUTE_MS, DAY_MS } from "#app/platform/duration-rules.ts";

/** Which limit refuses `amount` (KES); null when it is allowed. */
export function refusePromptAmount(amount: number): "not_positive" | "too_large" | null {
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
export const SAME_AMOUNT_PAUSE_MS = 2 * MINUTE_MS;

/** The shorter period in which the prompts to one phone are counted, in ms. */
const PROMPT_WINDOW_MS = 10 * MINUTE_MS;

/**
 * What a phone is to the account that asks it to pay. `paid`: it has paid for this account before, so it is the
 * buyer's. `profile`: the account has it in its profile, and is one of the first that did. That alone proves nothing,
 * so it has an allowance, but strangers can't use it up. `stranger`: anybody may type any number.
 */
export type PromptedPhone = "paid" | "profile" | "stranger";

/**
 * How many accounts may have one number as theirs: a person and somebody who shares the phone. The oldest profiles
 * count.
 */
export const OWNERS_MAX = 2;

interface PromptAllowance {
  key: string;
  max: number;
  windowMs: number;
}

/**
 * How often a phone may ring: often enough to get a PIN right, but not all day. What M-Pesa refused didn't ring, so it
 * doesn't count. `own` counts one account's requests to the phone, and `shared` those of all strangers. A request
 * that `own` refuses doesn't count in `shared`, so nobody uses up more than their part.
 */
export function promptAllowances(
  phone: string,
  userId: string,
  as: Exclude<PromptedPhone, "paid">,
): { own: PromptAllowance[]; shared: PromptAllowance[] } {
  const allowances = (whose: string, inWindow: number, inDay: number) => [
    { key: `prompts:${whose}`, max: inWindow, windowMs: PROMPT_WINDOW_MS },
    { key: `prompts-day:${whose}`, max: inDay, windowMs: DAY_MS },
  ];
  return as === "profile"
    ? { own: allowances(`${phone}:own:${userId}`, 4, 12), shared: [] }
    : { own: allowances(`${phone}:${userId}`, 4, 4), shared: allowances(phone, 4, 12) };
}

/**
 * How many payments one account may request, on any phone. The limit protects sellers, because nobody else can buy
 * the pieces that an open payment has reserved.
 */
export function requestAllowance(userId: string): { key: string; max: number; windowMs: number } {
  return { key: `payment-requests:${userId}`, max: 60, windowMs: DAY_MS };
}
