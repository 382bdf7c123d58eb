import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** How long an admin has what they took. A claim ends by itself, so that nothing waits for who went home. Ms. */
export const CLAIM_MS = 2 * HOUR_MS;

/** Who has something, until when (ms since 1970). */
export interface Claim {
  adminId: string;
  name: string;
  until: number;
}
