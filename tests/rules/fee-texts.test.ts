/** Where somebody pays a service fee, no text about a deal names a sum that nobody pays or gets. */
import { describe, expect, test } from "vitest";
import { NOTHING_MISSED } from "#app/accounts/trust/missed-meeting-rules.ts";
import { decisionEffects } from "#app/admin/problems/decision-texts.ts";

import { DEAL_EVENTS, type DealEvent, DECISION_CODES } from "#app/db/states/deal.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { DEAL_READERS, type DealRole } from "#app/deals/deal-rules.ts";
import { problemStep } from "#app/deals/problems/problem-summary.server.ts";
import { offerShares } from "#app/deals/problems/problem-texts.ts";
import { summarizeDeal } from "#app/deals/words/deal-summary.server.ts";
import type { DealView } from "#app/deals/words/deal-view.ts";
import { historyWords } from "#app/deals/words/history-words.ts";
import { divideMoney, earnedFor, type ItemPrice, paidFor } from "#app/orders/item-price-rules.ts";
import { OFFER_READERS } from "#app/offers/offer-rules.ts";
import type { OfferMailStep } from "#app/notifications/kinds.ts";
import { moneyNow } from "#app/screens/item-money/item-money-words.ts";
import { dealMail } from "#app/screens/notifications/words/deal-words.ts";
import { wordsOf } from "#app/screens/notifications/words/words.ts";

/** 3 May 2026, 12:00 in Nairobi. */
const NOW = Date.UTC(2026, 4, 3, 9, 0);
/** KES of the price that go back. */
const PART = 400;
const WITH_PART: readonly DealEvent[] = ["part_offered", "part_accepted", "team_split"];
const SIDES: readonly DealRole[] = ["buyer", "seller"];
const NAMES = { buyer: { buyer: "you", seller: "Achieng" }, seller: { buyer: "Brian", seller: "you" } };

const NOTHING_YET = {
  placed: { at: NOW, amount: 0, of: "order" as const },
  attempts: [],
  items: [],
  dealEvents: [],
  payouts: [],
  refunds: [],
  callbacks: [],
  checks: [],
  discrepancies: [],
  adminActs: [],
};

function viewOf(price: ItemPrice, change: Pick<DealView, "status" | "latest">): DealView {
  return {
    ...price,
    ...change,
    id: "item",
    name: "Lamp",
    handover: "thing",
    buyerContacted: true,
    buyerAgreed: true,
    shippedAt: NOW,
    wrongCodes: 0,
    dueAt: NOW,
    hasOpenReport: false,
    hasOpenIssue: false,
    isSellerGone: false,
    handoverLink: null,
    isOnHold: false,
    turn: {
      buyerContacted: true,
      buyerAgreed: true,
      isDelivery: false,
      lastWriter: null,
      lastWroteAt: null,
      agreedAt: NOW,
      blockedBy: null,
      missed: NOTHING_MISSED,
    },
    offeredRefund: PART,
    refund: null,
  };
}

/** What one side reads of a deal after an event, and what our team reads of a decision. */
function textsOf(price: ItemPrice, side: DealRole, status: DealView["status"], event: DealEvent): string[] {
  const amount = WITH_PART.includes(event) ? PART : null;
  const refunded = amount ?? (ITEM.isReturned(status) ? price.subtotal : 0);
  const deal = viewOf(price, { status, latest: { event, reason: null, note: null, amount } });
  const about = { handover: "thing" as const, price };
  const data = {
    role: side,
    step: event,
    price: price.subtotal,
    buyerFee: price.buyerFee,
    sellerFee: price.sellerFee,
    amount,
    productName: "Lamp",
    orderId: "order",
    orderItemId: "item",
    note: null,
    until: NOW,
  };
  return [
    ...summarizeDeal(side, deal, NAMES[side], null, NOW).words.sentences,
    problemStep({ ...about, status, role: side, offeredRefund: PART, refunded, until: NOW }).title,
    problemStep({ ...about, status, role: side, offeredRefund: PART, refunded, until: NOW }).sentence,
    historyWords({ ...about, event, reason: null, amount }, side),
    moneyNow({ side, deal, facts: NOTHING_YET, payout: null }).title,
    ...(DEAL_READERS[event]?.includes(side) ? dealMail(data).paragraphs : []),
  ];
}

/** The emails in which somebody can still agree to a price, and those of its payment. */
function mailsBefore(price: ItemPrice): string[] {
  const offer = { ...price, amount: price.subtotal, productName: "Lamp", until: NOW, otherId: "u1", offerId: "f1" };
  const steps = Object.entries(OFFER_READERS) as [OfferMailStep, readonly DealRole[]][];
  const sold = { ...price, orderItemId: "item", productName: "Lamp", quantity: 1, taken: true, hasMeeting: false };
  return [
    ...steps.flatMap(([step, roles]) => roles.map((role) => wordsOf("offer_step", { ...offer, step, role }))),
    wordsOf("payment_received", { orderId: "order", amount: paidFor(price), fee: price.buyerFee, receipt: null }),
    wordsOf("new_sale", sold),
  ].flatMap(({ subject, paragraphs }) => [subject, ...paragraphs]);
}

const sumsIn = (text: string) =>
  [...text.matchAll(/KES ([\d,]+)/g)].map(([, sum = ""]) => Number(sum.replaceAll(",", "")));

describe("each text names sums that move", () => {
  test.each([
    { subtotal: 1_000, buyerFee: 50, sellerFee: 0 },
    { subtotal: 1_000, buyerFee: 0, sellerFee: 50 },
  ])("%j", (price) => {
    const split = divideMoney(price, PART);
    const moved = new Set([paidFor(price), earnedFor(price), split.buyer, split.seller, split.fee, 50]);
    const people = {
      buyer: { name: "Brian", phone: null },
      seller: { name: "Achieng", phone: null },
    };
    const texts = [
      ...mailsBefore(price),
      offerShares(PART, price),
      ...DECISION_CODES.flatMap((decision) => decisionEffects(decision, { ...people, price, part: PART })),
      ...SIDES.flatMap((side) =>
        ITEM_STATUSES.flatMap((status) => DEAL_EVENTS.flatMap((event) => textsOf(price, side, status, event))),
      ),
    ];
    expect(texts.flatMap(sumsIn).length).toBeGreaterThan(500);
    const wrong = texts.filter((text) => sumsIn(text).some((sum) => !moved.has(sum)));
    expect([...new Set(wrong)]).toEqual([]);
  });

  test.each([
    ["buyer", { subtotal: 1_000, buyerFee: 50, sellerFee: 0 }],
    ["seller", { subtotal: 1_000, buyerFee: 0, sellerFee: 50 }],
  ])("the %s reads of a fee in three emails about a price that they agree to, or that is paid", (_side, price) => {
    expect(mailsBefore(price).filter((text) => text.includes("a service fee of KES 50"))).toHaveLength(3);
    expect(mailsBefore({ ...price, buyerFee: 0, sellerFee: 0 }).join("\n")).not.toContain("service fee");
  });
});
