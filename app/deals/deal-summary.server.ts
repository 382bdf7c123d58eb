/** What the buyer and the seller of an item read: what happens next, until when and with whom, and what they can do. */
import { DEAL_EVENTS, type DealEvent, type SellerCancelReason } from "#app/db/states/deal.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import type { TransferState } from "#app/db/states/transfer.ts";
import { textWarning } from "#app/platform/contact-warning-rules.ts";
import { type TurnFacts, whoseTurn } from "./deal-blame-rules.ts";
import { periodText } from "./deal-promises.ts";
import {
  canLiftReport,
  DEAL_HOURS,
  type DealFacts,
  type DealRole,
  EVENT_ACTORS,
  problemFrom,
  refuseDealEvent,
  WRONG_CODES_MAX,
} from "#app/orders/deal-rules.ts";
import { refundParkedText } from "#app/payments/payment-texts.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import type { Tone } from "#app/ui/tone.ts";
import { CANCEL_REASONS } from "./deal-texts.ts";

/** An item's deal as both sides see it. Times in ms since 1970, amounts in KES. */
export interface DealView extends DealFacts {
  id: string;
  buyerContacted: boolean;
  /** The buyer has an open issue report about it (`openIssue`). Of other reports the seller never learns who made them. */
  hasOpenIssue: boolean;
  /** Its end waits for a second admin (`deal_holds`), and its clock stands still. */
  isHeld: boolean;
  /** What says who has to act next before it is shipped. */
  turn: TurnFacts;
  /** When something happens by itself; null when nothing will. */
  dueAt: number | null;
  /** What the seller offers to give back. */
  offeredRefund: number | null;
  /** The last thing that happened; null for items from before there was a history. */
  latest: { event: DealEvent; reason: string | null; note: string | null; amount: number | null } | null;
  refund: { amount: number; state: TransferState; receipt: string | null; doneAt: number | null } | null;
}

export interface DealWords {
  tone: Tone;
  title: string;
  sentences: string[];
}

/** The names of the two sides, as they stand inside a sentence: "Achieng" or "the seller". */
export interface DealNames {
  buyer: string;
  seller: string;
}

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

/** What one side reads about a deal, and what they can do. The server writes it, so that browsers don't load every text. */
export interface DealSummary {
  words: DealWords;
  actions: DealEvent[];
  /** Why the hand-over code doesn't work any more; null where it does, or where it isn't needed. */
  codeClosed: string | null;
  /** What a buyer should know about wrong codes; null when there were none. */
  wrongCodes: string | null;
  /** How long the seller has to answer a request to cancel; null while the clock stands still. */
  answerTime: string | null;
  isHeld: boolean;
}

export function summariseDeal(side: DealRole, deal: DealView, names: DealNames, now: number): DealSummary {
  return {
    words: dealWords(side, deal, names, now),
    actions: dealActions(side, deal, now),
    codeClosed: isCodeClosed(deal, now) ? CODE_CLOSED_TEXT : null,
    wrongCodes: wrongCodesText(deal),
    answerTime: deal.isHeld ? null : periodText(DEAL_HOURS.answerCancel),
    isHeld: isOnHold(deal),
  };
}

type Writer = (deal: DealView, names: DealNames, now: number) => DealWords;

