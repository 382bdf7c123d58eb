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

const ROWS = [
  `TKQ1AAAAAA,26-11-2026 10:15:32,26-11-2026 10:15:30,Pay Bill from 254712345678 - JANE DOE Acc. ORD1A2B3C4D,Completed,"1,500.00",,"1,500.00",true,Pay Bill Online,254712345678 - JANE DOE,,ORD1A2B3C4D`,
  `TKQ1BBBBBB,2026-11-26 11:00:00,,Reversal of customer transaction,Completed,,"-1,500.00",0.00,true,Transaction Reversal,2547*****678 - JANE DOE,TKQ1AAAAAA,`,
  "TKQ1CCCCCC,26-11-2026 11:10:00,,Business Payment Charge,Completed,,-5.00,0.00,true,Business Payment Charge,,,",
  `TKQ1DDDDDD,26-11-2026 11:20:00,,Working Account to Utility Account,Completed,,"-9,000.00",0.00,true,Organization Working Account to Utility Account,,,`,
  "TKQ1EEEEEE,26-11-2026 11:30:00,,Pay Bill,Declined,700.00,,0.00,true,Pay Bill Online,254712345678 - JANE DOE,,ORD1A2B3C4D",
  `TKQ1FFFFFF,26-11-2026 11:40:00,,Organization Settlement,Completed,,"-250,000.50",0.00,true,Organization Withdrawal,Bank,,`,
  ",,,,,,,,,,,,",
];

