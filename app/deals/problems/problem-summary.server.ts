/** What the page of a reported problem says. Pure. */
import { divideMoney, earnedFor, type ItemPrice, paidFor } from "#app/orders/item-price-rules.ts";
import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { periodText } from "#app/deals/words/deal-promises.ts";
import { type DealFacts, type DealRole, problemFrom, refuseDealEvent } from "#app/deals/deal-rules.ts";
import { DEAL_HOURS } from "#app/orders/deal-timer-rules.ts";
import { EVENT_ACTORS } from "#app/db/states/deal.ts";
import { refundDelayedText } from "#app/payments/payment-texts.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { formatKes } from "#app/ui/money.ts";
import type { Tone } from "#app/ui/tone.ts";
import { moneyStays, ON_HOLD_TITLE, onHoldText } from "#app/deals/words/next-step-texts.ts";
import type { ProblemPage } from "./problem-page.server.ts";

/** What a side reads on the page. The server writes it, so that browsers don't load every text. */
export interface ProblemSummary {
  /** The buyer can report a problem here, or reads in `refusal` why not. */
  isNew: boolean;
  refusal: string | null;
  next: NextStep;
  /** How long a seller has to answer. */
  answerTime: string;
}

export function summarizeProblem(page: ProblemPage, now: number): ProblemSummary {
  const { item, role, problem, history, until } = page;
  const decision = history.findLast(({ event }) => EVENT_ACTORS[event] === "admin");
  return {
    isNew: role === "buyer" && problem === null && !ITEM.isInReview(item.status) && !decision,
    refusal: refuseProblemText(item, now),
    next: problemStep({
      status: item.status,
      handover: item.handover,
      price: item,
      role,
      offeredRefund: problem?.offeredRefund ?? null,
      refunded: problem?.refunded ?? decision?.amount ?? null,
      isDelayed: page.item.isRefundDelayed,
      isOnHold: page.item.isOnHold,
      isSellersRefund: history.at(-1)?.event === "refunded_by_seller",
      until,
    }),
    answerTime: periodText(DEAL_HOURS.answerProblem),
  };
}

/** Why the buyer can't report a problem now; null when they can. */
export function refuseProblemText(item: DealFacts, now: number): string | null {
  const refusal = refuseDealEvent("problem_reported", item, now);
  if (refusal === null) return null;
  if (refusal === "too_early")
    return `The seller marked it as ${HANDOVER_MARKS[item.handover].sent}. If ${HANDOVER_WORDS[item.handover].lacks} by ${formatDateTime(problemFrom(item))}, you can report it here.`;
  if (ITEM.isUnpaid(item.status)) return "This order isn't paid, so there is nothing to report.";
  if (ITEM.isCancellable(item.status))
    return `The seller hasn't marked it as ${HANDOVER_MARKS[item.handover].sent} yet. If you don't want it any more, you can cancel on the order page.`;
  if (ITEM.isReturned(item.status)) return "You are getting your money back, so there is nothing to report.";
  return "This order is completed and the seller is being paid. If something is wrong, use Report Issue on the order page. Our team reads it at once, and stops the money if it hasn't left yet.";
}

export interface NextStep {
  tone: Tone;
  icon: IconName;
  title: string;
  sentence: string;
}

interface Situation {
  status: ItemStatus;
  handover: Handover;
  price: ItemPrice;
  role: DealRole;
  /** KES; null until the seller offers a part. */
  offeredRefund: number | null;
  /** KES; null until it is settled. */
  refunded: number | null;
  /** Its end waits for a second admin, and its clock stands still. */
  isOnHold?: boolean;
  /** What goes back to the buyer can't be sent now. */
  isDelayed?: boolean;
  /** The seller has refunded all of it. */
  isSellersRefund?: boolean;
  /** Ms since 1970. */
  until: number | null;
}

