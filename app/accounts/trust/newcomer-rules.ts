/**
 * The limits of new accounts. Scammers open a new account for each scam, so a new account can do little harm until its
 * email is confirmed and it is a day old. Verified students and businesses have no such limits.
 */
import { VERIFIED, type VerifiedLevel } from "#app/db/states/verified.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How many listings, and how many first messages and offers to strangers, a new account can send. */
export const NEWCOMER_MAX = { listings: 5, firstMessages: 5 } as const;

/** Ms. */
export const NEWCOMER_MS = DAY_MS;

export interface AccountAge {
  verifiedLevel: VerifiedLevel;
  /** Ms since 1970; null while the address isn't confirmed. */
  emailConfirmedAt: number | null;
  /** Ms since 1970. */
  createdAt: number;
}

/**
 * Until when an account is new, ms since 1970; "confirmed" where that depends on its email address; null when it isn't
 * new. `now` in ms.
 */
export function newcomerUntil(account: AccountAge, now: number): number | "confirmed" | null {
  if (VERIFIED.isVerified(account.verifiedLevel)) return null;
  if (account.emailConfirmedAt === null) return "confirmed";
  const until = account.createdAt + NEWCOMER_MS;
  return now < until ? until : null;
}
