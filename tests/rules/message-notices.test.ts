import { expect, test } from "vitest";
import fc from "fast-check";
import { excerptOf } from "#app/messaging/notices/message-notice-rules.ts";

const ORIGIN = "https://chuoni.example";
const excerpt = (text: string, photos = 0) => excerptOf(text, photos, ORIGIN);

test.each([
  ["Is it still available?", "Is it still available?"],
  ["Nipatie\n\n kesho   saa nne", "Nipatie kesho saa nne"],
  ["Will you take 900 for it", "Will you take 900 for it"],
  ["Meet at 2 in room 14", "Meet at 2 in room 14"],
])("an email quotes %j", (text, shown) => expect(excerpt(text)).toBe(shown));

test.each([
  "320577",
  "320-577",
  "3 2 0 5 7 7",
  "3\u200B2\u200B0\u200B577",
  "٣٢٠٥٧٧",
  "three two zero five seven seven",
  "4821",
  "247247",
])("an email never shows %j", (number) => {
  expect(excerpt(`Take ${number} please`) ?? "").toMatch(/^(Take … please)?$/);
  expect(excerpt(number)).toBeNull();
});

test.each([
  "Call me on 0712 345 678",
  "WhatsApp me",
  "Send it to my till 247247",
  "see wa.me/x",
  "https://chuoni.example/product/1",
  "evil.com is cheaper",
  "write to a@b.co",
  "",
  "  \u200B ",
  "🙂",
])("an email leaves out %j", (text) => expect(excerpt(text)).toBeNull());

test("photos are named", () => {
  expect(excerpt("", 1)).toBe("Photo");
  expect(excerpt("", 3)).toBe("3 photos");
});

test("a long message is cut between words, and a long word is cut as well", () => {
  expect(excerpt("word ".repeat(60))).toMatch(/^(word ){10,15}word…$/);
  expect([...(excerpt("x".repeat(2000)) ?? "")]).toHaveLength(80);
});

test("whatever somebody writes, the excerpt is one short line with no number and no address", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[ -~\d\n.@/]{0,200}$/)), (text) => {
      const shown = excerpt(text) ?? "";
      expect([...shown].length).toBeLessThanOrEqual(80);
      expect(shown).not.toMatch(/[\n\r@/\\]|\p{N}{4}|\p{Cf}/u);
    }),
  );
});
