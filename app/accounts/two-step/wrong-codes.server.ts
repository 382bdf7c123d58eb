/** How many codes of the second step somebody may try. */
import { and, inArray, type SQL } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { type Allowance, countOne, isWithin } from "#app/db/rate-counters.ts";
import { rateCounters } from "#app/db/tables.server.ts";
import { CODE_DAY_MS, CODE_DAY_TRIES, CODE_PAUSE_MS, CODE_TRIES } from "./two-step-rules.ts";

/** For a few minutes, and for a day. */
export function codeAllowances(userId: string): Record<"few" | "ofDay", Allowance> {
  return {
    few: { key: `two-step:${userId}`, max: CODE_TRIES, windowMs: CODE_PAUSE_MS },
    ofDay: { key: `two-step-day:${userId}`, max: CODE_DAY_TRIES, windowMs: CODE_DAY_MS },
  };
}

/** For the batch of a right code, or of a second step that was turned off. */
export function forgetWrongCodes(userId: string, only?: SQL): Statement {
  const keys = Object.values(codeAllowances(userId)).map(({ key }) => key);
  return build.delete(rateCounters).where(and(inArray(rateCounters.key, keys), only));
}

/**
 * For the batch of a password that was chosen by an emailed link: whoever guessed codes had the old one. Once a day,
 * because who reads the mailbox could choose one after each few guesses.
 */
export function forgetWrongCodesOnceADay(userId: string, now: number): Statement[] {
  const allowance = { key: `two-step-forget:${userId}`, max: 1, windowMs: CODE_DAY_MS };
  return [countOne(allowance, now), forgetWrongCodes(userId, isWithin(allowance))];
}
