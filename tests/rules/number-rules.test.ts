import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decisionForm } from "#app/admin/problems/problem-forms.ts";
import { LIST_KINDS } from "#app/catalogue/browse/list-kinds.ts";
import { readListFilters } from "#app/catalogue/browse/read-list-filters.ts";
import { readPrice } from "#app/catalogue/selling/listing-price-rules.ts";
import { readStock } from "#app/catalogue/selling/listing-stock-rules.ts";
import { problemForm } from "#app/deals/problems/problem-forms.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { readAmount, readCount, readDigits, unclearText } from "#app/platform/number-rules.ts";
import { formatKes } from "#app/ui/money.ts";

const READ: [string, number][] = [
  ["0", 0],
  ["007", 7],
  ["25000", 25_000],
  ["25,000", 25_000],
  ["25 000", 25_000],
  ["25\u00a0000", 25_000],
  ["25\u202f000", 25_000],
  [" 1,250,000 ", 1_250_000],
  ["1 250 000", 1_250_000],
  ["1.250.000", 1_250_000],
  ["1.250,00", 1_250],
  ["1,250.00", 1_250],
  ["1500.00", 1_500],
  ["1500.", 1_500],
  ["KES 25,000", 25_000],
  ["KES25,000", 25_000],
  ["kes. 25,000", 25_000],
  ["KES: 25,000", 25_000],
  ["Ksh 25,000/=", 25_000],
  ["Kshs.2,500/-", 2_500],
  ["K.sh 300", 300],
  ["Sh. 900", 900],
  ["25,000 KES", 25_000],
  ["25,000 kshs/=", 25_000],
  ["300 bob", 300],
  ["300 shillings", 300],
  ["500/=", 500],
  ["500/-", 500],
  ["500 /=", 500],
  ["500=", 500],
  ["25k", 25_000],
  ["2.5K", 2_500],
  ["KES 1.25 k", 1_250],
  ["\u200e25\u200b000", 25_000],
];

test.each(READ)("%j is KES %i", (typed, amount) => {
  expect(readAmount(typed)).toEqual({ ok: true, value: amount });
});

test.each([
  ["25.000", "'25.000' could mean 25 or 25,000. Write 25 or 25000."],
  ["KES 25.000", "'KES 25.000' could mean 25 or 25,000. Write 25 or 25000."],
  ["25,00", "'25,00' could mean 25 or 2,500. Write 25 or 2500."],
  ["9,50", "'9,50' could mean 9.5 or 950. Write 950, or another whole number."],
  ["1,5", "'1,5' could mean 1.5 or 15. Write 15, or another whole number."],
  ["2,5000", "'2,5000' could mean 2.5 or 25,000. Write 25000, or another whole number."],
  ["1,250,00", "'1,250,00' could mean 1,250 or 125,000. Write 1250 or 125000."],
  ["0,500", "'0,500' could mean 0.5 or 500. Write 500, or another whole number."],
  ["25.500", "'25.500' could mean 25.5 or 25,500. Write 25500, or another whole number."],
  ["6.16111E+12", "A spreadsheet has shortened '6.16111E+12'. Write all its digits."],
  ["1e3", "A spreadsheet has shortened '1e3'. Write all its digits."],
])("%j could be two numbers, and both are named", (typed, error) => {
  expect(unclearText(typed, readAmount(typed))).toBe(error);
  // The same wherever an amount is typed: a listing, a part of a refund, a decision of our team.
  expect(readPrice(typed)).toBe(error);
  const offered = problemForm.safeParse({ intent: "offer", amount: typed });
  expect(offered.error?.issues.map(({ message }) => message)).toEqual([error]);
  const decided = decisionForm.safeParse({ intent: "preview", decision: "split", amount: typed, reasons: "Half each" });
  expect(decided.error?.issues.map(({ message }) => message)).toEqual([error]);
  expect(readListFilters(new URLSearchParams({ max: typed }), LIST_KINDS.search, []).max).toBeNull();
});