/** What happens next, for each status and side. */
const WORDS: Record<ItemStatus, Record<DealRole, Writer>> = {
  pending_payment: {
    buyer: () => words("orange", "Not paid yet", "The seller starts once you've paid."),
    seller: () => words("orange", "Not paid yet", "Don't hand anything over until the buyer has paid."),
  },
  expired: {
    buyer: () => words("gray", "Closed", "It wasn't paid in time, so this order is closed."),
    seller: () => words("gray", "Closed", "The buyer didn't pay in time, so this order is closed."),
  },
  processing: {
    buyer: (deal, { seller }) => ({
      tone: "orange",
      title: deal.buyerAgreed
        ? "You agreed"
        : deal.buyerContacted
          ? "The seller has written to you"
          : "The seller will write to you",
      sentences: [
        ...declined(deal, seller),
        waitsForBuyer(deal) && deal.turn.blockedBy === "buyer"
          ? `You blocked ${seller}, so they can't write to you. Unblock them to agree on the handover, or cancel.`
          : deal.buyerAgreed
            ? `${start(seller)} can now hand it over or send it.`
            : deal.buyerContacted
              ? `Are you happy with ${seller}'s pickup or delivery plan?`
              : `${start(seller)} will message you about a time and place, or answer your suggestion.`,
        `If it isn't handed over or shipped by ${by(deal)}, we cancel it and ${deal.subtotal > 0 ? "send your money back" : "close the order"}.`,
      ],
    }),
    seller: (deal, { buyer }) => ({
      tone: "orange",
      title: deal.buyerAgreed
        ? "Hand it over"
        : deal.buyerContacted
          ? `${start(buyer)} has to agree`
          : "Contact the buyer",
      sentences: [
        waitsForBuyer(deal) && deal.turn.blockedBy === "buyer"
          ? `${start(buyer)} blocked you, so you can't write to each other. If you meet all the same, their hand-over code pays you.`
          : deal.buyerAgreed
            ? `${start(buyer)} agreed. Hand the item over or send it, then mark it as shipped.`
            : deal.buyerContacted && !waitsForBuyer(deal)
              ? `${start(buyer)} wrote to you last. Answer, and agree on a time and place.`
              : deal.buyerContacted
                ? `Waiting for ${buyer} to agree. We'll tell you.`
                : `Message ${buyer} to agree on a time and place, or accept their suggestion if they've made one.`,
        `If it isn't handed over or shipped by ${by(deal)}, the sale is cancelled${moneyGoesBack(deal, buyer)}.${waitsForBuyer(deal) ? " That doesn't count against you, because it's the buyer's turn." : ""}`,
      ],
    }),
  },
  cancel_requested: {
    buyer: (deal, { seller }) =>
      words(
        "orange",
        "You asked to cancel",
        `${start(seller)} has until ${by(deal)} to answer. If they don't, we cancel it${deal.subtotal > 0 ? " and send your money back" : ""}.`,
      ),
    seller: (deal, { buyer }) =>
      words(
        "orange",
        `${start(buyer)} wants to cancel`,
        ...quote(deal, buyer),
        `Answer by ${by(deal)}. If you don't, the sale is cancelled${moneyGoesBack(deal, buyer)}.`,
      ),
  },
  shipped: {
    buyer: (deal, { seller }, now) =>
      words(
        "blue",
        "On its way to you",
        `${start(seller)} has shipped it.`,
        now < problemFrom(deal)
          ? `If it hasn't arrived by ${formatDateTime(problemFrom(deal))}, you can report a problem here.`
          : "If it hasn't arrived, or something is wrong, report a problem.",
        `If nothing happens by ${by(deal)}, our team looks into it. Your money stays with us until then.`,
      ),
    seller: (deal, { buyer }) =>
      words(
        "blue",
        "On its way",
        `When ${buyer} has received it, enter the code. If there is no code, mark it as delivered.`,
        `If nothing happens by ${by(deal)}, our team looks into it. The money stays with us until then.`,
      ),
  },
  delivered: {
    buyer: (deal, { seller }) =>
      words(
        "gold",
        "Is everything OK?",
        `${start(seller)} says that you have it. Please check it now.`,
        deal.hasOpenReport && deal.subtotal > 0
          ? `If you do nothing until ${by(deal)}, our team decides.`
          : `If something is wrong, report a problem by ${by(deal)}. After that we pay ${seller}.`,
      ),
    seller: (deal, { buyer }) =>
      words(
        "blue",
        `Waiting for ${buyer} until ${by(deal)}`,
        `${start(buyer)} can report a problem until then.`,
        deal.hasOpenReport && deal.subtotal > 0
          ? "After that our team decides."
          : deal.subtotal > 0
            ? `If there's no problem, we send you ${formatKes(deal.subtotal)}. You're paid at once when ${buyer} gives you the code or says that everything is OK.`
            : "If there's no problem, the sale is completed.",
      ),
  },
  problem_reported: {
    buyer: (deal, { seller }) =>
      words(
        "orange",
        "You reported a problem",
        `${start(seller)} has until ${by(deal)} to answer. If they don't, our team decides. Your money stays with us until then.`,
      ),
    seller: (deal, { buyer }) =>
      words(
        "red",
        `${start(buyer)} reported a problem`,
        `Answer by ${by(deal)}. If you don't, our team decides. The money stays with us until then.`,
      ),
  },
  offered: {
    buyer: (deal, { seller }) =>
      words(
        "gold",
        `${start(seller)} made you an offer`,
        `You'd get ${formatKes(deal.offeredRefund ?? 0)} of ${formatKes(deal.subtotal)} back. Accept it, or ask our team to decide, by ${by(deal)}. After that our team decides.`,
      ),
    seller: (deal, { buyer }) =>
      words(
        "orange",
        `Waiting for ${buyer}`,
        `You offered ${formatKes(deal.offeredRefund ?? 0)} of ${formatKes(deal.subtotal)} back. ${start(buyer)} has until ${by(deal)} to accept. After that our team decides.`,
      ),
  },
  in_review: {
    buyer: (_, { seller }) =>
      words(
        "orange",
        "Our team decides",
        `We read what you and ${seller} wrote. Your money stays with us until we've decided, and then we email you.`,
      ),
    seller: (_, { buyer }) =>
      words(
        "orange",
        "Our team decides",
        `We read what you and ${buyer} wrote. The money stays with us until we've decided, and then we email you.`,
      ),
  },
  completed: {
    buyer: (deal, { seller }) => words("green", "Completed", ...completed(deal, "you", seller), ...quoteTeam(deal)),
    seller: (deal, { buyer }) => words("green", "Completed", ...completed(deal, buyer, "you"), ...quoteTeam(deal)),
  },
  cancelled: {
    buyer: (deal, { seller }) =>
      words("gray", "Cancelled", cancelled(deal, "you", seller), ...sellerNote(deal, seller), ...refundSentences(deal)),
    seller: (deal, { buyer }) =>
      words("gray", "Cancelled", cancelled(deal, buyer, "you"), `Don't hand it over.${sentBack(deal, buyer)}`),
  },
  refunded: {
    buyer: (deal, { seller }) =>
      words("gray", "Refunded", refunded(deal, "you", seller), ...quoteTeam(deal), ...refundSentences(deal)),
    seller: (deal, { buyer }) =>
      words("gray", "Refunded", `${refunded(deal, buyer, "you")}${sentBack(deal, buyer)}`, ...quoteTeam(deal)),
  },
};

