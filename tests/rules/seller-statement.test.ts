/** A seller's statement equals the ledger, whatever happened to the sales and whenever. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chargeLegs,
  heldRefundLegs,
  type LedgerLeg,
  payoutLegs,
  reclaimLegs,
  releaseLegs,
} from "#app/payments/books/ledger-rules.ts";
import {
  type MoneyChange,
  monthBeside,
  readMonth,
  sellerStatement,
  statementAsCsv,
} from "#app/payments/books/seller-statement-lines.ts";
import { monthBounds } from "#app/platform/east-africa-time.ts";

const HOUR = 60 * 60_000;
const MONTHS = ["2026-09", "2026-10", "2026-11", "2026-12", "2027-01"];
const BEGIN = monthBounds("2026-09").from;

/** A sale: what became of it, and the hours between its steps. */
const saleOf = fc.record({
  price: fc.integer({ min: 1, max: 250_000 }),
  begins: fc.integer({ min: 0, max: 90 * 24 }),
  pauses: fc.tuple(
    fc.integer({ min: 0, max: 900 }),
    fc.integer({ min: 0, max: 900 }),
    fc.integer({ min: 0, max: 900 }),
  ),
  /** The share that goes back, in hundredths. Null while its money is held. */
  back: fc.option(fc.constantFrom(0, 1, 50, 99, 100), { nil: null }),
  /** It was released, and taken back because of a problem. */
  isReclaimed: fc.boolean(),
  isPaidOut: fc.boolean(),
});
type Sale = typeof saleOf extends fc.Arbitrary<infer S> ? S : never;

interface Entry extends LedgerLeg {
  at: number;
}

/** The same history as the ledger books it, and as the rows of the database tell it. */
function play(sales: readonly Sale[]): { ledger: Entry[]; changes: MoneyChange[] } {
  const ledger: Entry[] = [];
  const changes: MoneyChange[] = [];
  const book = (legs: LedgerLeg[], at: number) => ledger.push(...legs.map((leg) => ({ ...leg, at })));
  for (const [n, { price, begins, pauses, back, isReclaimed, isPaidOut }] of sales.entries()) {
    const about = { id: `item-${n}`, name: `Item ${n}`, orderId: `order-${n}`, receipt: null, place: null };
    const paidAt = BEGIN + begins * HOUR;
    book(chargeLegs(price), paidAt);
    changes.push({ kind: "sale", at: paidAt, amount: price, ...about });
    if (back === null) continue;
    const endsAt = paidAt + pauses[0] * HOUR;
    if (isReclaimed) {
      book(releaseLegs(price), paidAt + 1);
      book(reclaimLegs(price), paidAt + 2);
    }
    const refund = Math.floor((price * back) / 100);
    const share = price - refund;
    if (refund > 0) {
      book(heldRefundLegs(refund), endsAt);
      changes.push({ kind: "refund", at: endsAt, amount: refund, ...about, id: `refund-${n}` });
    }
    book(releaseLegs(share), endsAt);
    if (share === 0 || !isPaidOut) continue;
    const doneAt = endsAt + pauses[1] * HOUR;
    book(payoutLegs(share), doneAt);
    changes.push({
      kind: "payout",
      at: doneAt,
      amount: share,
      id: `payout-${n}`,
      name: null,
      orderId: null,
      receipt: `R${n}`,
      place: null,
    });
  }
  return { ledger, changes };
}

/** What the ledger has for the seller before a time, in KES. */
function booked(ledger: readonly Entry[], before: number): number {
  return ledger
    .filter(({ account, at }) => at < before && (account === "escrow" || account === "seller_payable"))
    .reduce((sum, { amount }) => sum - amount, 0);
}

test("the opening, the closing and each total of every month are those of the ledger, in 1,000 random histories", () => {
  fc.assert(
    fc.property(fc.array(saleOf, { maxLength: 12 }), (sales) => {
      const { ledger, changes } = play(sales);
      let before: number | null = null;
      for (const month of MONTHS) {
        const { from, until } = monthBounds(month);
        const statement = sellerStatement(changes, month);
        expect(statement.opening).toBe(booked(ledger, from));
        expect(statement.closing).toBe(booked(ledger, until));
        // What one month ends with, the next one begins with.
        if (before !== null) expect(statement.opening).toBe(before);
        before = statement.closing;
        const moved = (account: string, kind: string) =>
          ledger
            .filter((entry) => entry.account === account && entry.kind === kind && entry.at >= from && entry.at < until)
            .reduce((sum, { amount }) => sum + amount, 0);
        expect(statement.totals.sale).toBe(Math.abs(moved("escrow", "charge")));
        expect(statement.totals.refund).toBe(moved("escrow", "refund_due"));
        expect(statement.totals.payout).toBe(moved("seller_payable", "payout"));
        expect(statement.lines.at(-1)?.balance ?? statement.opening).toBe(statement.closing);
        // A sale comes before what becomes of it, so the balance is never below zero.
        expect(statement.lines.every(({ balance }) => balance >= 0)).toBe(true);
      }
      const all = MONTHS.flatMap((month) => sellerStatement(changes, month).lines);
      const within = changes.filter(({ at }) => at < monthBounds(MONTHS.at(-1) ?? "").until);
      expect(all).toHaveLength(within.length);
    }),
    { numRuns: 1_000 },
  );
});

describe("a month", () => {
  const NOW = Date.UTC(2026, 10, 30, 21, 30);

  test("is the one in East Africa, and none that hasn't begun", () => {
    expect(readMonth(null, NOW)).toBe("2026-12");
    expect(readMonth("2026-11", NOW)).toBe("2026-11");
    for (const text of ["2027-01", "2026-13", "2026-00", "x", "", "1999-01"])
      expect(readMonth(text, NOW)).toBe("2026-12");
    expect([monthBeside("2026-01", -1), monthBeside("2026-12", 1)]).toEqual(["2025-12", "2027-01"]);
  });

  test("begins and ends at midnight there", () => {
    const at = (time: string): MoneyChange => ({
      kind: "sale",
      at: Date.parse(time),
      id: time,
      amount: 10,
      name: "=Pen",
      orderId: "o",
      receipt: null,
      place: null,
    });
    const changes = [
      "2026-10-31T20:59:59Z",
      "2026-10-31T21:00:00Z",
      "2026-11-30T20:59:59Z",
      "2026-11-30T21:00:00Z",
    ].map(at);
    const statement = sellerStatement(changes, "2026-11");
    expect([statement.opening, statement.lines.length, statement.closing]).toEqual([10, 2, 30]);
    const rows = statementAsCsv(statement).split("\r\n");
    expect(rows).toHaveLength(5);
    expect(rows[1]).toBe('"1 Nov 2026, 00:00","Opening balance","","","","","10"');
    expect(rows[2]).toBe('"1 Nov 2026, 00:00","Sold: =Pen","o","","10","","20"');
    expect(rows[4]).toBe('"30 Nov 2026, 23:59","Closing balance","","","","","30"');
  });
});
