import { REFUND_PLACES } from "#app/db/states/refund.ts";
import { lineWords } from "#app/payments/books/seller-statement-lines.ts";
import { REFUND_WORDS } from "#app/payments/transfers/refund-words.ts";
import { describe, expect, test } from "vitest";
import { ITEM_STATUSES } from "#app/db/states/item.ts";
import {
  balanceChange,
  heldReason,
  moneyAsCsv,
  moneyLine,
  readMoneyPlace,
  readMoneyState,
  type Sale,
  writeMoneyPlace,
} from "#app/payments/books/seller-money-lines.ts";

const UNTIL = Date.UTC(2026, 4, 3, 11);
const ID = "0a1b2c3d-0000-4000-8000-000000000000";
const sale: Sale = {
  id: ID,
  orderId: ID,
  name: "Desk lamp",
  status: "delivered",
  earned: 1_900,
  until: UNTIL,
  soldAt: 0,
  share: null,
  payoutState: null,
  waitReason: null,
  waitDetail: null,
  receipt: null,
  doneAt: null,
  numberHeldUntil: null,
  refunded: 0,
  refundPlace: null,
};
const released = { ...sale, status: "completed", until: null, share: 1_900 } as const;

describe("a line", () => {
  test.each<[string, Partial<Sale>, string, number, string]>([
    ["held", {}, "waiting", 1_900, "Waiting for the buyer until 3 May 2026, 14:00."],
    ["with our team", { status: "in_review", until: null }, "waiting", 1_900, "Our team is deciding."],
    [
      "problem_reported",
      { status: "problem_reported" },
      "waiting",
      1_900,
      "The buyer reported a problem. Answer by 3 May 2026, 14:00.",
    ],
    [
      "refunded",
      { status: "refunded", until: null, refunded: 1_900, refundPlace: "done" },
      "refunded",
      1_900,
      "Refunded to the buyer.",
    ],
    [
      "cancelled",
      { status: "cancelled", until: null, refunded: 1_900, refundPlace: "done" },
      "refunded",
      1_900,
      "Refunded to the buyer.",
    ],
    [
      "released",
      { ...released, payoutState: "due" },
      "on_its_way",
      1_900,
      "Your payout is next in line. We usually send it within a minute.",
    ],
    [
      "due while payouts are paused",
      { ...released, payoutState: "due", waitReason: "channel_paused" },
      "on_its_way",
      1_900,
      "Your payout waits. We send it as soon as we can. Payouts are paused.",
    ],
    [
      "parked",
      { ...released, payoutState: "parked", waitReason: "not_registered" },
      "on_its_way",
      1_900,
      "Not paid yet: Your phone number isn't registered for M-Pesa.",
    ],
    [
      "split and paid",
      {
        ...released,
        share: 1_500,
        refunded: 400,
        refundPlace: "done",
        payoutState: "done",
        receipt: "UE31AB2CD4",
        doneAt: UNTIL,
      },
      "paid",
      1_500,
      "Paid on 3 May 2026, 14:00, receipt UE31AB2CD4. The buyer got KES 400 back.",
    ],
  ])("of a sale that is %s says where the money is and why", (_case, facts, state, amount, reason) => {
    expect(moneyLine({ ...sale, ...facts }, 5)).toMatchObject({ state, amount, reason, balance: 5 });
  });

  test.each(REFUND_PLACES)("and every other page say the same of money that goes back and is %s", (place) => {
    const refund = { amount: 1_900, receipt: null, doneAt: null };
    const words = REFUND_WORDS[place];
    const line = moneyLine({ ...sale, status: "cancelled", refunded: 1_900, refundPlace: place }, null);
    expect([line.label, line.reason]).toEqual([words.label, words.seller(refund)]);
    expect(moneyAsCsv([line])).toContain(words.seller(refund));
    const statement = lineWords({ kind: "refund", name: "Lamp", amount: 1_900, place });
    const claims = [words.buyer(refund), line.label, line.reason, statement];
    // It is refunded on each page, or on none.
    const isDone = (text: string) => /refunded|we sent|^back to the buyer: lamp$/i.test(text);
    expect(claims.map(isDone)).toEqual(claims.map(() => place === "done"));
    const part = moneyLine({ ...released, refunded: 400, refundPlace: place, share: 1_500 }, null);
    expect(/got KES 400 back/.test(part.reason)).toBe(place === "done");
  });

  test("adds its amount to the balance, unless the money went back", () => {
    expect(balanceChange(moneyLine(sale, 0))).toBe(1_900);
    expect(balanceChange(moneyLine({ ...sale, status: "refunded" }, 0))).toBe(0);
  });
});

test("the reason of every status reads well with and without a time", () => {
  for (const status of ITEM_STATUSES) {
    for (const until of [null, UNTIL]) expect(heldReason(status, until)).toMatch(/^[A-Z].*[^. ]$/);
  }
});

test("a file has a row for each line, and a spreadsheet runs none of its values", () => {
  const names = ['=HYPERLINK("http://x")', "+1", "-1", "@x", "\tx", "Lamp, new"];
  const rows = moneyAsCsv(names.map((name) => moneyLine({ ...sale, name }, null))).split("\r\n");
  expect(rows).toHaveLength(7);
  expect(rows[0]).toMatch(/^"Sold","Item",/);
  expect(rows.slice(1).map((row) => row.split('","')[1])).toEqual([
    `'=HYPERLINK(""http://x"")`,
    "'+1",
    "'-1",
    "'@x",
    "'\tx",
    "Lamp, new",
  ]);
});

test("a place in the list is read as it was written, and nothing else passes for one", () => {
  const place = { at: 5, id: ID, balance: 70 };
  expect(readMoneyPlace(writeMoneyPlace(place))).toEqual(place);
  for (const text of [null, "", "5", `5.${ID}`, `5.${ID}.-1`, `5.${ID}.1x`, `x.${ID}.1`])
    expect(readMoneyPlace(text)).toBeNull();
  expect([readMoneyState("paid"), readMoneyState("owed"), readMoneyState(null)]).toEqual(["paid", null, null]);
});
