/** How many codes of the second step somebody may try. */
import { inArray } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Allowance } from "#app/db/rate-counters.ts";
import { rateCounters } from "#app/db/schema.ts";
import { CODE_DAY_MS, CODE_DAY_TRIES, CODE_PAUSE_MS, CODE_TRIES } from "./two-step-rules.ts";

/** For a few minutes, and for a day. */
export function codeAllowances(userId: string): Record<"few" | "ofDay", Allowance> {
  return {
    few: { key: `two-step:${userId}`, max: CODE_TRIES, windowMs: CODE_PAUSE_MS },
    ofDay: { key: `two-step-day:${userId}`, max: CODE_DAY_TRIES, windowMs: CODE_DAY_MS },
  };
}

/** For the batch of a right code, or of a new password: whoever guessed had the old one. */
export function forgetWrongCodes(userId: string): Statement {
  const keys = Object.values(codeAllowances(userId)).map(({ key }) => key);
  return build.delete(rateCounters).where(inArray(rateCounters.key, keys));
}
