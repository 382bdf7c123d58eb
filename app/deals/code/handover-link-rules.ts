/**
 * The link by which somebody whom the seller asked hands an item over: for one item and the day of its meeting. Pure.
 * See docs/product-rules.md, "Deals".
 */
import type { Handover } from "#app/db/states/handover.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { dayName } from "#app/platform/east-africa-time.ts";

/** `deal_events.reason` of a code that came by the link. */
export const BY_HELPER = "helper";

/** A link that the seller has made, and not ended. */
export interface HandoverLink {
  /** The event that made it. The next link and "Stop This Link" end it. */
  id: string;
  /** YYYY-MM-DD in East Africa: the day of the meeting for which it was made. */
  day: string;
}

/** What somebody else can hand over. A service, or the keys of a room, is the seller's own to give. */
const HANDED_BY_OTHERS: readonly Handover[] = ["thing", "food", "ticket"];

export interface HandoverLinkFacts {
  handover: Handover;
  status: ItemStatus;
  wrongCodes: number;
  /** Its end waits for a second admin. */
  isOnHold: boolean;
  /** The time to which both have agreed, ms since 1970; null for none. */
  agreedFor: number | null;
}

export type HandoverLinkState =
  /** The code can be entered today. */
  | "open"
  /** The day comes only. */
  | "early"
  /** The code was right, or it was handed over in another way. */
  | "done"
  /** Too many wrong codes were entered, here or by the seller. */
  | "code_closed"
  /** Its day is over, the two agreed on another one, or the deal ended. */
  | "ended";

/** What a link can do at `now` (ms since 1970). */
export function handoverLinkState(
  { day }: Pick<HandoverLink, "day">,
  { handover, status, wrongCodes, isOnHold, agreedFor }: HandoverLinkFacts,
  now: number,
): HandoverLinkState {
  if (ITEM.isCompleted(status)) return "done";
  const today = dayName(now);
  if (!ITEM.takesCode(status) || isOnHold || today > day || !HANDED_BY_OTHERS.includes(handover)) return "ended";
  if (agreedFor === null || dayName(agreedFor) !== day) return "ended";
  if (wrongCodes >= WRONG_CODES_MAX) return "code_closed";
  return today < day ? "early" : "open";
}

/** The link still leads to a handover. */
export function isLive(state: HandoverLinkState): boolean {
  return state === "open" || state === "early";
}

/** The day for which a seller can make a link now; null where there is nothing to hand over by one. */
export function linkDay(facts: HandoverLinkFacts, now: number): string | null {
  if (facts.agreedFor === null) return null;
  const day = dayName(facts.agreedFor);
  return isLive(handoverLinkState({ day }, facts, now)) ? day : null;
}
