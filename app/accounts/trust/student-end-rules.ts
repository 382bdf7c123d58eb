/** Until when a proof shows that somebody is a student. Pure. */
import { dayBounds, inEastAfrica } from "#app/platform/east-africa-time.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** Most academic years in Kenya have begun by the end of October, and the new IDs are there. */
const END = "11-01";
/** From then to the end of the year, in days. */
const AFTER_END = 61;
/** A proof holds at least so long, in days. So whoever renews before an end isn't asked again at it. */
const LEAST = 90;

/** How long before the end somebody is told, ms. */
export const STUDENT_TOLD_MS = 28 * DAY_MS;

/**
 * Until when somebody is a verified student who proves it at `provedAt`: the first end of October that is 90 days away.
 * Ms since 1970.
 */
export function studentUntil(provedAt: number): number {
  const year = inEastAfrica(provedAt + (LEAST + AFTER_END) * DAY_MS).getUTCFullYear();
  return dayBounds(`${year}-${END}`).from;
}

/** Where a student stands: their proof has ended, ends soon, or holds. */
export type StudentStand = "ended" | "ending" | "holds";

/** `until`: null without a proof. */
export function studentStand(until: number | null, now: number): StudentStand {
  if (until === null || now < until - STUDENT_TOLD_MS) return "holds";
  return now < until ? "ending" : "ended";
}
