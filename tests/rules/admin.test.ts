import fc from "fast-check";
import { readCodeCount } from "#app/admin/people/codes.server.ts";
import { expect, test } from "vitest";
import { readMoneySearch, readReceipt, withoutPhones } from "#app/admin/money/money-rules.ts";
import { codeOf, codesAsCsv, generatedText } from "#app/admin/people/code-rules.ts";
import { ACCESS_CODE_ALPHABET } from "#app/accounts/login/access-code-rules.ts";

test("a code has eight unmistakable characters, each equally likely", () => {
  expect(new Set(ACCESS_CODE_ALPHABET).size).toBe(32);
  expect(ACCESS_CODE_ALPHABET).not.toMatch(/[IO01]/);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => /^[A-HJ-NP-Z2-9]{8}$/.test(codeOf(bytes))),
  );
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const [first = ""] = codeOf(new Uint8Array(8).fill(byte));
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  expect(new Set(counts.values())).toEqual(new Set([8]));
});

test.each([
  ["1", 1],
  ["50", 50],
  [" 12 ", 12],
  ["51", null],
  ["1e9", null],
  ["0", null],
  ["-3", null],
  ["2.9", null],
  ["", 1],
  ["five", 1],
  ["Infinity", 1],
  ["\u0000", 1],
  ["٥٠٠", null],
])("the number of codes %j reads as %j", (typed, count) => {
  expect(readCodeCount(typed)).toBe(count);
});

test("new codes are announced as the spec says, and make a file for a spreadsheet", () => {
  expect(generatedText(3)).toBe("Generated 3 new access code(s)");
  expect(codesAsCsv(["ABCDEFGH", "23456789"])).toBe("Code\r\nABCDEFGH\r\n23456789");
});

test.each([
  ["UAB1C2D3E4", { receipt: "UAB1C2D3E4", phone: null, order: null }],
  [" uab1c2d3e4 ", { receipt: "UAB1C2D3E4", phone: null, order: null }],
  ["0712 345 678", { receipt: "0712345678", phone: "254712345678", order: null }],
  ["0712345678", { receipt: "0712345678", phone: "254712345678", order: "0712345678" }],
  ["Order #1a2b3c4d", { receipt: null, phone: null, order: "1a2b3c4d" }],
  ["ORD1A2B3C4D", { receipt: null, phone: null, order: "1a2b3c4d" }],
  [
    "1a2b3c4d-0000-4000-8000-000000000000",
    { receipt: null, phone: null, order: "1a2b3c4d-0000-4000-8000-000000000000" },
  ],
  ["%' OR 1=1 --", { receipt: null, phone: null, order: null }],
  ["  ", null],
])("the search %j means %j", (typed, meaning) => {
  expect(readMoneySearch(typed)).toEqual(meaning);
});

test("a receipt is ten letters and digits", () => {
  for (const typed of [" uab1c2d3e4", "UAB1 C2D3 E4", "uab-1c2-d3e4.", "UАВ1С2D3Е4", "ＵＡＢ１Ｃ２Ｄ３Ｅ４"])
    expect([typed, readReceipt(typed)]).toEqual([typed, "UAB1C2D3E4"]);
  for (const typed of ["", "UAB1C2D3E", "UAB1C2D3E45", "UAB1C2D3E!", "ÜAB1C2D3E4"])
    expect(readReceipt(typed)).toBeNull();
});

test.each([
  ['{"PhoneNumber":254712345678,"Amount":2547}', '{"PhoneNumber":2547•••••678,"Amount":2547}'],
  ["0113000123 - Jane Doe", "01•••••123 - Jane Doe"],
  // The last nine digits of a checkout request id are those of the phone.
  ['"ws_CO_03102025030409377114669532"', '"ws_CO_03102025030409377••••••532"'],
  ["ws_CO_191220191020363925", "ws_CO_191220191••••••925"],
  ["TKL9ZZZZZZ at 20261122101530", "TKL9ZZZZZZ at 20261122101530"],
])("phones in %j are masked as %j", (text, shown) => {
  expect(withoutPhones(text)).toBe(shown);
});
