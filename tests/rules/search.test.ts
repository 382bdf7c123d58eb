import fc from "fast-check";
import { expect, test } from "vitest";
import { readSearchCursor, wordsToMark, writeSearchCursor } from "#app/catalogue/search/search-query.ts";
import { excerptAround, markPattern, splitAtMatches } from "#app/catalogue/search/search-marks.ts";
import { SEARCH_TEXT_MAX, tidySearchText } from "#app/catalogue/search/search-text.ts";
import {
  formsOf,
  isOneMistakeAway,
  keptParts,
  splitWords,
  stemsOf,
  writtenApart,
} from "#app/catalogue/search/search-words.ts";

test("Any text becomes one that can be looked up: short, on one line, and no different when tidied again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1_000 }), (raw) => {
      const text = tidySearchText(raw);
      expect([...text].length).toBeLessThanOrEqual(SEARCH_TEXT_MAX);
      expect(text).not.toMatch(/[\u0000-\u001f]|^\s|\s$|\s\s/);
      expect(tidySearchText(text)).toBe(text);
    }),
  );
  expect(tidySearchText("x".repeat(10_000))).toHaveLength(SEARCH_TEXT_MAX);
});

test.each([
  ["Casio FX-991, casio", ["casio", "fx", "991"]],
  ["shoes for men", ["shoes", "men"]],
  ["for the", ["for", "the"]],
  ["the men's T-shirts", ["men", "tshirts"]],
  ["C++ or C#", ["cpp", "csharp"]],
  ["5' x 6' mattress", ["5x6", "mattress"]],
  ["Wi-Fi and wi fi", ["wifi"]],
  ['"NEAR(a* b:c)" %', ["near", "b", "c"]],
  ["🎧 pods", ["🎧", "pods"]],
  ["... --", []],
])("%j has the words %j", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test.each([
  ["shoe", "shoes"],
  ["battery", "batteries"],
  ["box", "boxes"],
  ["watch", "watches"],
  ["knife", "knives"],
  ["shelf", "shelves"],
  ["tv", "tvs"],
  ["kitabu", "vitabu"],
])("%s and %s are forms of each other", (one, many) => {
  expect(formsOf(one)).toContain(many);
  expect(formsOf(many)).toContain(one);
});

test.each(["dress", "bus", "gas", "plus", "tennis"])("%s begins nothing shorter than itself", (word) => {
  expect(stemsOf(word)).toEqual([word]);
});

test.each([
  ["powerbank", "power bank"],
  ["tshirt", "t shirt"],
  ["fx991", "fx 991"],
  ["840g3", "840 g3"],
  ["840g3", "840 g 3"],
  ["hp840g3", "hp 840 g3"],
  ["4x6", "4 6"],
])("%s may be written %j", (word, apart) => {
  expect(writtenApart(word).map(({ words }) => words)).toContain(apart);
});

const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
const word = fc.string({ unit: letter, minLength: 4, maxLength: 11 });
const misspelled = word.chain((right) =>
  fc
    .tuple(fc.nat({ max: right.length - 1 }), letter, fc.constantFrom("drop", "add", "change", "swap"))
    .map(([at, other, how]) => {
      const [before, here, after] = [right.slice(0, at), right.charAt(at), right.slice(at + 1)];
      const wrong = {
        drop: before + after,
        add: before + other + here + after,
        change: before + other + after,
        swap: before + after.slice(0, 1) + here + after.slice(1),
      }[how];
      return { right, wrong };
    }),
);

test("Words that are one mistake apart are taken for each other, and have their first or their last part in common", () => {
  fc.assert(
    fc.property(misspelled, ({ right, wrong }) => {
      if (wrong === right) return;
      expect(isOneMistakeAway(right, wrong)).toBe(true);
      expect(isOneMistakeAway(wrong, right)).toBe(true);
      if (wrong.length < 4) return;
      const { size, first, lasts } = keptParts(wrong);
      expect(right.slice(0, size) === first || lasts.includes(right.slice(-size))).toBe(true);
    }),
  );
});

test.each([
  ["phone", "phone"],
  ["phone", "phonics"],
  ["casio", "basic"],
  ["kettle", "kettleso"],
  ["abcd", "badc"],
])("%s and %s are not one mistake apart", (one, other) => {
  expect(isOneMistakeAway(one, other)).toBe(false);
});

test("Marking loses nothing of a text, and marks each word that was looked for whatever its case", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, wanted) => {
      expect(splitAtMatches(text, markPattern(wanted)).join("")).toBe(text);
    }),
  );
  expect(splitAtMatches("MacBook and notebook", markPattern("BOOK"))).toEqual(["Mac", "Book", " and note", "book", ""]);
  expect(splitAtMatches("HP charger, PHP", markPattern("charger hp"))).toEqual(["", "HP", " ", "charger", ", PHP"]);
  expect(splitAtMatches("Two shoes", markPattern(wordsToMark({ words: ["shoe"], named: [] }, new Map())))).toEqual([
    "Two ",
    "shoes",
    "",
  ]);
  expect(splitAtMatches("Any (text)", markPattern("*"))).toEqual(["Any (text)"]);
});

test("An excerpt begins near the match and holds it", () => {
  const description = "Bought last year for the first semester.\nComes with a charger and a bag.";
  expect(excerptAround(description, markPattern("CHARGER"))).toBe("…with a charger and a bag.");
  expect(excerptAround(description, markPattern("laptop charger"))).toBe("…with a charger and a bag.");
  expect(excerptAround(description, markPattern("bought"))).toBe(
    "Bought last year for the first semester. Comes with a charger and a bag.",
  );
  expect(excerptAround(description, markPattern("absent"))).toBeNull();
});

test("Cursors of a search are read back, and others are not read at all", () => {
  for (const price of [null, 0, 24_500]) {
    const cursor = { stage: 4, place: 2 ** 40 + 42, price };
    expect(readSearchCursor(writeSearchCursor(cursor))).toEqual(cursor);
  }
  for (const text of [null, "", "42", "n42", "1.-1", "1.1.-5", "1.1.5.2", "1.1 OR 1=1"])
    expect(readSearchCursor(text)).toBeNull();
});