describe("a statement", () => {
  test("gives its completed lines, without charges, names or moves between our accounts", () => {
    const file = `Short Code:,174379 - CHUONI
Time Period:,From 25-11-2026 00:00:00 To 26-11-2026 23:59:59

${HEAD}
${ROWS.join("\n")}
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
    const file = `Receipt No.;Completion Time;Paid In;Withdrawn\nTKQ1AAAAA1;03-02-2026 10:15:00;100;\nTKQ1AAAAA2;05-02-2026 10:15:00;;50`;
    const reading = readStatement(encode(file));
    if (!reading.ok) throw new Error(reading.error);
    expect(reading.statement.lines.map(({ cents }) => cents)).toEqual([10_000, -5_000]);
    expect(reading.statement.from).toBe(Date.UTC(2026, 1, 3, 7, 15));
  });

  test.each([
    ["receipt", ["1.23E+10", "'TKQ1AAAAAA", "TKQ1 AAAAAA", "TRUE", "########", "6161110000"], "900.00"],
    ["amount", ["TKQ1AAAAAA"], "-900.00"],
    ["amount", ["TKQ1AAAAAA"], "(900.00)"],
    ["amount", ["TKQ1AAAAAA"], "########"],
    ["amount", ["TKQ1AAAAAA"], "9E+02"],
  ])("with %s %j and %s that a spreadsheet may have made is refused", (what, receipts, paidIn) => {
    for (const receipt of receipts) {
      const file = `Receipt No.,Completion Time,Paid In,Withdrawn\n${receipt},26-11-2026 10:15:32,${paidIn},`;
      expect(readStatement(encode(file))).toMatchObject({
        ok: false,
        error: expect.stringContaining(`the ${what} of`),
      });
    }
  });

  /** What a spreadsheet may make of a time and of an amount, by its region. */
  const two = (digits: number) => String(digits).padStart(2, "0");
  const clock = (at: Date) => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  const half = (at: Date) => {
    const hours = at.getUTCHours();
    return `${hours % 12 || 12}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} ${hours < 12 ? "AM" : "PM"}`;
  };
  const [day, month, year] = [
    (at: Date) => at.getUTCDate(),
    (at: Date) => at.getUTCMonth() + 1,
    (at: Date) => at.getUTCFullYear(),
  ];
  const TIMES: Record<string, (at: Date) => string> = {
    "M-Pesa": (at) => `${two(day(at))}-${two(month(at))}-${year(at)} ${clock(at)}`,
    "by year": (at) => `${year(at)}-${two(month(at))}-${two(day(at))} ${clock(at)}`,
    "American, 12 hours": (at) => `${month(at)}/${day(at)}/${year(at)} ${half(at)}`,
    "American, 24 hours": (at) => `${month(at)}/${day(at)}/${year(at)} ${clock(at).replace(/^0/, "")}`,
    "American, two digits": (at) => `${two(month(at))}/${two(day(at))}/${year(at)} ${half(at).replace("M", ".M.")}`,
    British: (at) => `${two(day(at))}/${two(month(at))}/${year(at)} ${clock(at)}`,
    "British, 12 hours": (at) => `${two(day(at))}/${two(month(at))}/${year(at)} ${half(at).toLowerCase()}`,
    "with a short year": (at) => `${month(at)}/${day(at)}/${String(year(at)).slice(2)} ${clock(at)}`,
    German: (at) => `${two(day(at))}.${two(month(at))}.${year(at)} ${clock(at)}`,
    Dutch: (at) => `${day(at)}-${month(at)}-${year(at)} ${clock(at)}`,
    Japanese: (at) => `${year(at)}/${two(month(at))}/${two(day(at))} ${clock(at)}`,
    "with a word": (at) => `${two(day(at))}-Nov-${year(at)} ${clock(at)}`,
    "the number of a day": (at) => String(at.getTime() / 86_400_000 + 25_569),
    "the day alone": (at) => `${two(day(at))}/${two(month(at))}/${year(at)}`,
  };
  const grouped = (shillings: number, mark: string) => String(shillings).replaceAll(/\B(?=(?:\d{3})+$)/g, mark);
  const AMOUNTS: Record<string, (whole: number, part: number) => string> = {
    "M-Pesa": (whole, part) => `${grouped(whole, ",")}.${two(part)}`,
    plain: (whole, part) => `${whole}.${two(part)}`,
    "without zeros": (whole, part) => String(whole + part / 100),
    German: (whole, part) => `${grouped(whole, ".")},${two(part)}`,
    "German, plain": (whole, part) => String(whole + part / 100).replace(".", ","),
    French: (whole, part) => `${grouped(whole, "\u202F")},${two(part)}`,
    Swiss: (whole, part) => `${grouped(whole, "’")}.${two(part)}`,
    "with groups and no part": (whole) => grouped(whole, ","),
    "with points and no part": (whole) => grouped(whole, "."),
    "with three digits": (whole, part) => `${whole}.${two(part)}0`,
    "with a power": (whole) => `${whole / 1000}E+3`,
  };

  test("that a spreadsheet saved is read exactly, or refused with its line", () => {
    const amounts = fc.record({
      whole: fc.oneof(
        fc.constantFrom(1, 12, 999, 1_000, 1_500, 12_500, 250_000, 1_234_567),
        fc.integer({ min: 1, max: 400_000 }),
      ),
      part: fc.constantFrom(0, 0, 0, 5, 50),
      isOut: fc.boolean(),
    });
    const times = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }).map((ms) => ms - (ms % 1_000));
    const lines = fc.array(fc.record({ at: times, amount: amounts, quoted: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    });
    const counts = { read: 0, refused: 0 };
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom(...Object.values(TIMES)),
        fc.constantFrom(...Object.values(AMOUNTS)),
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("-", "", "−"),
        (listed, writeTime, writeAmount, delimiter, minus) => {
          const rows = listed.map(({ at, amount: { whole, part, isOut }, quoted }, n) => {
            const written = writeAmount(whole, part);
            const [paidIn, withdrawn] = isOut ? ["", `${minus}${written}`] : [written, ""];
            const cells = [`TKQ1AAAAA${n}`, writeTime(new Date(at)), "", "Pay Bill", "Completed", paidIn, withdrawn];
            cells.push("0.00", "true", "Pay Bill Online", "", "", n % 2 ? "ORD1A2B3C4D" : "");
            // Some programs quote no cell.
            return cells.map((cell) => (quoted && cell.includes(delimiter) ? `"${cell}"` : cell)).join(delimiter);
          });
          const reading = readStatement(encode([HEAD.replaceAll(",", delimiter), ...rows].join("\r\n")));
          counts[reading.ok ? "read" : "refused"] += 1;
          if (!reading.ok) {
            expect(reading.error).toMatch(/line \d+, TKQ1AAAAA\d/);
            return;
          }
          const hasPart = writeAmount(1, 5) !== writeAmount(1, 0);
          const expected = listed.map(({ at, amount: { whole, part, isOut } }) => [
            at - 3 * HOUR,
            (whole * 100 + (hasPart ? part : 0)) * (isOut ? -1 : 1),
          ]);
          expect(reading.statement.lines.map((one) => [one.at, one.cents])).toEqual(expected);
        },
      ),
      { numRuns: 5_000 },
    );
    expect(counts.read).toBeGreaterThan(500);
    expect(counts.refused).toBeGreaterThan(500);
  });

  test.each([
    ["11/26/2026 9:30:47 PM", Date.UTC(2026, 10, 26, 18, 30, 47)],
    ["26/11/2026 12:05 am", Date.UTC(2026, 10, 25, 21, 5)],
    ["5/5/2026 10:15", Date.UTC(2026, 4, 5, 7, 15)],
    ["03/02/2026 10:15:00", "could be two days"],
    ["12/3/2026 10:15", "could be two days"],
    ["26-11-2026 13:15 PM", "in a way that we don't know"],
    ["26-11-2026 10:15:32 and more", "in a way that we don't know"],
  ])("with the time %s is %s", (written, expected) => {
    const reading = readStatement(encode(`${HEAD}\nTKQ1AAAAAA,${written},,x,Completed,1.00,,,,,,,`));
    if (typeof expected === "string") expect(reading.ok ? "" : reading.error).toContain(expected);
    else expect(reading).toMatchObject({ ok: true, statement: { lines: [{ at: expected }] } });
  });

  test("names its lines as a spreadsheet numbers them", () => {
    const reading = readStatement(
      encode(`Short Code:,1\n\n\n${HEAD}\n\nTKQ1AAAAAA,26-11-2026 10:15:32,,x,Completed,1.500,,,,,,,`),
    );
    expect(reading.ok ? "" : reading.error).toContain("line 6, TKQ1AAAAAA: “1.500” could be two amounts");
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
      listReversed: () => [
        { original_receipt: "TKQ1AAAAAA", receipt: "TKQ1CCCCCC", amount: 1_500, ...times } as ReversalRow,
      ],
      listPaidOut: () => [{ ...payout, ...times } as PayoutRow],
    };
    const counter = {
      store,
      merchant: merchantOf({ SANDBOX_OBJECT: {} as never, APP_ORIGIN: "" }),
    } as unknown as Parameters<typeof statementOf>[0];
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