/** What happens next with an item, for one side. After the deal: what happened, and where the money went. */
export function dealWords(side: DealRole, deal: DealView, names: DealNames, now: number): DealWords {
  const own = (isOnHold(deal) ? HELD[side] : WORDS[deal.status][side])(deal, names, now);
  if (!isStopped(deal)) return own;
  return { ...own, sentences: [...own.sentences, STOPPED[side](deal, names)] };
}

/** The clock stands still: our team decides whether the deal ends. */
function isOnHold({ isHeld, status }: DealView): boolean {
  return isHeld && ITEM.isRunning(status);
}

/** Instead of what the clock would do. */
const HELD: Record<DealRole, Writer> = {
  buyer: (deal, _, now) =>
    words(
      "orange",
      ON_HOLD_TITLE,
      "An account or the listing behind this order was closed, and our team is checking it.",
      onHoldText("buyer", deal.subtotal),
      ...(refuseDealEvent("cancelled_by_buyer", deal, now) === null
        ? [`You don't have to wait: you can cancel it now${deal.subtotal > 0 ? " and get all your money back" : ""}.`]
        : []),
    ),
  seller: (deal) =>
    words(
      "orange",
      ON_HOLD_TITLE,
      "An account or the listing behind this sale was closed, and our team is checking it.",
      onHoldText("seller", deal.subtotal),
    ),
};

