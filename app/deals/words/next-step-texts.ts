/**
 * The next step of a deal in words, and how it ended. Only the server reads it, so that browsers don't load every text.
 */
import { divideMoney, earnedFor, paidFor } from "#app/orders/item-price-rules.ts";
import { NOTHING_MISSED } from "#app/accounts/trust/missed-meeting-rules.ts";
import { REFUND_WORDS } from "#app/payments/transfers/refund-words.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import type { DealEvent, SellerCancelReason } from "#app/db/states/deal.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import { BY_HELPER, handoverLinkState, isLive } from "#app/deals/code/handover-link-rules.ts";
import { isReported, nextStep, type StepCode, type StepMeeting } from "./next-step-rules.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { type DealRole, problemFrom, refuseDealEvent, WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { DEAL_HOURS } from "#app/orders/deal-timer-rules.ts";
import { EVENT_ACTORS } from "#app/db/states/deal.ts";
import { formatDateTime, formatMoment } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import type { Tone } from "#app/ui/tone.ts";
import { hasComeInVain, whoseTurn } from "#app/deals/deal-blame-rules.ts";
import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { periodText, withinText } from "./deal-promises.ts";
import { CANCEL_REASONS } from "./deal-texts.ts";
import type { DealMeeting, DealNames, DealView, DealWords } from "./deal-view.ts";

interface Situation {
  deal: DealView;
  side: DealRole;
  /** The other side, inside a sentence. */
  other: string;
  names: DealNames;
  meeting: DealMeeting | null;
  now: number;
}

type Writer = (situation: Situation) => DealWords;

