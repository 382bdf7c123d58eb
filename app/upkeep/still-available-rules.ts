/** When a seller is asked whether a listing is still available, and when it leaves the lists unanswered. Pure rules. */

import { ASK_AFTER_MS } from "#app/catalogue/catalogue-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** Whoever is asked is asked about everything that would come up within these days, so nobody is asked twice a week. */
export const ASK_ALONG_MS = 7 * DAY_MS;
/** Unanswered after this long without a change, a listing leaves, ms. */
export const LEAVE_AFTER_MS = 60 * DAY_MS;
/** The least time between the question and leaving, ms. */
const ANSWER_MS = 30 * DAY_MS;
/** When to look again at what can't leave now, ms. */
const LATER_MS = DAY_MS;

export interface Checked {
  status: "active" | "sold" | "out_of_stock" | "unconfirmed";
  isDeleted: boolean;
  /** Taken down, or being checked. */
  isHidden: boolean;
  /** Its last change or sale, ms. */
  changedAt: number;
  /** When its seller was asked, ms; null if never. */
  askedAt: number | null;
  /** When its seller's last holiday ends or ended, ms; null if there was none. */
  awayUntil: number | null;
  /** Somebody is paying for it, or has an offer that isn't over. */
  isBusy: boolean;
}

export type NextCheck =
  /** Nothing to look at any more. It is looked at again once it is for sale again. */
  | { do: "forget" }
  /** Look again then. `answered`: the earlier question, if any, was answered by a change. */
  | { do: "wait"; until: number; answered: boolean }
  | { do: "ask" }
  | { do: "leave" };

/** What to do about a listing that is due at `now`. `along`: its seller is asked about another one now. */
export function nextCheck(listing: Checked, now: number, along = false): NextCheck {
  const { status, changedAt, askedAt } = listing;
  if (status !== "active" || listing.isDeleted) return { do: "forget" };
  if (listing.isHidden) return { do: "wait", until: now + ASK_AFTER_MS, answered: false };
  const isAway = listing.awayUntil !== null && listing.awayUntil > now;
  if (askedAt === null || changedAt > askedAt) {
    const until = Math.max(changedAt + ASK_AFTER_MS, isAway ? (listing.awayUntil ?? 0) : 0);
    return until - (along ? ASK_ALONG_MS : 0) <= now
      ? { do: "ask" }
      : { do: "wait", until, answered: askedAt !== null };
  }
  // A holiday after the question gives its seller the whole time again.
  const until = Math.max(changedAt + LEAVE_AFTER_MS, Math.max(askedAt, listing.awayUntil ?? 0) + ANSWER_MS);
  if (until > now) return { do: "wait", until, answered: false };
  return listing.isBusy ? { do: "wait", until: now + LATER_MS, answered: false } : { do: "leave" };
}
