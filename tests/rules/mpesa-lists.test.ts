/** M-Pesa's own lists: what compares equal, and how a statement and a pulled page are read. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Candidate,
  chooseCandidate,
  compareList,
  type ListedLine,
  type OwnRecord,
  readReference,
} from "#app/payments/books/mpesa-list-rules.ts";
import { readStatement } from "#app/payments/books/statement-file.ts";
import { classifyPull, classifyRegistration } from "#workers/daraja/pull.ts";
import { readAnswer } from "#workers/daraja/classify.ts";
import { statementOf } from "#workers/sandbox/lists.ts";
import { merchantOf } from "#workers/sandbox/merchant.ts";
import type { PayoutRow, PromptRow, ReversalRow } from "#workers/sandbox/store.ts";

const AT = Date.UTC(2026, 10, 26, 7);
const HOUR = 60 * 60_000;

function line(receipt: string, cents: number, change: Partial<ListedLine> = {}): ListedLine {
  return { receipt, at: AT, cents, reference: null, phone: null, original: null, reason: null, ...change };
}

function record(receipt: string | null, amount: number, change: Partial<OwnRecord> = {}): OwnRecord {
  const id = `of-${receipt}`;
  const times = { earliest: AT - HOUR, latest: AT + HOUR };
  return { kind: "payment", id, receipt, original: null, amount, isDone: true, ...times, ...change };
}

const DAY = { from: AT - 12 * HOUR, until: AT + 12 * HOUR };

function findings(lines: ListedLine[], records: OwnRecord[], period = DAY) {
  const { equal, unmatched } = compareList(lines, records, period);
  return [...equal.map(({ line: { receipt } }) => `equal:${receipt}`), ...unmatched.map(({ id }) => id)];
}

describe("a line", () => {
  test.each([
    ["equal", [line("AAA", 150_000)], [record("AAA", 1_500)], ["equal:AAA"]],
    ["missing here", [line("AAA", 150_000)], [], ["missing_here:AAA"]],
    ["missing there", [], [record("AAA", 1_500)], ["missing_there:of-AAA"]],
    ["different by its amount", [line("AAA", 150_050)], [record("AAA", 1_500)], ["different:AAA"]],
    ["different by its direction", [line("AAA", 150_000)], [record("AAA", -1_500)], ["different:AAA"]],
    ["different while we don't count it", [line("AAA", 100)], [record("AAA", 1, { isDone: false })], ["different:AAA"]],
    ["one, on two pages", [line("AAA", 100), line("AAA", 100)], [record("AAA", 1)], ["equal:AAA"]],
    [
      "the reversal of a payment, although its own receipt is unknown",
      [line("RRR", -100, { original: "AAA" })],
      [record(null, -1, { kind: "refund", original: "AAA" })],
      ["equal:RRR"],
    ],
    [
      "money that left twice for one record",
      [line("RRR", -100, { original: "AAA" }), line("SSS", -100, { original: "AAA" })],
      [record("RRR", -1, { kind: "refund", original: "AAA" })],
      ["equal:RRR", "different:SSS"],
    ],
  ])("can be %s", (_, lines, records, expected) => {
    expect(findings(lines, records)).toEqual(expected);
  });

  test("is not missed where the list may not cover the time of the record", () => {
    const late = record("AAA", 1, { latest: DAY.until + 1 });
    const early = record("BBB", 1, { earliest: DAY.from - 1 });
    expect(findings([], [late, early, record("CCC", 1, { isDone: false })])).toEqual([]);
  });

  test("is always exactly one of the three, and each record that is done is matched, different, missing or out of time", () => {
    const receipt = fc.constantFrom("AAA", "BBB", "CCC", "DDD");
    const lines = fc.array(fc.record({ receipt, cents: fc.integer({ min: -300, max: 300 }) }), { maxLength: 6 });
    const own = fc.uniqueArray(
      fc.record({
        receipt,
        amount: fc.integer({ min: -3, max: 3 }),
        isDone: fc.boolean(),
        shift: fc.integer({ min: -14, max: 14 }),
      }),
      { selector: (one) => one.receipt },
    );
    fc.assert(
      fc.property(lines, own, (listed, kept) => {
        const records = kept.map(({ receipt: name, amount, isDone, shift }) =>
          record(name, amount, { isDone, earliest: AT + shift * HOUR, latest: AT + (shift + 1) * HOUR }),
        );
        const { equal, unmatched } = compareList(
          listed.map((one) => line(one.receipt, one.cents)),
          records,
          DAY,
        );
        const distinct = new Set(listed.map((one) => `${one.receipt} ${one.cents}`));
        expect(equal.length + unmatched.filter((one) => one.line !== null).length).toBe(distinct.size);
        for (const found of equal) expect(found.record.amount * 100).toBe(found.line.cents);
        expect(new Set(equal.map((found) => found.record.id)).size).toBe(equal.length);
        for (const one of records.filter(
          ({ isDone, earliest, latest }) => isDone && earliest >= DAY.from && (latest ?? 0) <= DAY.until,
        ))
          expect([...equal, ...unmatched].some((found) => found.record === one)).toBe(true);
      }),
    );
  });
});

test("a reference of ours names an order or a plan, and any other text nothing", () => {
  expect(readReference("ORD1A2B3C4D")).toEqual({ of: "order", beginning: "1a2b3c4d" });
  expect(readReference(" pln1a2b3c4d ")).toEqual({ of: "plan", beginning: "1a2b3c4d" });
  for (const text of [null, "", "ORD", "ORD1A2B3C4", "ORD1A2B3C4DE", "Kamau", "ORD1A2B3C4G"])
    expect(readReference(text)).toBeNull();
});

test("a payment is given to an attempt only where no other could be meant", () => {
  const [a, b] = ["a", "b"].map((id) => ({ id, isPaid: false, isDoubted: false })) as [Candidate, Candidate];
  const [c, d] = ["c", "d"].map((id) => ({ id, isPaid: true, isDoubted: false })) as [Candidate, Candidate];
  const e = { id: "e", isPaid: false, isDoubted: true };
  expect(chooseCandidate([])).toBeNull();
  expect(chooseCandidate([a])).toBe("a");
  expect(chooseCandidate([a, b])).toBeNull();
  expect(chooseCandidate([a, c])).toBe("c");
  expect(chooseCandidate([a, c, d])).toBeNull();
  for (const others of [[], [a], [c]]) expect(chooseCandidate([...others, e])).toBeNull();
});

const encode = (text: string) => new TextEncoder().encode(text);
const HEAD =
  "Receipt No.,Completion Time,Initiation Time,Details,Transaction Status,Paid In,Withdrawn,Balance,Balance Confirmed,Reason Type,Other Party Info,Linked Transaction ID,A/C No.";

describe("a statement", () => {
  test("gives its completed lines, without charges, names or moves between our accounts", () => {
    const file = `Short Code:,174379 - CHUONI
Time Period:,From 25-11-2026 00:00:00 To 26-11-2026 23:59:59

${HEAD}
TKQ1AAAAAA,26-11-2026 10:15:32,26-11-2026 10:15:30,Pay Bill from 254712345678 - JANE DOE Acc. ORD1A2B3C4D,Completed,"1,500.00",,"1,500.00",true,Pay Bill Online,254712345678 - JANE DOE,,ORD1A2B3C4D
TKQ1BBBBBB,2026-11-26 11:00:00,,Reversal of customer transaction,Completed,,"-1,500.00",0.00,true,Transaction Reversal,2547*****678 - JANE DOE,TKQ1AAAAAA,
TKQ1CCCCCC,26-11-2026 11:10:00,,Business Payment Charge,Completed,,-5.00,0.00,true,Business Payment Charge,,,
TKQ1DDDDDD,26-11-2026 11:20:00,,Working Account to Utility Account,Completed,,"-9,000.00",0.00,true,Organization Working Account to Utility Account,,,
TKQ1EEEEEE,26-11-2026 11:30:00,,Pay Bill,Declined,700.00,,0.00,true,Pay Bill Online,254712345678 - JANE DOE,,ORD1A2B3C4D
TKQ1FFFFFF,26-11-2026 11:40:00,,Organization Settlement,Completed,,"-250,000.50",0.00,true,Organization Withdrawal,Bank,,
,,,,,,,,,,,,
`;
    const reading = readStatement(encode(file));
    if (!reading.ok) throw new Error(reading.error);
    const { lines, ignored, from, until } = reading.statement;
    expect(lines).toEqual([
      {
        receipt: "TKQ1AAAAAA",
        at: Date.UTC(2026, 10, 26, 7, 15, 32),
        cents: 150_000,
        reference: "ORD1A2B3C4D",
        phone: "254712345678",
        original: null,
        reason: "Pay Bill Online",
      },
      {
        receipt: "TKQ1BBBBBB",
        at: Date.UTC(2026, 10, 26, 8),
        cents: -150_000,
        reference: null,
        phone: "2547*****678",
        original: "TKQ1AAAAAA",
        reason: "Transaction Reversal",
      },
      expect.objectContaining({ receipt: "TKQ1FFFFFF", cents: -25_000_050, reason: "Organization Withdrawal" }),
    ]);
    expect(ignored).toBe(2);
    expect([from, until]).toEqual([Date.UTC(2026, 10, 24, 21), Date.UTC(2026, 10, 26, 20, 59, 59)]);
  });

  test.each([
    ["the payer's name", "Pay Bill from 254712345678 - JANE FEE Acc. ORD1A2B3C4D"],
    ["the reference that the payer typed", "Pay Bill Online from 2547*****678 - JANE DOE Acc. school fees"],
    ["a name like an account of ours", "Pay Bill from 254712345678 - FLOAT TO SHORE MERCHANT TRANSFER Acc. x"],
  ])("leaves no payment out because of %s", (_, details) => {
    const rows = [
      `${HEAD}\nTKQ1AAAAAA,26-11-2026 10:15:32,,${details},Completed,900.00,,0.00,true,Pay Bill Online,,,`,
      `Receipt No.,Completion Time,Details,Paid In,Withdrawn\nTKQ1AAAAAA,26-11-2026 10:15:32,${details},900.00,`,
    ];
    for (const file of rows) {
      const reading = readStatement(encode(file));
      expect(reading).toMatchObject({ ok: true, statement: { ignored: 0, lines: [{ cents: 90_000 }] } });
    }
  });

  test("is read at once, however long its cells are and whatever its columns are called", () => {
    const startedAt = Date.now();
    for (const words of ["working ", "revers A1 ", "0", "ORD", "254"]) {
      const cell = words.repeat(50_000);
      const file = `constructor,${HEAD}\nx,TKQ1AAAAAA,26-11-2026 10:15:32,,${cell},Completed,900.00,,0.00,true,${cell},${cell},,${cell}`;
      expect(readStatement(encode(file))).toMatchObject({ ok: true });
    }
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });

  test("with fewer columns covers the time from its first to its last line", () => {
    const file = `Receipt No.;Completion Time;Paid In;Withdrawn\nAAA1;03-02-2026 10:15:00;100;\nAAA2;05-02-2026 10:15:00;;50`;
    const reading = readStatement(encode(file));
    if (!reading.ok) throw new Error(reading.error);
    expect(reading.statement.lines.map(({ cents }) => cents)).toEqual([10_000, -5_000]);
    expect(reading.statement.from).toBe(Date.UTC(2026, 1, 3, 7, 15));
  });

  test.each([
    ["no header", "a,b\n1,2", "We can't find the row with the names"],
    ["no lines", HEAD, "has no transactions"],
    ["an unreadable amount", `${HEAD}\nAAA,26-11-2026 10:15:32,,x,Completed,KES 1,,,,,,,`, "line 2, AAA"],
    ["an unreadable time", `${HEAD}\nAAA,31-02-2026 10:15:32,,x,Completed,1,,,,,,,`, "line 2, AAA"],
    ["a workbook", "PK\u0003\u0004", "Excel workbook"],
  ])("with %s is refused as a whole, in words", (_, file, words) => {
    const reading = readStatement(encode(file));
    expect(reading.ok ? "" : reading.error).toContain(words);
  });

  test("of the sandbox is read as it is written", () => {
    const prompt = { receipt: "TKQ1AAAAAA", phone: "254712345678", amount: 1_500, account_reference: "ORD1A2B3C4D" };
    const payout = { receipt: "TKQ1BBBBBB", phone: "254712345678", amount: 900, charge: 5 };
    const times = { created_at: AT, settled_at: AT };
    const store = {
      listPaid: () => [{ ...prompt, ...times } as PromptRow],
      listReversals: () => [
        { original_receipt: "TKQ1AAAAAA", receipt: "TKQ1CCCCCC", amount: 1_500, at: AT } as ReversalRow,
      ],
      listPaidOut: () => [{ ...payout, ...times } as PayoutRow],
    };
    const counter = { store, merchant: merchantOf({ SANDBOX_OBJECT: {} as never }) } as unknown as Parameters<
      typeof statementOf
    >[0];
    const read = (account: "collection" | "payouts") => {
      const reading = readStatement(encode(statementOf(counter, { account, from: AT - HOUR, until: AT + HOUR })));
      if (!reading.ok) throw new Error(reading.error);
      return reading.statement;
    };
    const collection = read("collection");
    expect(
      collection.lines.map(({ receipt, cents, original, reference }) => [receipt, cents, original, reference]),
    ).toEqual([
      ["TKQ1CCCCCC", -150_000, "TKQ1AAAAAA", null],
      ["TKQ1AAAAAA", 150_000, null, "ORD1A2B3C4D"],
    ]);
    expect([collection.from, collection.until]).toEqual([AT - HOUR, AT + HOUR]);
    const payouts = read("payouts");
    expect([payouts.lines.map(({ receipt, cents }) => [receipt, cents]), payouts.ignored]).toEqual([
      [["TKQ1BBBBBB", -90_000]],
      1,
    ]);
  });
});

describe("a pulled page", () => {
  const row = {
    transactionId: "tkq1aaaaaa",
    trxDate: "2026-11-26T10:15:32Z",
    msisdn: 254712345678,
    sender: "MPESA",
    transactiontype: "c2b-pay-bill-debit",
    billreference: "ORD1A2B3C4D",
    amount: "1500.00",
    organizationname: "CHUONI",
  };
  const answer = (body: object, status = 200) => readAnswer(status, JSON.stringify(body));

  test.each([[[row]], [[[row]]], [row]])("is read from a list, or a list in a list", (rows) => {
    expect(classifyPull(answer({ ResponseCode: "1000", Response: rows }))).toEqual({
      kind: "listed",
      payments: [
        {
          receipt: "TKQ1AAAAAA",
          at: Date.UTC(2026, 10, 26, 7, 15, 32),
          amountCents: 150_000,
          reference: "ORD1A2B3C4D",
          phone: "254712345678",
          reason: "c2b-pay-bill-debit",
        },
      ],
      unreadable: 0,
    });
  });

  test("may be empty, and counts rows that it can't read", () => {
    expect(classifyPull(answer({ ResponseCode: 1001, Response: [[]] }))).toEqual({
      kind: "listed",
      payments: [],
      unreadable: 0,
    });
    expect(
      classifyPull(answer({ ResponseCode: "1000", Response: [[{ ...row, amount: "-1" }, "x", row]] })),
    ).toMatchObject({
      payments: [{ receipt: "TKQ1AAAAAA" }],
      unreadable: 2,
    });
  });

  test("is refused or unknown in every other answer", () => {
    expect(classifyPull(answer({ ResponseCode: "1002", ResponseMessage: "?" })).kind).toBe("unknown");
    expect(classifyPull(readAnswer(200, "<html></html>")).kind).toBe("unknown");
    expect(classifyPull(answer({ errorCode: "400.002.02", errorMessage: "Bad Request" }, 400)).kind).toBe("refused");
    expect(classifyPull(answer({ errorCode: "500.003.02", errorMessage: "System is busy" }, 500)).kind).toBe("unknown");
    expect(classifyRegistration(answer({ ResponseStatus: "1001" })).kind).toBe("accepted");
    expect(classifyRegistration(answer({ ResponseStatus: "9" })).kind).toBe("unknown");
  });
});