/** The step as a title, and below it what follows from it. */
const WORDS: Record<StepCode, Writer> = {
  pay: () => words("orange", "Not paid yet", "The seller starts once you've paid."),
  await_payment: () => words("orange", "Not paid yet", "Don't hand anything over until the buyer has paid."),
  closed: ({ side }) =>
    words(
      "gray",
      "Closed",
      side === "buyer"
        ? "It wasn't paid in time, so this order is closed."
        : "The buyer didn't pay in time, so this order is closed.",
    ),
  await_contact: (s) =>
    toHandOver(
      s,
      `${capitalized(s.other)} will write to you about a time and place`,
      `You can suggest one yourself. Then ${s.other} only has to say yes.`,
    ),
  await_bringing: (s) => toHandOver(s, `${capitalized(s.other)} will write to you about the delivery`),
  agree: (s) =>
    toHandOver(
      s,
      `${capitalized(s.other)} has written to you. Does the plan suit you?`,
      `Agree, and ${s.other} can ${termsOf(s).can}.`,
    ),
  await_reply: (s) =>
    toHandOver(s, `Waiting for ${s.other} to answer you`, `You can agree to the plan as soon as it suits you.`),
  collect: (s) => toHandOver(s, termsOf(s).collect(s.other), checkFirst(s, "them")),
  await_delivery: (s) => toHandOver(s, termsOf(s).await(capitalized(s.other)), checkFirst(s, "them")),
  reported: (s) =>
    toHandOver(
      s,
      "Our team reads your report",
      "If it's sorted, take your report back. Then you see your handover code again.",
    ),
  contact: (s) =>
    toHandOver(
      s,
      s.deal.turn.isDelivery
        ? `Write to ${s.other} to agree on the delivery`
        : `Write to ${s.other} to agree on a time and place`,
    ),
  reply: (s) => toHandOver(s, `Answer ${s.other}, who wrote to you last`, "Then agree on a time and place."),
  await_agreement: (s) => toHandOver(s, `Waiting for ${s.other} to agree`, "We'll tell you when they do."),
  hand_over: (s) => toHandOver(s, termsOf(s).handOver(s.other)),
  send: (s) =>
    s.deal.wrongCodes < WRONG_CODES_MAX
      ? toHandOver(s, termsOf(s).bring(s.other), ...termsOf(s).ifSent)
      : toHandOver(s, `Mark it as ${marksOf(s).sent} for ${s.other}`, termsOf(s).sending.text),
  arrange_again: (s) =>
    toHandOver(s, `Agree with ${s.other} on another time and place`, "The last meeting was cancelled."),
  blocked: (s) =>
    s.side === "buyer"
      ? toHandOver(
          s,
          `You blocked ${s.other}`,
          `They can't write to you. Unblock them to agree on ${termsOf(s).name}, or cancel.`,
        )
      : s.deal.turn.blockedBy === "seller"
        ? toHandOver(
            s,
            `You blocked ${s.other}`,
            `You can't write to each other. Unblock them to agree on ${termsOf(s).name}, or cancel the sale. That doesn't count against you.`,
          )
        : toHandOver(
            s,
            `${capitalized(s.other)} blocked you`,
            "You can't write to each other. If you meet all the same, enter their handover code. Or cancel the sale: that doesn't count against you.",
          ),
  answer_meeting: (s) => toHandOver(s, `${capitalized(s.other)} wants to meet ${whenAndWhere(s)}. Does that suit you?`),
  await_meeting: (s) => toHandOver(s, `Waiting for ${s.other} to answer`, "You suggested where and when to meet."),
  meet: (s) =>
    toHandOver(
      s,
      `Meet ${s.other} ${whenAndWhere(s)}`,
      ...(s.side === "buyer" ? [...helperComes(s), checkFirst(s, s.other)] : []),
    ),
  missed_meeting: (s) =>
    toHandOver(
      s,
      `You were to meet ${s.other} ${when(s)}`,
      s.side === "buyer"
        ? `${hasCode(s.deal) ? `If you have it and it's fine, give ${s.other} your code. ` : ""}If you didn't meet, suggest another time.`
        : `If ${s.other} has it, enter their code. If you didn't meet, suggest another time.`,
    ),
  answer_cancellation: (s) =>
    words(
      "orange",
      `${capitalized(s.other)} wants to cancel`,
      ...quote(s.deal, s.other),
      `Answer by ${by(s.deal)}. If you don't, the sale is cancelled${moneyGoesBack(s.deal, s.other)}.`,
    ),
  await_cancellation: ({ deal, other }) =>
    words(
      "orange",
      "You asked to cancel",
      `${capitalized(other)} has until ${by(deal)} to answer. If they don't, we cancel it${deal.subtotal > 0 ? " and send your money back" : ""}.`,
    ),
  await_parcel: ({ deal, other, now }) =>
    words(
      "blue",
      HANDOVER_WORDS[deal.handover].wasSent(capitalized(other)),
      isReported(deal)
        ? `When ${HANDOVER_WORDS[deal.handover].fine("it")}, take your report back first. Then say that everything is OK.`
        : `When ${HANDOVER_WORDS[deal.handover].fine("it")}, say that everything is OK${hasCode(deal) ? ", or give them your handover code" : ""}.`,
      now < problemFrom(deal)
        ? `If ${HANDOVER_WORDS[deal.handover].lacks} by ${formatDateTime(problemFrom(deal))}, you can report a problem here.`
        : `If ${HANDOVER_WORDS[deal.handover].lacks}, or something is wrong, report a problem.`,
      `If nothing happens by ${by(deal)}, our team looks into it.${moneyStays("buyer", deal.subtotal)}`,
    ),
  await_arrival: ({ deal, other }) =>
    words(
      "blue",
      `When ${HANDOVER_WORDS[deal.handover].has(other, "it")}, enter their code`,
      `If nothing happens by ${by(deal)}, our team looks into it.${moneyStays("seller", deal.subtotal)}`,
    ),
  check: ({ deal, other }) =>
    words(
      "gold",
      "Is everything OK?",
      `${capitalized(other)} says that ${HANDOVER_WORDS[deal.handover].has("you", "it")}. Please check it now.`,
      isReported(deal)
        ? `If you do nothing until ${by(deal)}, our team decides.`
        : `If something is wrong, report a problem by ${by(deal)}. After that we pay ${other}.`,
    ),
  await_check: ({ deal, other }) =>
    words(
      "blue",
      `Waiting for ${other} until ${by(deal)}`,
      `${capitalized(other)} can report a problem until then.`,
      isReported(deal)
        ? "After that our team decides."
        : deal.subtotal > 0
          ? `If there's no problem, we send you ${formatKes(earnedFor(deal))}. You're paid at once when ${other} gives you the code or says that everything is OK.`
          : "If there's no problem, the sale is completed.",
    ),
  answer_problem: ({ deal, other }) =>
    words(
      "red",
      `${capitalized(other)} reported a problem`,
      `Answer by ${by(deal)}. If you don't, our team decides.${moneyStays("seller", deal.subtotal)}`,
    ),
  await_answer: ({ deal, other }) =>
    words(
      "orange",
      "You reported a problem",
      "You don't need your handover code any more.",
      `${capitalized(other)} has until ${by(deal)} to answer. If they don't, our team decides.${moneyStays("buyer", deal.subtotal)}`,
    ),
  answer_offer: ({ deal, other }) =>
    words(
      "gold",
      `${capitalized(other)} made you an offer`,
      `You'd get ${formatKes(divideMoney(deal, deal.offeredRefund ?? 0).buyer)} of ${formatKes(paidFor(deal))} back. Accept it, or ask our team to decide, by ${by(deal)}. After that our team decides.`,
    ),
  await_offer: ({ deal, other }) =>
    words(
      "orange",
      `Waiting for ${other}`,
      `You offered ${formatKes(divideMoney(deal, deal.offeredRefund ?? 0).buyer)} of ${formatKes(paidFor(deal))} back. ${capitalized(other)} has until ${by(deal)} to accept. After that our team decides.`,
    ),
  team_decides: ({ side, deal, other }) =>
    words(
      "orange",
      "Our team decides",
      `We read what you and ${other} wrote, decide, and email you.${moneyStays(side, deal.subtotal)}`,
    ),
  on_hold: ({ side, deal, now }) =>
    words(
      "orange",
      ON_HOLD_TITLE,
      `An account or the listing behind this ${side === "buyer" ? "order" : "sale"} was closed, and our team is checking it.`,
      onHoldText(side, deal.subtotal),
      ...(side === "buyer" && refuseDealEvent("cancelled_by_buyer", deal, now) === null
        ? [`You don't have to wait: you can cancel it now${deal.subtotal > 0 ? " and get all your money back" : ""}.`]
        : []),
    ),
  completed: ({ deal, names }) =>
    words(
      "green",
      "Completed",
      ...completed(deal, names.buyer, names.seller),
      ...quoteTeam(deal),
      // The part that goes back. Only the buyer's page knows where it is.
      ...(deal.refund ? refundSentences(deal) : []),
    ),
  cancelled: ({ side, deal, names: { buyer, seller } }) =>
    side === "buyer"
      ? words(
          "gray",
          "Cancelled",
          cancelled(deal, buyer, seller),
          ...sellerNote(deal, seller),
          ...refundSentences(deal),
        )
      : words(
          "gray",
          "Cancelled",
          cancelled(deal, buyer, seller),
          `${HANDOVER_WORDS[deal.handover].dont}${sentBack(deal, buyer)}`,
        ),
  refunded: ({ side, deal, names: { buyer, seller } }) =>
    side === "buyer"
      ? words(
          "gray",
          "Refunded",
          refunded(deal, buyer, seller),
          ...quoteTeam(deal),
          ...refundSentences(deal),
          ...itemBack(side, deal),
        )
      : words(
          "gray",
          "Refunded",
          `${refunded(deal, buyer, seller)}${sentBack(deal, buyer)}`,
          ...quoteTeam(deal),
          ...itemBack(side, deal),
        ),
};

