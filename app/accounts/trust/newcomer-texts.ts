import { dayOf } from "#app/platform/east-africa-time.ts";
import { formatTime } from "#app/ui/dates.ts";
import { NEWCOMER_MAX } from "./newcomer-rules.ts";

/** Why a new account can't post another listing. `until` from `newcomerUntil`. */
export function newcomerListingText(until: number | "confirmed", now: number): string {
  return limitText({ does: "post", what: `${NEWCOMER_MAX.listings} listings` }, until, now);
}

/** Why a new account can't message or make an offer to another stranger. `until` from `newcomerUntil`. */
export function newcomerMessageText(until: number | "confirmed", now: number): string {
  return limitText({ does: "message", what: `${NEWCOMER_MAX.firstMessages} new people` }, until, now);
}

function limitText({ does, what }: { does: string; what: string }, until: number | "confirmed", now: number): string {
  if (until === "confirmed")
    return `You can ${does} ${what} until you've confirmed your email. Open the link that we emailed you to ${does} more.`;
  const day = dayOf(until) === dayOf(now) ? "today" : "tomorrow";
  return `You can ${does} ${what} on your first day. You can ${does} more from ${day} at ${formatTime(until)}, or right away once you're verified.`;
}
