/** Whether something that waits to leave Chuoni still should, decided when it would leave. */
import { inEastAfrica } from "#app/platform/east-africa-time.ts";
import { type Gathering, type Kind, KINDS, mayDecline, type Notification, type Way } from "./kinds.ts";
import { type Closing, isTold } from "./recipient-rules.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

const DAY_MINUTES = 24 * 60;

/** How long what need not leave where it was seen waits for its reader to see it, ms. */
export const SEEN_WAIT_MS = 10 * MINUTE_MS;

/** How long a kind waits before it leaves by a way, ms; null when it never leaves by it. */
export function waitOf(kind: Kind, way: Way): number | null {
  const rule = KINDS[kind][way];
  if (rule === null) return null;
  // What the centre doesn't have can't be seen there. It has waited before (message-notice-rules.ts).
  return rule === "always" || !KINDS[kind].centre ? 0 : SEEN_WAIT_MS;
}

/** A device on which the app was opened within so long takes the place of an email, ms. */
export const REACHED_WITHIN_MS = 3 * DAY_MINUTES * MINUTE_MS;

/** What somebody must hear at once, at night too: an operator's alarm. */
const DISTURBS: readonly Kind[] = ["alarm"];

/** When the meeting begins of which this is the reminder, ms since 1970; null for everything else. */
export function remindsOf({ kind, data }: Notification): number | null {
  return kind === "meeting_step" && data.step === "reminder" ? data.startsAt : null;
}

/** When somebody wants no push: minutes since midnight in East Africa. `from` after `until` passes midnight. */
export interface QuietHours {
  from: number;
  until: number;
}

/** What is known when something would leave. */
export interface DeliveryFacts {
  kind: Kind;
  way: Way;
  /** Null where it goes to an address without an account. */
  account: Closing | null;
  /** The reader has seen it, or the thing that it is about. */
  isSeen: boolean;
  /** A device that they use takes pushes of this group. */
  isReached: boolean;
  /** The kinds of what the same reader was told later about the same thing, and hasn't seen. */
  later: readonly Kind[];
  /** What the reader's settings say of this kind and way. */
  isWanted: boolean;
  quiet: QuietHours | null;
  /**
   * When the meeting begins of which it is the reminder, ms since 1970. Its reader has agreed to that hour, at night
   * too.
   */
  remindsOf: number | null;
  /** Ms since 1970. */
  now: number;
}

export type Delivery = { do: "send" } | { do: "drop" } | { do: "wait"; until: number };

export function decideDelivery(facts: DeliveryFacts): Delivery {
  const { kind, way, account, isWanted, quiet, remindsOf: meetingAt, now } = facts;
  const rule = KINDS[kind][way];
  const isNeeded =
    rule !== null &&
    (account === null || isTold(account, KINDS[kind].about)) &&
    (isWanted || !mayDecline(kind)) &&
    !isPast(facts);
  if (!isNeeded) return { do: "drop" };
  const disturbs = DISTURBS.includes(kind) || meetingAt !== null;
  const until = way === "push" && quiet !== null && !disturbs ? quietUntil(quiet, now) : null;
  return until === null ? { do: "send" } : { do: "wait", until };
}

/** It no longer says what its reader has to know. */
function isPast({ kind, way, isSeen, isReached, later, remindsOf: meetingAt, now }: DeliveryFacts): boolean {
  if (meetingAt !== null && meetingAt <= now) return true;
  if (KINDS[kind][way] === "unless reached" && isReached) return true;
  if (KINDS[kind][way] !== "always") return isSeen || isOvertaken(kind, way, later);
  // Two pushes that waited for the end of a night would leave together, and the phone shows whichever comes last.
  return way === "push" && KINDS[kind].about === "money" && isOvertaken(kind, way, later);
}

/** Something later about the same thing is sent by the same way. It says how things stand now. */
function isOvertaken(kind: Kind, way: Way, later: readonly Kind[]): boolean {
  const { group } = KINDS[kind];
  return later.some((other) => KINDS[other][way] !== null && (KINDS[other].group === group || isDealEnd(kind, other)));
}

/** The end of a deal is about money and can't be turned off, and overtakes the deal's earlier steps. */
function isDealEnd(kind: Kind, other: Kind): boolean {
  return KINDS[kind].group === "orders" && other === "deal_outcome";
}

/** When the quiet hours that hold at `now` end, ms; null when none hold. */
export function quietUntil({ from, until }: QuietHours, now: number): number | null {
  const clock = inEastAfrica(now);
  const minute = clock.getUTCHours() * 60 + clock.getUTCMinutes();
  const isQuiet = from <= until ? from <= minute && minute < until : from <= minute || minute < until;
  if (!isQuiet) return null;
  const left = (until - minute + DAY_MINUTES) % DAY_MINUTES;
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
}

/** Nobody is told of one listing again sooner, ms. What comes meanwhile waits, and says how things stand then. */
export const SAME_LISTING_MS = 6 * 60 * MINUTE_MS;
/** News of a night waits for its end, but no longer, ms: somebody may have chosen a very long one. */
const NIGHT_MAX_MS = 12 * 60 * MINUTE_MS;

/**
 * Until when gathered news waits because its reader wants to sleep, ms; null where it may leave at `now`. `firstAt`: of
 * the first.
 */
export function nightEnd(
  { pauseMs }: Gathering,
  quiet: QuietHours | null,
  firstAt: number,
  now: number,
): number | null {
  if (pauseMs === 0 || quiet === null || now >= firstAt + NIGHT_MAX_MS) return null;
  return quietUntil(quiet, now);
}
