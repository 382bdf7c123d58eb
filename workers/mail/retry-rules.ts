/** When an email that could not be sent is tried again: pure rules. */
import { MINUTE_MS, HOUR_MS, DAY_MS } from "#app/platform/duration-rules.ts";

/**
 * Why an email wasn't sent.
 * - `email`: the provider refuses this one, for example its address.
 * - `away`: no answer, or a fault of the provider.
 * - `refused`: the provider takes no email of ours: a quota is used up, or a setting is missing or wrong.
 */
export type MailFault = "email" | "away" | "refused";

/** Thrown by a transport. `retryAfterMs`: how long the provider says to wait; null where it doesn't. */
export class MailNotSent extends Error {
  override name = "MailNotSent";
  readonly fault: MailFault;
  readonly retryAfterMs: number | null;

  constructor(fault: MailFault, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.fault = fault;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How long what can't be sent is kept and tried again, ms. Yesterday's push is no news. */
export const KEPT_MS = { mail: 7 * DAY_MS, push: DAY_MS } as const;

/** The pauses after each failure, ms. The last one repeats. */
const PAUSES_MS: Record<MailFault, readonly [number, ...number[]]> = {
  email: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS],
  // At most an hour, so that emails leave soon after the provider is back.
  away: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS],
  refused: [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
};

/** Emails whose link stops working, and when, ms. Later they only confuse, and the person asks for a new one. */
const GOOD_FOR_MS: Record<string, number> = {
  confirmation: DAY_MS,
  student_check: DAY_MS,
  email_change: DAY_MS,
  password_reset: HOUR_MS,
};

/** For how long the link of an email of this kind works, ms; null where it has none that ends. */
export function linkLifeOf(template: string): number | null {
  return GOOD_FOR_MS[template] ?? null;
}

/** Whether an email is too old to be sent. */
export function isOutOfDate(template: string, createdAt: number, now: number): boolean {
  return now >= createdAt + (linkLifeOf(template) ?? Infinity);
}

export interface FailedTry {
  fault: MailFault;
  retryAfterMs: number | null;
  /** How often it was tried, with this time. */
  attempts: number;
  /** When it was queued, ms since 1970. */
  createdAt: number;
  keptMs: number;
}

/** How long to wait until the next try, ms; null when the email is given up, because it was kept long enough. */
export function pauseAfter(
  { fault, retryAfterMs, attempts, createdAt, keptMs }: FailedTry,
  now: number,
): number | null {
  const pauses = PAUSES_MS[fault];
  const ours = pauses[Math.min(attempts, pauses.length) - 1] ?? pauses[0];
  const pause = Math.max(retryAfterMs ?? ours, MINUTE_MS);
  return now + pause > createdAt + keptMs ? null : pause;
}

/**
 * A provider that asks to wait no longer than this has no more than too many requests in one second, ms. A worker waits
 * so long itself, and leaves what takes longer to another run: it may be stopped meanwhile.
 */
export const SOON_MS = 10_000;

/** What an HTTP answer of a provider means. */
export function faultOfStatus(status: number, retryAfterMs: number | null): MailFault {
  if (status === 429 && retryAfterMs !== null && retryAfterMs <= SOON_MS) return "away";
  if ([401, 403, 429].includes(status)) return "refused";
  return status >= 400 && status < 500 && status !== 408 ? "email" : "away";
}

/** A Retry-After header (seconds, or a date) in ms from now; null if it has none that can be read. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}
