/** What each side reads about a meeting to which one of them didn't come. Only the server reads it. */
import { answerUntil, otherSide, refuseMissed } from "#app/accounts/trust/missed-meeting-rules.ts";
import { ITEM } from "#app/db/states/item.ts";
import { hasComeInVain } from "#app/deals/deal-blame-rules.ts";
import type { DealRole } from "#app/deals/deal-rules.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import type { DealView } from "./deal-view.ts";

export interface MissedMeeting {
  /** What the other side says; null where they say nothing. */
  title: string | null;
  sentence: string;
  /** Null where this side has said it, or it is too late. */
  button: { label: string; question: { title: string; description: string } | null } | null;
}

/** Null where there is nothing to say. `other`: inside a sentence. */
export function missedMeeting(side: DealRole, deal: DealView, other: string, now: number): MissedMeeting | null {
  const { missed } = deal.turn;
  const heardAt = missed.saidAt[otherSide(side)];
  const has = missed.saidAt[side] !== null;
  if (refuseMissed(side, { ...deal, missed }, now) === null) {
    return heardAt === null ? toSay(side, other) : toAnswer(other, heardAt);
  }
  if (!has || !ITEM.isHeld(deal.status)) return null;
  const sentence =
    heardAt === null
      ? `You said that ${other} didn't come.`
      : "Each of you says that they came, so it counts for neither.";
  const isFreeToGo = side === "seller" && hasComeInVain(deal.turn) && ITEM.isCancellable(deal.status);
  return {
    title: null,
    sentence: `${sentence}${isFreeToGo ? " If you cancel this sale, it doesn't count against you." : ""}`,
    button: null,
  };
}

function toSay(side: DealRole, other: string): MissedMeeting {
  return {
    title: null,
    sentence:
      side === "seller"
        ? "Say so, and you can cancel without it counting against you."
        : "Say so. Then suggest another time, or ask to cancel.",
    button: {
      label: "They Didn't Come",
      question: {
        title: `Did ${other} not come?`,
        description: `We tell ${other}, who can say that they were there. Then it counts for neither of you. You can't take it back.`,
      },
    },
  };
}

function toAnswer(other: string, heardAt: number): MissedMeeting {
  return {
    title: `${capitalized(other)} says that you didn't come`,
    sentence: `Were you there? Say so by ${formatDateTime(answerUntil(heardAt))}. Then it counts for neither of you.`,
    button: { label: "I Was There", question: null },
  };
}

/** What the person who pressed the button reads. */
export function saidMissedText(isAnswer: boolean): string {
  return isAnswer ? "Saved. It counts for neither of you." : "Saved. We've told the other side.";
}
