import { readCount } from "#app/platform/number-rules.ts";
import { CODES_MAX } from "./admin-rules.ts";

/** Reads how many codes to make, 1 to 50; null for anything else. */
export function readCodeCount(typed: string): number | null {
  const count = readCount(typed);
  return count.ok && count.value >= 1 && count.value <= CODES_MAX ? count.value : null;
}
