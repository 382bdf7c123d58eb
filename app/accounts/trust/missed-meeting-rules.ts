/**
 * "They didn't come": who can say it of a meeting, for how long, and what it counts. Pure. See docs/product-rules.md,
 * "Meetings".
 */
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** How long after its time a meeting may still be under way, in ms. */
export const MEETING_LASTS_MS = 2 * HOUR_MS;
/** How long after its time one side can say that the other didn't come, and how long that can be answered, in ms. */
const SAID_WITHIN_MS = 7 * 24 * HOUR_MS;
/** From so many meetings on, a person's page says how many they missed. */
export const MEETINGS_SHOWN_FROM = 5;

export type MeetingSide = "buyer" | "seller";

/** What is known of an item's meeting. Times in ms since 1970. */
export interface MissedFacts {
  /**
   * The latest time to which both agreed, unless one of them changed or cancelled it before it came; null for none.
   */
  agreedFor: number | null;
  /** When each side said that the other one didn't come; null for who didn't. */
  saidAt: Record<MeetingSide, number | null>;
  /** Who said it before the other one; the other has answered, or may. Null where nobody has said it. */
  saidFirst: MeetingSide | null;
}

export const NOTHING_MISSED: MissedFacts = { agreedFor: null, saidAt: { buyer: null, seller: null }, saidFirst: null };

export function otherSide(side: MeetingSide): MeetingSide {
  return side === "buyer" ? "seller" : "buyer";
}

export type MissedRefusal =
  /** They have said it before. */
  | "said"
  /** Nobody paid for it, so it counts for nobody. */
  | "free"
  /** Our team is about to end the deal, so nobody was sent to meet. */
  | "on_hold"
  /** The two have agreed on no time. */
  | "no_meeting"
  /** It may still be under way, or comes only. */
  | "too_early"
  | "too_late"
  /** Nobody has to meet for it: it is unpaid, handed over, disputed or over. */
  | "not_to_meet";

/**
 * Why `side` can't say that the other one didn't come; null when they can. Each side can say it once for an item, while
 * the two still have to meet for it: who ended the deal before the meeting's time had no reason to come. Who has heard
 * it from the other can say it too, also after the deal's end.
 */
export function refuseMissed(
  side: MeetingSide,
  {
    status,
    subtotal,
    isOnHold,
    missed,
  }: { status: ItemStatus; subtotal: number; isOnHold: boolean; missed: MissedFacts },
  now: number,
): MissedRefusal | null {
  const { agreedFor, saidAt } = missed;
  if (saidAt[side] !== null) return "said";
  const heardAt = saidAt[otherSide(side)];
  if (heardAt !== null) return now < answerUntil(heardAt) ? null : "too_late";
  if (subtotal === 0) return "free";
  if (isOnHold) return "on_hold";
  if (agreedFor === null) return "no_meeting";
  if (!ITEM.isMeetable(status)) return "not_to_meet";
  if (now < agreedFor + MEETING_LASTS_MS) return "too_early";
  return now < agreedFor + SAID_WITHIN_MS ? null : "too_late";
}

/** What is known once `side` has said it, too. */
export function withSaid(missed: MissedFacts, side: MeetingSide, now: number): MissedFacts {
  return { ...missed, saidAt: { ...missed.saidAt, [side]: now }, saidFirst: missed.saidFirst ?? side };
}

/** Until when the other side can say it, too, ms since 1970. */
export function answerUntil(saidAt: number): number {
  return saidAt + SAID_WITHIN_MS;
}

/** How the meeting of an item went. `missedBy`: who didn't come; null where both came. */
export interface Attendance {
  missedBy: MeetingSide | null;
}

/** What shows that an item was handed over. */
export interface HandoverFacts {
  status: ItemStatus;
  /** The seller has entered the buyer's code: they met, whatever became of the money. */
  isCodeEntered: boolean;
}

/**
 * How an item's meeting went; null while nobody knows, and where each says it of the other. Whoever was late, but got
 * the item handed over without agreeing on another time, came.
 */
export function attendanceOf(
  { status, isCodeEntered }: HandoverFacts,
  { agreedFor, saidAt }: MissedFacts,
): Attendance | null {
  const isHandedOver = isCodeEntered || ITEM.isCompleted(status);
  if (saidAt.buyer !== null && saidAt.seller !== null) return null;
  const said = saidAt.buyer ?? saidAt.seller;
  if (said === null) return isHandedOver && agreedFor !== null ? { missedBy: null } : null;
  if (isHandedOver && (agreedFor ?? 0) <= said) return { missedBy: null };
  return { missedBy: saidAt.seller === null ? "seller" : "buyer" };
}

/** A person's meetings, as buyer and as seller. All those with one other person are one. */
export interface MeetingRecord {
  meetings: number;
  missed: number;
}

/** A person's meetings in words; null with too few. */
export function meetingRecordText({ meetings, missed }: MeetingRecord): string | null {
  if (meetings < MEETINGS_SHOWN_FROM) return null;
  const all = meetings.toLocaleString("en");
  return missed === 0 ? `Came to all ${all} meetings` : `Missed ${missed.toLocaleString("en")} of ${all} meetings`;
}
