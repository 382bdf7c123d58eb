/** What both sides of a deal read: a sentence for every status and side, with the periods of the rules. */
import { withoutFees } from "#tests/support/item-price.ts";
import { describe, expect, test } from "vitest";
import { NOTHING_MISSED } from "#app/accounts/trust/missed-meeting-rules.ts";
import { type DealEvent, SELLER_CANCEL_REASONS } from "#app/db/states/deal.ts";
import { ITEM, ITEM_STATUSES, type ItemStatus } from "#app/db/states/item.ts";
import { REFUND_PLACES } from "#app/db/states/refund.ts";
import {
  dealActions,
  summarizeDeal,
  isCodeClosed,
  wrongCodesText,
  wrongCodeText,
} from "#app/deals/words/deal-summary.server.ts";
import type { DealView } from "#app/deals/words/deal-view.ts";
import { CANCEL_REASONS } from "#app/deals/words/deal-texts.ts";
import { readHandoverCode, writeHandoverQr } from "#app/deals/code/handover-code-rules.ts";
import { periodText } from "#app/deals/words/deal-promises.ts";
import { type DealRole, DEAL_TRANSITIONS, WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";

const HOUR = 60 * 60_000;
const NOW = Date.UTC(2026, 4, 3, 9, 0);
const SIDES: DealRole[] = ["buyer", "seller"];
const WITH = { buyer: { buyer: "you", seller: "Achieng" }, seller: { buyer: "Brian", seller: "you" } };

function view(status: ItemStatus, change: Partial<DealView> = {}): DealView {
  return {
    id: "item",
    name: "Lamp",
    handover: "thing",
    status,
    ...withoutFees(1_900),
    buyerContacted: false,
    buyerAgreed: false,
    shippedAt: NOW,
    wrongCodes: 0,
    dueAt: NOW + HOUR,
    hasOpenReport: false,
    hasOpenIssue: false,
    isSellerGone: false,
    handoverLink: null,
    isOnHold: false,
    turn: {
      buyerContacted: false,
      buyerAgreed: false,
      isDelivery: false,
      lastWriter: null,
      lastWroteAt: null,
      agreedAt: null,
      blockedBy: null,
      missed: NOTHING_MISSED,
    },
    offeredRefund: status === "offered" ? 400 : null,
    latest: null,
    refund: null,
    ...change,
  };
}

function read(side: DealRole, deal: DealView): string {
  const { title, sentences, warning } = summarizeDeal(side, deal, WITH[side], null, NOW).words;
  return [title, ...sentences, ...(warning === null ? [] : [warning])].join(" | ");
}

const cases = ITEM_STATUSES.flatMap((status) => SIDES.map((side) => [status, side] as const));

describe.each(cases)("%s, %s", (status, side) => {
  const text = read(side, view(status));

  test("reads as whole sentences about the other side by name", () => {
    const { title, sentences } = summarizeDeal(side, view(status), WITH[side], null, NOW).words;
    expect(title).not.toBe("");
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[.?”]$/);
    expect(text).not.toMatch(/undefined|null|NaN|you gets|you has/i);
    if (ITEM.isHeld(status)) expect(text).toContain(side === "buyer" ? "Achieng" : "Brian");
  });
});

const running = cases.filter(([status]) => ITEM.isRunning(status));

// While our team decides there is no date.
test.each(running)("%s says until when to the %s", (status, side) => {
  expect(read(side, view(status))).toContain("3 May 2026, 13:00");
});

test("every event that ends a deal is told to both sides", () => {
  const unknown = SIDES.map((side) => read(side, view("cancelled")));
  const ends = ITEM_STATUSES.flatMap((from) => Object.entries(DEAL_TRANSITIONS[from])).filter(([, to]) =>
    ITEM.isOver(to),
  );
  for (const [event, status] of ends) {
    if (event === "paid") continue;
    const latest = { event: event as DealEvent, reason: null, note: null, amount: 0 };
    for (const side of SIDES) {
      const told = read(side, view(status, { latest }));
      expect(unknown).not.toContain(told);
      expect(told).not.toContain("It was handed over.");
    }
  }
});