/** What happens next, or how it ended. */
export function problemStep(situation: Situation): NextStep {
  const { status, role, price } = situation;
  const { subtotal } = price;
  const offered = divideMoney(price, situation.offeredRefund ?? 0).buyer;
  const by = situation.until === null ? "soon" : `by ${formatDateTime(situation.until)}`;
  const isBuyer = role === "buyer";
  const held = moneyStays(role, subtotal);
  if (situation.isOnHold && (status === "problem_reported" || status === "offered"))
    return { tone: "orange", icon: "shield-check", title: ON_HOLD_TITLE, sentence: onHoldText(role, subtotal) };
  if (status === "problem_reported")
    return isBuyer
      ? {
          tone: "orange",
          icon: "clock",
          title: "Waiting for the seller",
          sentence: `The seller has to answer ${by}. If they don't, our team decides.${held}`,
        }
      : {
          tone: "red",
          icon: "circle-alert",
          title: "The buyer needs your answer",
          sentence: `${subtotal === 0 ? "Agree with the buyer" : "Refund the buyer, offer a part of the money back"}, or say why you don't agree, ${by}. If you don't answer, our team decides.${held}`,
        };
  if (status === "offered")
    return isBuyer
      ? {
          tone: "gold",
          icon: "wallet",
          title: `The seller offers you ${formatKes(offered)} back`,
          sentence: `You paid ${formatKes(paidFor(price))}. Accept the offer or ask our team to decide. If you do neither ${by}, our team decides.${held}`,
        }
      : {
          tone: "orange",
          icon: "clock",
          title: "Waiting for the buyer",
          sentence: `You offered ${formatKes(offered)} of ${formatKes(paidFor(price))} back. If the buyer doesn't answer ${by}, our team decides.${held}`,
        };
  if (ITEM.isInReview(status))
    return {
      tone: "orange",
      icon: "shield-check",
      title: "Our team is deciding",
      sentence: `We read what you both wrote and look at the photos. Then we email both of you our decision with the reasons.${held}`,
    };
  return ending(situation);
}

function ending({ status, price, handover, role, refunded, isDelayed, isSellersRefund }: Situation): NextStep {
  const done = { tone: "green", icon: "circle-check" } as const;
  const { subtotal } = price;
  const isBuyer = role === "buyer";
  const back = isSellersRefund ? (HANDOVER_WORDS[handover].back?.[role] ?? []).map((text) => ` ${text}`).join("") : "";
  if (subtotal === 0 && ITEM.isOver(status))
    return { ...done, title: "Settled", sentence: `This item was free, so no money moves.${back}` };
  if (ITEM.isReturned(status)) {
    const money = isBuyer
      ? isDelayed
        ? refundDelayedText(paidFor(price))
        : `We are sending ${formatKes(paidFor(price))} to the M-Pesa number that paid, and we'll email you the receipt.`
      : "This sale is closed. Nothing is paid out for it.";
    return {
      ...done,
      title: isBuyer ? "You get your money back" : "The buyer gets the money back",
      sentence: `${money}${back}`,
    };
  }
  const shares = divideMoney(price, refunded ?? 0);
  if (refunded !== null && refunded > 0)
    return {
      ...done,
      title: "Settled: both sides get a part",
      sentence: isBuyer
        ? `${isDelayed ? refundDelayedText(shares.buyer) : `${formatKes(shares.buyer)} goes back to you, to the M-Pesa number that paid.`} The seller gets ${formatKes(shares.seller)}.`
        : `${formatKes(shares.seller)} goes to your M-Pesa number. The buyer gets ${formatKes(shares.buyer)} back.`,
    };
  if (ITEM.isCompleted(status))
    return {
      ...done,
      title: "Settled: the seller gets the money",
      sentence: isBuyer
        ? "This order is completed. Nothing more is open."
        : `${formatKes(earnedFor(price))} goes to your M-Pesa number.`,
    };
  return {
    tone: "gray",
    icon: "info",
    title: "No problem reported",
    sentence: isBuyer ? "You haven't reported a problem." : "The buyer hasn't reported a problem with this item.",
  };
}