/** What a report adds while it stops the money. */
const STOPPED: Record<DealRole, (deal: DealView, names: DealNames) => string> = {
  buyer: (_, { seller }) =>
    `You reported a problem to our team. Until we decide, or you take it back, ${seller} isn't paid.`,
  seller: ({ hasOpenIssue }) =>
    hasOpenIssue ? `${REPORTED_TEXT} Ask the buyer what is wrong before you hand anything over.` : WATCHED_TEXT,
};

/** While the end of a deal waits for a second admin. */
export const ON_HOLD_TITLE = "On hold while our team decides";

/** What becomes of the money meanwhile. `subtotal` in KES. */
export function onHoldText(side: DealRole, subtotal: number): string {
  if (subtotal === 0) return "Nothing happens until we've decided. Then we email you.";
  return `${side === "buyer" ? "Your" : "The"} money is safe with us until we've decided. Then we email you.`;
}

/** For a seller whose money a report in moderation stops: neither who made it nor what it is about. */
export const WATCHED_TEXT = "Our team is looking at this sale. The money waits until they decide.";

/** For a seller whose money an issue report stops. */
export const REPORTED_TEXT = "The buyer has reported a problem. Our team decides before the money is released.";

/** The report matters now: the money is held, and nothing else tells of a problem. */
function isStopped(deal: DealView): boolean {
  return deal.hasOpenReport && deal.subtotal > 0 && ITEM.isRunning(deal.status) && !ITEM.hasOpenProblem(deal.status);
}

function words(tone: Tone, title: string, ...sentences: string[]): DealWords {
  return { tone, title, sentences };
}