/** The buyer's handover code works, and stands on their page. */
function hasCode(deal: DealView): boolean {
  return deal.wrongCodes < WRONG_CODES_MAX && !isReported(deal);
}

/** What its steps are called. */
function termsOf({ deal }: Pick<Situation, "deal">) {
  return HANDOVER_WORDS[deal.handover];
}

function marksOf({ deal }: Situation) {
  return HANDOVER_MARKS[deal.handover];
}

/** For the buyer: who comes in the seller's place. */
function helperComes({ deal, other, now }: Situation): string[] {
  const { handoverLink: link, turn } = deal;
  if (!link || !isLive(handoverLinkState(link, { ...deal, agreedFor: turn.missed.agreedFor }, now))) return [];
  return [`${capitalized(other)} has asked somebody else to come instead.`];
}

function checkFirst({ deal }: Situation, seller: string): string {
  return `${HANDOVER_WORDS[deal.handover].first}${hasCode(deal) ? ` Then give ${seller} your handover code.` : ""}`;
}

/**
 * The end of a text about an item that waits: where its money is. `subtotal` in KES: of a free item no money is held.
 */
export function moneyStays(side: DealRole, subtotal: number): string {
  return subtotal === 0 ? "" : ` ${side === "buyer" ? "Your" : "The"} money stays with us until then.`;
}

