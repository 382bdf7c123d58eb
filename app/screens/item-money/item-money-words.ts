/** "Where is my money?": what each side of a deal may know of its item's money, and where it is now. Pure. */
import { divideMoney, earnedFor, type ItemPrice, paidFor } from "#app/orders/item-price-rules.ts";
import { type MoneyFacts, type TimelineEntry, timelineOf } from "#app/admin/money/explain-words.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { TransferState } from "#app/db/states/transfer.ts";
import type { DealRole } from "#app/deals/deal-rules.ts";
import type { DealView } from "#app/deals/words/deal-view.ts";
import type { PayoutSummary } from "#app/payments/transfers/payout-summary.ts";
import { refundDelayedText } from "#app/payments/payment-texts.ts";
import { REFUND_WORDS } from "#app/payments/transfers/refund-words.ts";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { formatKes } from "#app/ui/money.ts";
import type { Tone } from "#app/ui/tone.ts";

/** Of a transfer: nothing that only our team reads, such as what M-Pesa answered, who sent it, and to which number. */
const INTERNAL = {
  token: "",
  phone: null,
  resultCode: null,
  resultDesc: null,
  waitReason: null,
  waitDetail: null,
  sendCount: 1,
  lookupCount: 0,
  nextActionAt: null,
  doneBy: null,
};

/**
 * What `side` may know of the money of its item. Of the other side: no number, no receipt, nothing of their other
 * items. Of our team: no name, no note, nothing that M-Pesa told us alone.
 */
export function factsFor(side: DealRole, itemId: string, facts: MoneyFacts): MoneyFacts {
  const items = facts.items.filter(({ id }) => id === itemId).map((item) => ({ ...item, seller: null }));
  const own = {
    items,
    dealEvents: facts.dealEvents.filter((step) => step.itemId === itemId),
    callbacks: [],
    checks: [],
    discrepancies: [],
    adminActs: [],
  };
  const payouts = facts.payouts.map((payout) => ({ ...payout, ...INTERNAL, seller: null }));
  if (side === "seller")
    return {
      ...own,
      // What else the buyer ordered isn't theirs to know, nor how it was paid.
      placed: { ...facts.placed, amount: items[0]?.subtotal ?? 0 },
      attempts: [],
      payouts,
      refunds: [],
    };
  return {
    ...own,
    placed: facts.placed,
    attempts: facts.attempts.map((attempt) => ({
      ...attempt,
      token: "",
      resultCode: null,
      resultDesc: null,
      confirmedAt: null,
    })),
    payouts: payouts.map((payout) => ({ ...payout, receipt: null, whole: payout.amount })),
    refunds: facts.refunds
      .filter(({ orderItemId }) => orderItemId === null || orderItemId === itemId)
      .map((refund) => ({ ...refund, ...INTERNAL })),
  };
}

/** The history of the money of `side`'s item. */
export function itemTimeline(side: DealRole, itemId: string, facts: MoneyFacts): TimelineEntry[] {
  return timelineOf(factsFor(side, itemId, facts), side);
}

/** Where the money is. */
export interface MoneyNow {
  tone: Tone;
  /** Where it isn't the tone's own. */
  icon?: IconName;
  title: string;
  sentences: string[];
}

interface NowFacts {
  side: DealRole;
  deal: Pick<DealView, "status" | "latest" | "refund"> & ItemPrice;
  facts: MoneyFacts;
  /** As its seller reads it; null before there is one. */
  payout: PayoutSummary | null;
}

