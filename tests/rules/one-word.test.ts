/** One state of a deal's money has one meaning on all pages that tell of it: whatever one of them claims is so. */
import { withoutFees } from "#tests/support/item-price.ts";
import { describe, expect, test } from "vitest";
import { NOTHING_MISSED } from "#app/accounts/trust/missed-meeting-rules.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { ITEM, ITEM_STATUSES, type ItemStatus } from "#app/db/states/item.ts";
import { REFUND_PLACES, type RefundPlace } from "#app/db/states/refund.ts";
import { TRANSFER_STATES, type TransferState, type WaitReason } from "#app/db/states/transfer.ts";
import { type MoneyFacts, timelineOf, waitingNow } from "#app/admin/money/explain-words.ts";
import { summarizeDeal } from "#app/deals/words/deal-summary.server.ts";
import type { DealView } from "#app/deals/words/deal-view.ts";
import { pickupProgress } from "#app/deals/words/next-step-rules.ts";
import { listedStep } from "#app/deals/words/next-step-texts.ts";
import { itemStatusLabel, PICKUP_STEPS, pickupStep } from "#app/orders/order-rules.ts";
import { moneyAsCsv, moneyLine } from "#app/payments/books/seller-money-lines.ts";
import { lineWords } from "#app/payments/books/seller-statement-lines.ts";
import { closedOrder } from "#app/payments/collect/order-payment-texts.ts";
import { paymentNote } from "#app/orders/order-payment-rules.ts";
import { summarizePayout } from "#app/payments/transfers/payout-summary.ts";
import type { PayoutView } from "#app/payments/transfers/start-payout.server.ts";
import { wordsOf } from "#app/screens/notifications/words/words.ts";

const NOW = Date.UTC(2026, 4, 3, 9, 0);
const PRICE = 1_900;

interface Case {
  status: ItemStatus;
  payout: TransferState | null;
  waitReason: WaitReason | null;
  /** Where what goes back is; null for nothing. */
  place: RefundPlace | null;
}

/** Every state of an item that was paid, with every place where its money may be then. */
const CASES: Case[] = ITEM_STATUSES.filter((status) => !ITEM.isUnpaid(status)).flatMap((status): Case[] => {
  if (ITEM.isHeld(status)) return [{ status, payout: null, waitReason: null, place: null }];
  if (ITEM.isReturned(status)) return REFUND_PLACES.map((place) => ({ status, payout: null, waitReason: null, place }));
  return TRANSFER_STATES.flatMap((payout) =>
    // A part goes to a number, so nobody can have reversed it.
    [null, ...REFUND_PLACES.filter((place) => place !== "in_question")].flatMap((place) =>
      (payout === "due"
        ? [null, "channel_paused" as const]
        : payout === "parked"
          ? ["not_registered" as const]
          : [null]
      ).map((waitReason) => ({ status, payout, waitReason, place })),
    ),
  );
});

const ENDED_BY: Partial<Record<ItemStatus, DealEvent>> = {
  cancelled: "not_shipped",
  refunded: "team_refunded",
};

/** The state of the refund's row where it is there. */
const ROW_STATE: Record<RefundPlace, TransferState> = {
  due: "due",
  sending: "sending",
  sent: "sent",
  unknown: "unknown",
  delayed: "parked",
  in_question: "done",
  done: "done",
};