/** The step in words. One of the names is "you". */
export function stepWords(
  code: StepCode,
  side: DealRole,
  about: { deal: DealView; names: DealNames; meeting: DealMeeting | null; now: number },
): DealWords {
  const other = side === "buyer" ? about.names.seller : about.names.buyer;
  return WORDS[code]({ side, other, ...about });
}

/** Before the handover: what the reader can do, and what the clock does if nobody acts. */
function toHandOver({ side, deal, other }: Situation, title: string, ...sentences: string[]): DealWords {
  const missed = HANDOVER_WORDS[deal.handover].missed("it", "isn't");
  const clock =
    side === "buyer"
      ? `If ${missed} by ${by(deal)}, we cancel it and ${deal.subtotal > 0 ? "send your money back" : "close the order"}.`
      : `If ${missed} by ${by(deal)}, the sale is cancelled${moneyGoesBack(deal, other)}.${notAgainstSeller(deal)}`;
  return words("orange", title, ...(side === "buyer" ? declined(deal, other) : []), ...sentences, clock);
}

/** Why a sale that ends by itself doesn't count against its seller. */
function notAgainstSeller({ turn }: DealView): string {
  if (hasComeInVain(turn)) return " That doesn't count against you.";
  return whoseTurn(turn) === "buyer" && turn.blockedBy === null
    ? " That doesn't count against you, because it's the buyer's turn."
    : "";
}

function when({ meeting, now }: Situation): string {
  return meeting ? formatMoment(meeting.startsAt, now) : "";
}

function whenAndWhere(situation: Situation): string {
  return `${when(situation)}, ${situation.meeting?.place ?? ""}`;
}

/** While the end of a deal waits for a second admin. */
export const ON_HOLD_TITLE = "On hold while our team decides";

/** What becomes of the money meanwhile. `subtotal` in KES. */
export function onHoldText(side: DealRole, subtotal: number): string {
  if (subtotal === 0) return "Nothing happens until we've decided. Then we email you.";
  return `${side === "buyer" ? "Your" : "The"} money is safe with us until we've decided. Then we email you.`;
}

// ------------------------------------------------------------------- in a list

const WAITING = { buyer: "Waiting for the seller", seller: "Waiting for the buyer" } as const;

/** The step in a few words, for lists. Null where the status says it. */
const SHORT: Record<StepCode, string | ((side: DealRole, handover: Handover) => string) | null> = {
  pay: null,
  await_payment: null,
  closed: null,
  await_contact: "The seller will write to you",
  await_bringing: "The seller will write to you",
  agree: "Agree to the plan",
  await_reply: "Waiting for the seller",
  collect: (_, handover) => HANDOVER_WORDS[handover].short.collect,
  reported: "Our team reads your report",
  await_delivery: (_, handover) => HANDOVER_WORDS[handover].short.await,
  contact: "Message the buyer",
  reply: "Answer the buyer",
  await_agreement: "Waiting for the buyer",
  hand_over: (_, handover) => HANDOVER_WORDS[handover].short.handOver,
  send: (_, handover) => HANDOVER_WORDS[handover].short.bring,
  arrange_again: "Agree on another time",
  blocked: "Blocked",
  answer_meeting: "Answer the meeting",
  await_meeting: (side) => WAITING[side],
  meet: null,
  missed_meeting: "Did you meet?",
  answer_cancellation: "Answer the buyer",
  await_cancellation: "Waiting for the seller",
  await_parcel: (_, handover) => HANDOVER_WORDS[handover].short.sent,
  await_arrival: (_, handover) => `Enter the code when ${HANDOVER_WORDS[handover].has("they", "it")}`,
  check: "Check it",
  await_check: "The buyer is checking it",
  answer_problem: "Answer the buyer",
  await_answer: "Waiting for the seller",
  answer_offer: "Answer the offer",
  await_offer: "Waiting for the buyer",
  team_decides: null,
  on_hold: "On hold",
  completed: null,
  cancelled: null,
  refunded: null,
};

