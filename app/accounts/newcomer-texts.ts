import { dayOf } from "#app/platform/east-africa-time.ts";
import { formatTime } from "#app/ui/dates.ts";
import { NEWCOMER_MAX } from "./newcomer-rules.ts";

/** Why a new account can't post another listing. `until` from `newcomerUntil`. */
export function newcomerListingText(until: number | "confirmed", now: number): string {
  if (until === "confirmed")
    return `You can post ${NEWCOMER_MAX.listings} listings until you've confirmed your email. Open the link that we emailed you to post more.`;
  const day = dayOf(until) === dayOf(now) ? "today" : "tomorrow";
  return `You can post ${NEWCOMER_MAX.listings} listings on your first day. You can post more from ${day} at ${formatTime(until)}, or right away once you're verified.`;
}