/** What each page says, one text a page. */
function pagesOf({ status, payout, waitReason, place }: Case): Record<string, string> {
  const isKept = ITEM.isCompleted(status);
  const back = place === null ? 0 : isKept ? 400 : PRICE;
  const receipt = place === "done" ? "TREFUND001" : null;
  const event = isKept ? (back > 0 ? "team_split" : "code_entered") : ENDED_BY[status];
  const turn = {
    buyerContacted: true,
    buyerAgreed: true,
    isDelivery: false,
    lastWriter: null,
    lastWroteAt: null,
    agreedAt: NOW,
    blockedBy: null,
    missed: NOTHING_MISSED,
  };
  const deal: DealView = {
    id: "item",
    name: "Lamp",
    handover: "thing",
    status,
    buyerContacted: true,
    buyerAgreed: true,
    shippedAt: NOW,
    wrongCodes: 0,
    ...withoutFees(PRICE),
    hasOpenReport: false,
    hasOpenIssue: false,
    isSellerGone: false,
    handoverLink: null,
    isOnHold: false,
    turn,
    dueAt: NOW,
    offeredRefund: status === "offered" ? 400 : null,
    latest: event ? { event, reason: null, note: null, amount: back > 0 ? back : null } : null,
    refund: place === null ? null : { amount: back, place, receipt, doneAt: ROW_STATE[place] === "done" ? NOW : null },
  };
  const said = (side: "buyer" | "seller") => {
    const names = side === "buyer" ? { buyer: "you", seller: "Achieng" } : { buyer: "Brian", seller: "you" };
    const { words } = summarizeDeal(side, side === "buyer" ? deal : { ...deal, refund: null }, names, null, NOW);
    const listed = listedStep(side, { ...deal, deliveryOption: "pickup", meeting: null }, NOW).text ?? "";
    return [...words.sentences, listed];
  };
  const isPaidOut = payout === "done";
  const steps = pickupStep([pickupProgress({ ...deal, problemKind: null, deliveredAt: null, isPaidOut }, null)]);
  // The first is the buyer's payment.
  const ticked = PICKUP_STEPS.paid.slice(1, steps);
  const share = PRICE - back;
  const paid: Pick<PayoutView, "waitReason" | "waitDetail" | "receipt" | "doneAt" | "numberHeldUntil"> = {
    waitReason,
    waitDetail: null,
    receipt: isPaidOut ? "UE31AB2CD4" : null,
    doneAt: isPaidOut ? NOW : null,
    numberHeldUntil: null,
  };
  const line = moneyLine(
    {
      ...paid,
      id: "item",
      orderId: "order",
      name: "Lamp",
      status,
      earned: PRICE,
      until: null,
      soldAt: NOW,
      share: isKept ? share : null,
      payoutState: payout,
      refunded: back,
      refundPlace: place,
    },
    null,
  );
  const transfer = {
    id: "t",
    token: "t",
    phone: null,
    resultCode: null,
    resultDesc: null,
    waitDetail: null,
    sendCount: 1,
    lookupCount: 0,
    nextActionAt: null,
    doneBy: null,
    createdAt: NOW,
    sentAt: NOW,
  };
  const facts: MoneyFacts = {
    placed: { at: NOW, amount: PRICE, of: "order" },
    attempts: [],
    items: [{ id: "item", name: "Lamp", seller: "Achieng", ...withoutFees(PRICE), handover: "thing", status }],
    dealEvents: [],
    payouts:
      payout === null
        ? []
        : [
            {
              ...transfer,
              ...paid,
              state: payout,
              amount: share,
              whole: share,
              seller: "Achieng",
              waitReason,
              feeTaken: 0,
            },
          ],
    refunds:
      place === null
        ? []
        : [
            {
              ...transfer,
              orderItemId: "item",
              amount: back,
              state: ROW_STATE[place],
              waitReason: place === "delayed" ? "channel_paused" : null,
              receipt,
              doneAt: ROW_STATE[place] === "done" ? NOW : null,
              reason: "decided_by_team",
              method: isKept ? "b2c" : "reversal",
            },
          ],
    callbacks: [],
    checks: [],
    discrepancies: [],
    adminActs: [],
  };
  // The same where the whole order goes back.
  const order = {
    id: "order",
    orderStatus: "expired" as const,
    paymentStatus: "failed" as const,
    paymentReview: null,
    paymentFailure: null,
    closedReason: "account_closed" as const,
    replacedBy: null,
    refund: {
      open: place !== null && ROW_STATE[place] !== "done" ? back : 0,
      delayedAmount: place === "delayed" ? back : 0,
      inQuestion: place === "in_question" ? back : 0,
      sentBack: place === "done" ? back : 0,
      receipt,
      sentAt: null,
    },
  };
  const closed = place === null || isKept ? null : closedOrder(order, []);
  const mail =
    place === "done" || place === "in_question"
      ? wordsOf("refund_sent", { orderId: "order", amount: back, receipt, isInQuestion: place === "in_question" })
      : null;
  return {
    order: [...said("buyer"), ...ticked].join("\n"),
    sale: [
      ...said("seller"),
      ...(payout === null
        ? []
        : (({ badge, sentence, reason }) => [badge.label, sentence, reason ?? ""])(
            summarizePayout({
              ...transfer,
              ...paid,
              state: payout,
              share,
              amount: share,
              items: 1,
            } as unknown as PayoutView),
          )),
    ].join("\n"),
    badge: ITEM.isReturned(status) ? "" : itemStatusLabel(status),
    "my money": [line.label, line.reason].join("\n"),
    file: moneyAsCsv([line]).split("\n").slice(1).join("\n"),
    statement: place === null ? "" : lineWords({ kind: "refund", name: "Lamp", amount: back, place }),
    "closed order": closed ? [closed.title, closed.sentence, paymentNote({ ...order, amount: PRICE })].join("\n") : "",
    email: mail ? [mail.subject, mail.heading, ...mail.paragraphs].join("\n") : "",
    explained: [...timelineOf(facts).map(({ words }) => words), ...waitingNow(facts).map(({ words }) => words)].join(
      "\n",
    ),
  };
}

