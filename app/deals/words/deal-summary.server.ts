/** What the buyer and the seller of an item read: what happens next, until when and with whom, and what they can do. */
import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { DEAL_EVENTS, type DealEvent, EVENT_ACTORS } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { LiveMeeting } from "#app/live/live-events.ts";
import { periodText } from "./deal-promises.ts";
import {
  canLiftReport,
  type DealFacts,
  type DealRole,
  refuseDealEvent,
  WRONG_CODES_MAX,
} from "#app/deals/deal-rules.ts";
import { DEAL_HOURS } from "#app/orders/deal-timer-rules.ts";
import type { DealMeeting, DealNames, DealView, DealWords } from "./deal-view.ts";
import { missedMeeting, type MissedMeeting } from "./missed-words.ts";
import { isReported, nextStep, type NextStep } from "./next-step-rules.ts";
import { stepWords } from "./next-step-texts.ts";

/** Events without a button of their own. */
const NO_ACTIONS: readonly DealEvent[] = ["paid", "code_closed", "code_held", "delivered_without_inspection"];

/** What this side can do now. */
export function dealActions(side: DealRole, deal: DealFacts, now: number): DealEvent[] {
  return DEAL_EVENTS.filter((event) => {
    if (EVENT_ACTORS[event] !== side || NO_ACTIONS.includes(event)) return false;
    if (event === "report_lifted") return canLiftReport(deal);
    // The seller enters it all the same: it proves the handover, and our team then decides.
    const facts = event === "code_entered" ? { ...deal, hasOpenReport: false } : deal;
    return refuseDealEvent(event, facts, now) === null;
  });
}

/** Too many wrong codes were entered for an item that could still be handed over with the code. */
export function isCodeClosed(deal: DealFacts, now: number): boolean {
  return refuseDealEvent("code_entered", deal, now) === "code_closed";
}

/**
 * What one side reads about a deal, and what they can do. The server writes it, so that browsers don't load every text.
 */
export interface DealSummary {
  step: NextStep;
  words: DealWords & { warning: string | null };
  actions: DealEvent[];
  /** Why the handover code doesn't work any more; null where it does, or where it isn't needed. */
  codeClosed: string | null;
  /** What a buyer should know about wrong codes; null when there were none. */
  wrongCodes: string | null;
  /** How long the seller has to answer a request to cancel; null while the clock stands still. */
  answerTime: string | null;
  isOnHold: boolean;
  /** A report stops the money now, and with it the code. */
  isStopped: boolean;
  /** About a meeting to which one of the two didn't come; null for nothing. */
  missed: MissedMeeting | null;
  /** What its steps are called. */
  called: CalledSteps;
}

/** What the steps of a deal are called on the pages of its two sides. */
export interface CalledSteps {
  /** When the buyer gives the code: "you have the item and it's fine". */
  fine: string;
  /** The same, with the item by its name. */
  fineNamed: string;
  /** What the seller waits for: "Achieng has it". */
  has: string;
  sent: string;
  done: string;
  sending: { ask: string; text: string };
  celebration: string;
  confirm: string;
  against: string;
  dont: string;
}

function calledSteps({ handover, name }: { handover: Handover; name: string }, buyer: string): CalledSteps {
  const { fine, has, sending, celebration, confirm, against, dont } = HANDOVER_WORDS[handover];
  return {
    fine: fine("the item"),
    fineNamed: fine(name),
    has: has(buyer, "it"),
    ...HANDOVER_MARKS[handover],
    sending,
    celebration,
    confirm,
    against,
    dont,
  };
}

export function summarizeDeal(
  side: DealRole,
  deal: DealView,
  names: DealNames,
  meeting: DealMeeting | null,
  now: number,
): DealSummary {
  const step = nextStep(side, deal, meeting, now);
  const words = stepWords(step.code, side, { deal, names, meeting, now });
  return {
    step,
    words: { ...words, warning: isStopped(deal) ? STOPPED[side](deal, names) : null },
    actions: dealActions(side, deal, now),
    codeClosed: isCodeClosed(deal, now) ? CODE_CLOSED_TEXT : null,
    wrongCodes: wrongCodesText(deal),
    answerTime: deal.isOnHold ? null : periodText(DEAL_HOURS.answerCancel),
    isOnHold: deal.isOnHold && ITEM.isRunning(deal.status),
    isStopped: isStopped(deal),
    called: calledSteps(deal, names.buyer),
    missed: missedMeeting(side, deal, side === "buyer" ? names.seller : names.buyer, now),
  };
}

/** The meeting of an item as `viewerId`, one of the two, sees it. */
export function dealMeeting(meeting: LiveMeeting | null, viewerId: string): DealMeeting | null {
  return meeting && { ...meeting, isOwn: meeting.proposedBy === viewerId };
}

/** What a report adds while it stops the money. */
const STOPPED: Record<DealRole, (deal: DealView, names: DealNames) => string> = {
  buyer: (_, { seller }) =>
    `You reported a problem to our team. Until we decide, or you take it back, ${seller} isn't paid, and your handover code is hidden.`,
  seller: ({ hasOpenIssue }) =>
    hasOpenIssue ? `${REPORTED_TEXT} Ask the buyer what is wrong before you hand anything over.` : WATCHED_TEXT,
};

/** For a seller whose money a report in moderation stops: neither who made it nor what it is about. */
export const WATCHED_TEXT = "Our team is looking at this sale. The money waits until they decide.";

/** For a seller whose money an issue report stops. */
export const REPORTED_TEXT = "The buyer has reported a problem. Our team decides before the money is released.";

/** The report matters now: the money is held, and nothing else tells of a problem. */
export function isStopped(deal: DealView): boolean {
  return isReported(deal) && ITEM.isRunning(deal.status) && !ITEM.hasOpenProblem(deal.status);
}

// ------------------------------------------------------------------- the code

/** What a buyer should know about wrong codes; null when there were none. */
export function wrongCodesText({ wrongCodes }: Pick<DealFacts, "wrongCodes">): string | null {
  if (wrongCodes === 0) return null;
  return `A wrong code was entered ${wrongCodes === 1 ? "once" : `${wrongCodes} times`}. After ${WRONG_CODES_MAX} wrong codes, your code stops working.`;
}

/** The answer to a code after too many wrong ones. */
export const CODE_CLOSED_TEXT = `${WRONG_CODES_MAX} wrong codes were entered, so the code no longer works for this item.`;

/** The answer to a wrong code. `left`: how many more wrong ones are allowed for this item. */
export function wrongCodeText(left: number): string {
  if (left === 0) return `That isn't the buyer's code. ${CODE_CLOSED_TEXT}`;
  return `That isn't the buyer's code. You can try ${left === 1 ? "once more" : `${left} more times`}.`;
}