test.each([
  "1.5",
  "9.50",
  "12 5",
  "25 00",
  "1,2.3",
  "200 - 300",
  "200, 300",
  "0x10",
  "Infinity",
  "²",
  "٣٠٠",
  "k",
  "25kk",
  "abc",
  "1/2",
  "10%",
])("%j is no whole number of shillings", (typed) => {
  expect(readAmount(typed)).toEqual({ ok: false, code: "not_whole" });
  expect(readPrice(typed)).toBe("Price must be a whole number of shillings");
});

test("an amount below nothing is refused in the specification's words", () => {
  for (const typed of ["-5", "- 5", "−5", "KES -5", "-1,000.50"])
    expect(readPrice(typed)).toBe("Price must be positive");
});

test("pieces are read like amounts, but have no currency", () => {
  expect(readStock("1,200")).toBe(1_200);
  expect(readStock("1 200")).toBe(1_200);
  expect(readStock("1.200")).toBe("'1.200' could mean 1.2 or 1,200. Write 1200, or another whole number.");
  for (const typed of ["12k", "KES 12", "12/=", "1e2 pcs"]) expect(readCount(typed).ok).toBe(false);
});

test("every way of writing an amount is read as that amount", () => {
  const before = fc.constantFrom("", "KES ", "KES", "Ksh ", "Kshs. ", "sh ", " ");
  const after = fc.constantFrom("", "/=", "/-", " /=", ".00", " ");
  const groups = fc.constantFrom("", ",", " ", "\u00a0");
  fc.assert(
    fc.property(fc.nat(9_999_999), before, after, groups, (amount, start, end, separator) => {
      const written = formatKes(amount).slice(4).replaceAll(",", separator);
      expect(readAmount(`${start}${written}${end}`)).toEqual({ ok: true, value: amount });
    }),
  );
});

test("whatever is typed, what is read is whole and has only digits that were typed", () => {
  const pieces = fc.constantFrom("1", "20", "000", "5", ",", ".", " ", "KES ", "/=", "k", "-", "e+", "x");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces, { maxLength: 8 }).map((all) => all.join("")),
        fc.string(),
      ),
      (typed) => {
        const reading = readAmount(typed);
        if (!reading.ok) return;
        expect(Number.isInteger(reading.value) && reading.value >= 0).toBe(true);
        const digits = typed.replaceAll(/\D/g, "").replace(/^0+/, "");
        // In order. Only a fraction of zeros may go, and only "k" adds zeros.
        const value = String(reading.value).replace(/^0$/, "");
        expect(digits.startsWith(value) || /k/i.test(typed)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each(["0", "7", "007", "9999", "9007199254740991"])("the digits %j are a number that a form may send", (sent) => {
  expect(readDigits(sent)).toBe(Number(sent));
  expect(formNumber().safeParse(sent)).toEqual({ success: true, data: Number(sent) });
});

test.each(
  [
    "",
    " ",
    "1e1",
    "1E1",
    "0x2",
    "0b1",
    "0o7",
    "+2",
    "-2",
    "2.0",
    "2.",
    "1,2",
    " 2",
    "2 ",
    "2\n",
    "\u0662",
    "\uff12",
  ].concat(["Infinity", "NaN", "9007199254740993", "99999999999999999999"]),
)("what isn't plain digits is no number of a form: %j", (sent) => {
  expect(readDigits(sent)).toBeNull();
  expect(formNumber().safeParse(sent).success).toBe(false);
});

/** The number of access codes has a field of type number. A stepper's field reads plain digits only. */
const OTHERS = ["admin/people/codes-view.tsx", "ui/forms/quantity-stepper.tsx"];

test("no form reads a number in its own way", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  const found = files.filter((path) => {
    const text = readFileSync(`app/${path}`, "utf8");
    if (text.includes("z.coerce.number")) return true;
    return /\bNumber(\.parse(Int|Float))?\((typed|amount)\b|type="number"/.test(text);
  });
  expect(found.toSorted()).toEqual(OTHERS);
});