/** Where the money of an item is now. What happens next is said by the deal's next step. */
export function moneyNow({ side, deal, facts, payout }: NowFacts): MoneyNow {
  const { status, subtotal } = deal;
  if (subtotal === 0) return { tone: "gray", title: "It's free, so no money moves", sentences: [] };
  if (ITEM.isUnpaid(status)) return side === "buyer" ? unpaidNow(facts) : NOT_PAID;
  if (ITEM.isHeld(status))
    return {
      tone: "blue",
      icon: "shield-check",
      title:
        side === "buyer" ? `We hold your ${formatKes(paidFor(deal))}` : `We hold ${formatKes(earnedFor(deal))} for you`,
      sentences: [side === "buyer" ? "The seller doesn't have it yet." : "The buyer has paid it to us."],
    };
  const back = deal.refund && [REFUND_WORDS[deal.refund.place][side](deal.refund)];
  if (ITEM.isReturned(status))
    return {
      tone: deal.refund?.place === "done" ? "green" : "orange",
      title: side === "buyer" ? `${formatKes(paidFor(deal))} goes back to you` : "It goes back to the buyer",
      sentences: back ?? [],
    };
  const share = divideMoney(deal, deal.latest?.amount ?? 0).seller;
  if (side === "seller") return earnedNow(share, payout, back ?? []);
  const isPaid = payout?.state === "done";
  return {
    tone: "green",
    title: isPaid ? `The seller has ${formatKes(share)}` : `${formatKes(share)} goes to the seller`,
    sentences: back ?? [],
  };
}

const NOT_PAID: MoneyNow = {
  tone: "orange",
  title: "The buyer hasn't paid yet",
  sentences: ["Don't hand anything over before this page says that they have."],
};

/** Titles of a payout that isn't stopped. */
const PAYOUT_TITLES: Record<Exclude<TransferState, "parked">, (amount: string) => string> = {
  due: (amount) => `${amount} is about to leave for your M-Pesa`,
  sending: (amount) => `${amount} is on its way to your M-Pesa`,
  sent: (amount) => `${amount} is on its way to your M-Pesa`,
  unknown: (amount) => `We ask M-Pesa whether your ${amount} arrived`,
  done: (amount) => `${amount} is in your M-Pesa`,
};

function earnedNow(share: number, payout: PayoutSummary | null, back: string[]): MoneyNow {
  const amount = formatKes(share);
  if (payout === null) return { tone: "blue", title: `${amount} is yours`, sentences: back };
  const { state, badge, sentence, reason } = payout;
  return {
    tone: badge.tone,
    title: state === "parked" ? `We couldn't send your ${amount} yet` : PAYOUT_TITLES[state](amount),
    sentences: [...(state === "done" ? [] : [sentence]), ...(reason === null ? [] : [reason]), ...back],
  };
}

/** Of an unpaid item: the last payment that was asked for says whether any money may be with us. */
function unpaidNow({ attempts, refunds }: MoneyFacts): MoneyNow {
  const back = refunds.filter(({ orderItemId }) => orderItemId === null);
  const waiting = back.filter(({ state }) => state !== "done");
  if (waiting.length > 0)
    return {
      tone: "orange",
      title: `${formatKes(sumOf(waiting))} goes back to you`,
      sentences: waiting.some(({ state }) => state === "parked")
        ? [refundDelayedText(sumOf(waiting))]
        : ["This order isn't paid by it. We send it to the M-Pesa number that paid, and email you the receipt."],
    };
  if (attempts.some(({ state }) => ATTEMPT.isHeld(state)))
    return {
      tone: "orange",
      title: "We are checking your payment",
      sentences: [
        "What M-Pesa told us doesn't match your order. Our team compares it with M-Pesa, and then confirms your order or gives the money back. Please don't pay again.",
      ],
    };
  if (attempts.some(({ state }) => ATTEMPT.isLive(state)))
    return {
      tone: "orange",
      title: "M-Pesa hasn't told us yet whether you paid",
      sentences: [
        "We ask M-Pesa until it does. If the money left your phone, you can't lose it. Please don't pay again.",
      ],
    };
  if (back.length > 0)
    return { tone: "green", title: `You have ${formatKes(sumOf(back))} back`, sentences: ["This order isn't paid."] };
  return {
    tone: "gray",
    title: "You haven't paid yet",
    sentences: ["As far as we know, no money has left your M-Pesa for this order."],
  };
}

function sumOf(transfers: readonly { amount: number }[]): number {
  return transfers.reduce((total, { amount }) => total + amount, 0);
}