/** A name or "the seller" at the start of a sentence. */
function start(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Nothing can happen until the buyer does something. */
function waitsForBuyer({ turn }: DealView): boolean {
  return whoseTurn(turn) === "buyer";
}

function by({ dueAt }: DealView): string {
  return dueAt === null ? "then" : formatDateTime(dueAt);
}

function moneyGoesBack({ subtotal }: DealView, buyer: string): string {
  return subtotal > 0 ? ` and ${buyer} gets the money back` : "";
}

function sentBack({ subtotal }: DealView, buyer: string): string {
  return subtotal > 0 ? ` ${start(buyer)} gets ${formatKes(subtotal)} back.` : "";
}

// ---------------------------------------------------------------- what was written

function quote({ latest }: DealView, author: string): string[] {
  if (!latest?.note) return [];
  const warning = textWarning(latest.note);
  return [`${start(author)} wrote: “${latest.note}”`, ...(warning === null ? [] : [warning])];
}

/** What the seller wrote when they cancelled. */
function sellerNote(deal: DealView, seller: string): string[] {
  return deal.latest?.event === "cancelled_by_seller" ? quote(deal, seller) : [];
}

function quoteTeam({ latest }: DealView): string[] {
  return latest && EVENT_ACTORS[latest.event] === "admin" && latest.note ? [`Our team wrote: “${latest.note}”`] : [];
}

function declined(deal: DealView, seller: string): string[] {
  return deal.latest?.event === "cancel_declined"
    ? [`${start(seller)} doesn't want to cancel.`, ...quote(deal, seller)]
    : [];
}

// ------------------------------------------------------------------- how it ended

/** How a deal was completed, and who gets how much. One of the two is "you". */
function completed({ latest, subtotal }: DealView, buyer: string, seller: string): string[] {
  const how = HOW_COMPLETED[latest?.event ?? "paid"]?.(buyer, seller) ?? "It was handed over.";
  if (subtotal === 0) return [how];
  const back = latest?.amount ?? 0;
  const gets = (name: string, amount: number) =>
    `${start(name)} ${name === "you" ? "get" : "gets"} ${formatKes(amount)}`;
  return back > 0
    ? [how, `${gets(buyer, back)} back. ${gets(seller, subtotal - back)}.`]
    : [how, `${gets(seller, subtotal)}.`];
}

const HOW_COMPLETED: Partial<Record<DealEvent, (buyer: string, seller: string) => string>> = {
  code_entered: (buyer, seller) =>
    `${start(seller)} entered ${buyer === "you" ? "your" : `${buyer}'s`} hand-over code.`,
  accepted: (buyer) => `${start(buyer)} said that everything is OK.`,
  inspection_ended: () => "The time to report a problem is over.",
  delivered_without_inspection: (_, seller) => `${start(seller)} marked it as delivered.`,
  problem_withdrawn: (buyer) => `${start(buyer)} said that the problem is solved.`,
  part_accepted: (buyer, seller) => `${start(buyer)} accepted ${seller === "you" ? "your" : `${seller}'s`} offer.`,
  team_split: () => "Our team decided that each side gets a part.",
  team_released: (_, seller) => `Our team decided that ${seller} ${seller === "you" ? "get" : "gets"} the money.`,
};

/** Who or what cancelled it. One of the two is "you". */
function cancelled({ latest }: DealView, buyer: string, seller: string): string {
  switch (latest?.event) {
    case "cancelled_by_buyer":
      return `${start(buyer)} cancelled it.`;
    case "cancel_accepted":
      return `${start(seller)} agreed to cancel it.`;
    case "cancel_unanswered":
      return `${start(seller)} didn't answer the request to cancel within ${periodText(DEAL_HOURS.answerCancel)}, so it was cancelled.`;
    case "cancelled_by_seller": {
      const reason = CANCEL_REASONS[latest.reason as SellerCancelReason] as string | undefined;
      return `${start(seller)} cancelled it${reason && latest.reason !== "other" ? `: ${reason.toLowerCase()}` : ""}.`;
    }
    case "not_shipped":
      return `It wasn't handed over or shipped within ${periodText(DEAL_HOURS.ship)}, so it was cancelled.`;
    case "party_gone":
      return "An account or a listing behind this order was closed, so it was cancelled.";
    default:
      return "It was cancelled.";
  }
}

function refunded({ latest }: DealView, buyer: string, seller: string): string {
  return latest?.event === "refunded_by_seller"
    ? `${start(seller)} gave all the money back.`
    : `Our team decided that ${buyer} ${buyer === "you" ? "get" : "gets"} all the money back.`;
}

/** Where a buyer's refund is now. */
function refundSentences({ refund, subtotal }: Pick<DealView, "refund" | "subtotal">): string[] {
  if (subtotal === 0) return ["You paid nothing, so nothing is sent back."];
  if (!refund) return [];
  const amount = formatKes(refund.amount);
  switch (refund.state) {
    case "due":
      return [`We're about to send ${amount} back to the M-Pesa number that paid.`];
    case "sending":
    case "sent":
      return [`${amount} is on its way back to the M-Pesa number that paid.`];
    case "unknown":
      return [`M-Pesa hasn't told us yet whether your ${amount} arrived. We're checking. You'll get it exactly once.`];
    case "parked":
      return [refundParkedText(refund.amount)];
    case "done":
      return [
        `We sent ${amount} back to the M-Pesa number that paid${refund.doneAt === null ? "" : ` on ${formatDateTime(refund.doneAt)}`}.${refund.receipt ? ` M-Pesa receipt: ${refund.receipt}.` : ""}`,
      ];
  }
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
