import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleForm, visibleJson, visibleText } from "#app/platform/visible-text.ts";

test.each([
  "Casio fx-991ES Plus — 2nd edition",
  "Njeri\u2019s caf\u00e9 \u2013 M\u016bthoni",
  "two\nlines\r\nand\ta tab",
  "👩‍🍳 ❤️‍🔥 🏳️‍🌈 👍🏽 1️⃣ ☎️ 🇰🇪",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
  "می\u200cخواهم محمد علي",
  "क्\u200dष 李伟 Ørsted",
])("%s stays as it is", (text) => {
  expect(visibleText(text)).toBe(text);
});

test.each([
  ["M\u200bpesa\u2060", "Mpesa"],
  ["Njeri \u202eofni\u2066\u200f", "Njeri ofni"],
  ["books \u{E0F0}\u{E0F1}\u{F0000}", "books "],
  ["a\u200db\u200cc\ufe0f", "abc"],
  ["\u{E0041}\u{E0042}x", "x"],
  ["a\u0000b\u007f\u0085", "ab"],
  ["\ud800x\udc00", "x"],
  ["\ufe0f\u200d👩", "👩"],
  ["\u061c\u200cم", "م"],
  ["\u3164\u115f\uffa0\u2800\u00ad\u180e\u034f", ""],
])("%j is read as %j", (text, seen) => {
  expect(visibleText(text)).toBe(seen);
});

const LEFT = /[\p{Co}\p{Cs}\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF\u0000-\u0008]/u;

const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));
const telling = fc.constantFrom(
  "\u200d",
  "\u200c",
  "\ufe0f",
  "👩",
  "🍳",
  "\u{1F3F4}",
  "\u{E0067}",
  "\u{E007F}",
  "م",
  "\u061c",
  "a",
  "1",
);

test("reading twice changes nothing more, and nothing unseen is left", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyCharacter, telling)), (characters) => {
      const text = characters.join("");
      const seen = visibleText(text);
      expect(visibleText(seen)).toBe(seen);
      expect(LEFT.test(seen)).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});

test("forms and JSON are read in all fields but passwords", () => {
  const form = new FormData();
  form.append("name", "M\u200bpesa");
  form.append("currentPassword", "p\u200bw");
  form.append("file", new File(["x\u200b"], "a\u202eb.csv"));
  const read = visibleForm(form);
  expect(read.get("name")).toBe("Mpesa");
  expect(read.get("currentPassword")).toBe("p\u200bw");
  expect((read.get("file") as File).name).toBe("ab.csv");
  expect((read.get("file") as File).size).toBe(4);
  expect(visibleJson({ a: ["x\u200b", { b: "\u2060" }], password: "p\u200b", n: 1, none: null })).toEqual({
    a: ["x", { b: "" }],
    password: "p\u200b",
    n: 1,
    none: null,
  });
});