/** The step in a few words: "Message the buyer", "Meet tomorrow at 16:00". Null where the status says it. */
export function shortStep(
  code: StepCode,
  side: DealRole,
  { handover, meeting }: { handover: Handover; meeting: Pick<DealMeeting, "startsAt"> | null },
  now: number,
): string | null {
  if (code === "meet") return meeting ? `Meet ${formatMoment(meeting.startsAt, now)}` : null;
  const short = SHORT[code];
  return typeof short === "function" ? short(side, handover) : short;
}

/** What a list reads of an item. Times in ms since 1970. */
export interface ListedDeal extends Pick<DealView, "handover" | "hasOpenReport" | "subtotal"> {
  status: ItemStatus;
  buyerContacted: boolean;
  buyerAgreed: boolean;
  deliveryOption: "pickup" | "delivery" | null;
  meeting: StepMeeting | null;
  dueAt: number | null;
  isOnHold: boolean;
}

export interface ListedStep {
  /** In a few words; null where the status says it. */
  text: string | null;
  /** It has a button for this side. */
  isTurn: boolean;
  /** When the two meet, or this side's time is over, ms since 1970; null where nothing presses. */
  by: number | null;
}

/** The step of an item in a list, which doesn't know who wrote last, or who blocked whom. */
export function listedStep(side: DealRole, deal: ListedDeal, now: number): ListedStep {
  const { buyerContacted, buyerAgreed, meeting, dueAt } = deal;
  const isDelivery = deal.deliveryOption === "delivery";
  const unknown = { lastWriter: null, lastWroteAt: null, agreedAt: null, blockedBy: null, missed: NOTHING_MISSED };
  const turn = { buyerContacted, buyerAgreed, isDelivery, ...unknown };
  const { code, action } = nextStep(side, { ...deal, turn, wrongCodes: 0 }, meeting, now);
  const isTurn = action !== null;
  const isBeforeMeeting = code === "meet" || code === "answer_meeting";
  return {
    text: shortStep(code, side, deal, now),
    isTurn,
    by: isBeforeMeeting && meeting ? meeting.startsAt : isTurn ? dueAt : null,
  };
}

// ------------------------------------------------------------------- parts of sentences

function words(tone: Tone, title: string, ...sentences: string[]): DealWords {
  return { tone, title, sentences };
}

function by({ dueAt }: DealView): string {
  return dueAt === null ? "then" : formatDateTime(dueAt);
}

function moneyGoesBack({ subtotal }: DealView, buyer: string): string {
  return subtotal > 0 ? ` and ${buyer} gets the money back` : "";
}

function sentBack(deal: DealView, buyer: string): string {
  return deal.subtotal > 0 ? ` ${capitalized(buyer)} gets ${formatKes(paidFor(deal))} back.` : "";
}

// ---------------------------------------------------------------- what was written

function quote({ latest }: DealView, author: string): string[] {
  if (!latest?.note) return [];
  const warning = textWarning(latest.note);
  return [`${capitalized(author)} wrote: “${latest.note}”`, ...(warning === null ? [] : [warning])];
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
    ? [`${capitalized(seller)} doesn't want to cancel.`, ...quote(deal, seller)]
    : [];
}

// ------------------------------------------------------------------- how it ended