test("a split says who gets how much, and a release who gets it all", () => {
  const split = { event: "part_accepted", reason: null, note: null, amount: 400 } as const;
  expect(read("buyer", view("completed", { latest: split }))).toContain(
    "You get KES 400 back. Achieng gets KES 1,500.",
  );
  expect(read("seller", view("completed", { latest: split }))).toContain("Brian gets KES 400 back. You get KES 1,500.");
  const release = { event: "code_entered", reason: null, note: null, amount: 0 } as const;
  expect(read("buyer", view("completed", { latest: release }))).toContain("Achieng gets KES 1,900.");
  expect(read("seller", view("completed", { latest: release }))).toContain("You get KES 1,900.");
});

test("each state of a refund is told to the buyer alone", () => {
  const told = REFUND_PLACES.map((place) => {
    const refund = { amount: 1_900, place, receipt: place === "done" ? "TREFUND001" : null, doneAt: NOW };
    const deal = view("cancelled", {
      refund,
      latest: { event: "not_shipped", reason: null, note: null, amount: 1_900 },
    });
    expect(read("seller", deal)).not.toContain("M-Pesa");
    return read("buyer", deal);
  });
  expect(told.every((text) => text.includes("KES 1,900"))).toBe(true);
  expect(told.at(-1)).toContain("M-Pesa receipt: TREFUND001.");
});

test("free items promise no money", () => {
  const money = /KES|gets? the money|(send|sending) your money|money (stays|is safe|back)|gave all the money|payout/;
  const ends = (["refunded_by_seller", "team_refunded", "team_released", "cancelled_by_seller"] as const).flatMap(
    (event) =>
      (["completed", "refunded", "cancelled"] as const).flatMap((status) =>
        SIDES.map((side) => [status, side, { event, reason: null, note: null, amount: 0 }] as const),
      ),
  );
  const told = [...cases.filter(([status]) => status !== "offered"), ...ends].map(
    ([status, side, latest = null]) => `${status}, ${side}: ${read(side, view(status, { ...withoutFees(0), latest }))}`,
  );
  expect(told.filter((text) => money.test(text))).toEqual([]);
});

test("why a seller cancels is told to the buyer, with the note", () => {
  for (const reason of SELLER_CANCEL_REASONS) {
    const latest = { event: "cancelled_by_seller", reason, note: "So sorry", amount: 1_900 } as const;
    const told = read("buyer", view("cancelled", { latest }));
    expect(told).toContain("Achieng wrote: “So sorry”");
    if (reason !== "other") expect(told).toContain(CANCEL_REASONS[reason].toLowerCase());
  }
});

test("a deal that waits for a second admin promises nothing of the clock, and that the money is safe", () => {
  for (const status of ITEM_STATUSES.filter(ITEM.isRunning)) {
    for (const side of SIDES) {
      const text = read(side, view(status, { isOnHold: true, isSellerGone: true, buyerAgreed: true }));
      expect(text).toMatch(
        /On hold while our team decides .+ was closed, and our team is checking it\. .+ money is safe with us/,
      );
      expect(text).not.toMatch(/2026|will message you|has until|Answer by/);
    }
  }
  const down = view("processing", { isOnHold: true, isSellerGone: true });
  expect(read("buyer", down)).toContain("you can cancel it now and get all your money back");
  expect(read("buyer", { ...down, buyerAgreed: true })).not.toContain("cancel it now");
  expect(summarizeDeal("buyer", down, WITH.buyer, null, NOW)).toMatchObject({ isOnHold: true, answerTime: null });
});

