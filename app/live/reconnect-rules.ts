/** When a page connects again that has lost the live channel. */

/** The pauses before reconnecting, in ms. */
const RECONNECT_MS = [1_000, 2_000, 5_000, 10_000];

/**
 * The pause before attempt number `tries` (from 0), in ms. `chance` (0 to 1) changes it by up to a quarter, so that
 * pages don't all reconnect at once.
 */
export function reconnectPause(tries: number, chance: number): number {
  return (RECONNECT_MS[Math.min(tries, RECONNECT_MS.length - 1)] ?? 0) * (0.75 + chance / 2);
}