/** How a deal was completed, and who gets how much. One of the two is "you". */
function completed(deal: DealView, buyer: string, seller: string): string[] {
  const { latest, subtotal } = deal;
  const how = HOW_COMPLETED[latest?.event ?? "paid"]?.(buyer, seller, deal) ?? "It was handed over.";
  if (subtotal === 0) return [how];
  const shares = divideMoney(deal, latest?.amount ?? 0);
  const gets = (name: string, amount: number) =>
    `${capitalized(name)} ${name === "you" ? "get" : "gets"} ${formatKes(amount)}`;
  return shares.buyer > 0
    ? [how, `${gets(buyer, shares.buyer)} back. ${gets(seller, shares.seller)}.`]
    : [how, `${gets(seller, shares.seller)}.`];
}

const HOW_COMPLETED: Partial<Record<DealEvent, (buyer: string, seller: string, deal: DealView) => string>> = {
  code_entered: (buyer, seller, { latest }) =>
    `${latest?.reason === BY_HELPER ? `Somebody whom ${seller} asked handed it over and` : capitalized(seller)} entered ${buyer === "you" ? "your" : `${buyer}'s`} handover code.`,
  accepted: (buyer) => `${capitalized(buyer)} said that everything is OK.`,
  inspection_ended: () => "The time to report a problem is over.",
  delivered_without_inspection: (_, seller, { handover }) =>
    `${capitalized(seller)} marked it as ${HANDOVER_MARKS[handover].done}.`,
  problem_withdrawn: (buyer) => `${capitalized(buyer)} said that the problem is solved.`,
  part_accepted: (buyer, seller) =>
    `${capitalized(buyer)} accepted ${seller === "you" ? "your" : `${seller}'s`} offer.`,
  team_split: () => "Our team decided that each side gets a part.",
  team_released: (_, seller, { subtotal }) =>
    subtotal === 0
      ? inFavorOf(seller)
      : `Our team decided that ${seller} ${seller === "you" ? "get" : "gets"} the money.`,
};

/** After the seller has refunded all, what the two do about the item. Our team says so in its reasons. */
function itemBack(side: DealRole, { latest, handover }: Pick<DealView, "latest" | "handover">): string[] {
  return latest?.event === "refunded_by_seller" ? (HANDOVER_WORDS[handover].back?.[side] ?? []) : [];
}

/** Who or what cancelled it. One of the two is "you". */
function cancelled({ latest, handover }: DealView, buyer: string, seller: string): string {
  switch (latest?.event) {
    case "cancelled_by_buyer":
      return `${capitalized(buyer)} cancelled it.`;
    case "cancel_accepted":
      return `${capitalized(seller)} agreed to cancel it.`;
    case "cancel_unanswered":
      return `${capitalized(seller)} didn't answer the request to cancel within ${periodText(DEAL_HOURS.answerCancel)}, so it was cancelled.`;
    case "cancelled_by_seller": {
      const reason = CANCEL_REASONS[latest.reason as SellerCancelReason] as string | undefined;
      return `${capitalized(seller)} cancelled it${reason && latest.reason !== "other" ? `: ${reason.toLowerCase()}` : ""}.`;
    }
    case "not_shipped":
      return `${HANDOVER_WORDS[handover].missed("It", "wasn't")} within ${withinText(handover)}, so it was cancelled.`;
    case "party_gone":
      return "An account or a listing behind this order was closed, so it was cancelled.";
    default:
      return "It was cancelled.";
  }
}

function refunded({ latest, subtotal }: DealView, buyer: string, seller: string): string {
  const isSellers = latest?.event === "refunded_by_seller";
  if (subtotal === 0) return isSellers ? `${capitalized(seller)} agreed with ${buyer}.` : inFavorOf(buyer);
  return isSellers
    ? `${capitalized(seller)} gave all the money back.`
    : `Our team decided that ${buyer} ${buyer === "you" ? "get" : "gets"} all the money back.`;
}

/** How our team decided about a free item. */
function inFavorOf(name: string): string {
  return `Our team decided in ${name === "you" ? "your" : `${name}'s`} favour.`;
}

/** Where a buyer's refund is now. */
function refundSentences({ refund, subtotal }: Pick<DealView, "refund" | "subtotal">): string[] {
  if (subtotal === 0) return ["You paid nothing, so nothing is sent back."];
  if (!refund) return [];
  return [REFUND_WORDS[refund.place].buyer(refund)];
}