test("the actions are those that the process allows this side", () => {
  const agreed = { buyerContacted: true, buyerAgreed: true };
  const table: [DealView, string, string][] = [
    [view("processing"), "cancelled_by_buyer", "code_entered cancelled_by_seller"],
    [view("processing", agreed), "cancel_requested", "shipped code_entered cancelled_by_seller"],
    [
      view("cancel_requested", agreed),
      "cancel_withdrawn",
      "code_entered cancelled_by_seller cancel_accepted cancel_declined",
    ],
    [view("shipped"), "accepted", "delivered code_entered"],
    [
      view("shipped", { shippedAt: NOW - HANDOVER_TERMS.thing.arrival * HOUR }),
      "accepted problem_reported",
      "delivered code_entered",
    ],
    [view("delivered"), "accepted problem_reported", "code_entered"],
    [view("delivered", { wrongCodes: WRONG_CODES_MAX }), "accepted problem_reported", ""],
    [
      view("problem_reported"),
      "problem_withdrawn review_requested",
      "refunded_by_seller part_offered problem_contested",
    ],
    [view("offered"), "part_accepted problem_withdrawn review_requested", "refunded_by_seller"],
    [view("in_review"), "problem_withdrawn", ""],
    // A report leaves the seller the code, and the buyer the way to take the report back.
    [
      view("processing", { ...agreed, hasOpenReport: true }),
      "cancel_requested report_lifted",
      "shipped code_entered cancelled_by_seller",
    ],
    [view("delivered", { hasOpenReport: true }), "problem_reported report_lifted", "code_entered"],
    [
      view("offered", { hasOpenReport: true }),
      "problem_withdrawn review_requested report_lifted",
      "refunded_by_seller",
    ],
    [view("in_review", { isSellerGone: true }), "", ""],
    [view("completed"), "", ""],
    [view("pending_payment"), "", ""],
  ];
  for (const [deal, buyer, seller] of table) {
    const actions = SIDES.map((side) => dealActions(side, deal, NOW).join(" "));
    expect([deal.status, ...actions]).toEqual([deal.status, buyer, seller]);
  }
});

test("periods are those of the rules, in hours up to two days and in days above", () => {
  expect([1, 24, 48, 72, 96, 168, 50].map(periodText)).toEqual([
    "1 hour",
    "24 hours",
    "48 hours",
    "3 days",
    "4 days",
    "7 days",
    "50 hours",
  ]);
});

test("wrong codes are counted in words", () => {
  expect(wrongCodesText({ wrongCodes: 0 })).toBeNull();
  expect(wrongCodesText({ wrongCodes: 1 })).toContain("once");
  expect(wrongCodeText(1)).toContain("once more");
  expect(wrongCodeText(0)).toContain("no longer works");
  expect(isCodeClosed(view("shipped", { wrongCodes: WRONG_CODES_MAX }), NOW)).toBe(true);
  expect(isCodeClosed(view("completed", { wrongCodes: WRONG_CODES_MAX }), NOW)).toBe(false);
});

describe("the handover code", () => {
  const item = "0a1b2c3d-0000-4000-8000-00000000abcd";
  const other = "0a1b2c3d-0000-4000-8000-00000000ffff";

  test("is read as it is typed and from the QR code of this item", () => {
    for (const text of [
      "123456",
      " 123 456 ",
      "l23456",
      "١٢٣-٤٥٦",
      writeHandoverQr(item, "123456"),
      writeHandoverQr(item, "123456").toLowerCase(),
    ])
      expect(readHandoverCode(text, item)).toEqual({ ok: true, code: "123456" });
  });

  test("of another item says so", () => {
    expect(readHandoverCode(writeHandoverQr(other, "123456"), item)).toMatchObject({
      ok: false,
      error: expect.stringContaining("another item"),
    });
  });

  test.each([
    "",
    "12345",
    "1234567",
    "12345a",
    "12345B",
    "$123456x",
    "https://example.com",
    `CHUONI:${item}`,
    `CHUONI:${item}:1:2`,
  ])("isn't %j", (text) => expect(readHandoverCode(text, item)).toMatchObject({ ok: false }));

  test("fits a small QR code, because its text needs only capitals, digits and a few signs", () => {
    expect(writeHandoverQr(item, "123456")).toMatch(/^[0-9A-Z $%*+./:-]+$/);
  });
});