/** What a page may claim, how it says it, and when it is so. */
const CLAIMS: Record<string, { of: "payout" | "refund"; words: RegExp; isSo: (given: Case) => boolean }> = {
  "the seller has the money": {
    of: "payout",
    words: /^Paid$|\bPaid on\b|,Paid,|Paid out|in your M-Pesa\b|was paid KES/m,
    isSo: ({ payout }) => payout === "done",
  },
  "the seller gets it at once": {
    of: "payout",
    words: /within a minute(?! or two)|accepted your payout|on its way to M-Pesa/,
    isSo: ({ payout, waitReason }) => waitReason === null && ["due", "sending", "sent"].includes(payout ?? ""),
  },
  "the seller couldn't be paid": {
    of: "payout",
    words: /couldn't pay you|Not paid yet/,
    isSo: ({ payout }) => payout === "parked",
  },
  "the buyer has it back": {
    of: "refund",
    words:
      /We sent KES|^Refunded\b|,Refunded,|Refunded to|got KES [\d,]+ back|was sent back|have sent your money|We've sent your refund/m,
    isSo: ({ place }) => place === "done",
  },
  "it is on its way to the buyer": {
    of: "refund",
    words: /way back to|about to send|is coming back|are sending your money/,
    isSo: ({ place }) => place !== null && ["due", "sending", "sent", "unknown"].includes(place),
  },
  "it couldn't be sent back": {
    of: "refund",
    words: /couldn't send|Not sent back yet|isn't back yet/,
    isSo: ({ place }) => place === "delayed",
  },
  "our team asks whether the buyer has it": {
    of: "refund",
    words: /team is checking|refund is being checked|checking your refund|had been reversed before/,
    isSo: ({ place }) => place === "in_question",
  },
};

/** Pages that say where the money is, and of what. The others may leave it out. */
const TELL: Record<string, readonly string[]> = {
  payout: ["sale", "my money", "file"],
  refund: ["order", "my money", "file"],
};

describe.each(CASES.map((given) => [JSON.stringify(given), given] as const))("%s", (_name, given) => {
  const pages = pagesOf(given);

  test.each(Object.entries(CLAIMS))("no page says wrongly that %s", (_claim, { words, isSo }) => {
    const claiming = Object.entries(pages).filter(([, text]) => words.test(text));
    if (!isSo(given)) expect(claiming).toEqual([]);
  });

  // What M-Pesa hasn't answered is on its way on no page: it is being checked.
  test.skipIf(given.place === "unknown")("the pages that tell where the money is say it", () => {
    const silent = Object.entries(TELL).flatMap(([of, names]) => {
      const about = Object.values(CLAIMS).filter((claim) => claim.of === of && claim.isSo(given));
      return about.length === 0
        ? []
        : names.filter((name) => !about.some(({ words }) => words.test(pages[name] ?? "")));
    });
    expect(silent).toEqual([]);
  });
});
