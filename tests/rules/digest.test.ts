import fc from "fast-check";
import { expect, test } from "vitest";
import { DIGEST_MAX, digestWeek, type Interests, type NewListing, pickListings } from "#app/digest/digest-rules.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** 28 November 2026, a Saturday, 00:00 in East Africa. */
const SATURDAY = Date.UTC(2026, 10, 27, 21);

test("a week begins on Saturday, and nobody is told at night", () => {
  const week = digestWeek(SATURDAY + 9 * HOUR);
  expect(week).not.toBeNull();
  expect(digestWeek(SATURDAY + 9 * HOUR - 1)).toBeNull();
  expect(digestWeek(SATURDAY + 20 * HOUR - 1)).toBe(week);
  expect(digestWeek(SATURDAY + 20 * HOUR)).toBeNull();
  expect(digestWeek(SATURDAY + 6 * DAY + 12 * HOUR)).toBe(week);
  expect(digestWeek(SATURDAY - DAY + 12 * HOUR)).toBe((week ?? 0) - 1);
  expect(digestWeek(SATURDAY + 7 * DAY + 12 * HOUR)).toBe((week ?? 0) + 1);
});

const NOBODY: Interests = {
  readerId: "me",
  wishedTypes: [],
  boughtTypes: [],
  followed: [],
  known: [],
  blocked: [],
};

test("followed shops come first, then what somebody wishes, then what they bought", () => {
  const listing = (id: string, sellerId: string, type: string | null): NewListing => ({ id, name: id, sellerId, type });
  const listings = [
    listing("bought", "a", "kettle"),
    listing("other", "a", "sofa"),
    listing("unknown", "a", null),
    listing("wished", "a", "laptop"),
    listing("followed", "shop", "sofa"),
    listing("both", "shop", "laptop"),
  ];
  const me = { ...NOBODY, wishedTypes: ["laptop"], boughtTypes: ["kettle"], followed: ["shop"] };
  expect(pickListings(me, listings).map(({ id }) => id)).toEqual(["both", "followed", "wished", "bought"]);
  expect(pickListings(NOBODY, listings)).toEqual([]);
});

const word: fc.Arbitrary<string> = fc.constantFrom("a", "b", "c", "d", "me");
const words = fc.array(word, { maxLength: 4 });
const anyListing = fc.record({ id: fc.uuid(), name: word, sellerId: word, type: fc.option(word) });
const anyInterests = fc.record({
  readerId: fc.constant("me"),
  wishedTypes: words,
  boughtTypes: words,
  followed: words,
  known: words,
  blocked: words,
});

test("a digest is short, and has nothing of one's own, of blocked people, or that interests nobody", () => {
  fc.assert(
    fc.property(anyInterests, fc.array(anyListing, { maxLength: 30 }), (me, listings) => {
      const picked = pickListings({ ...me, known: listings.slice(0, 2).map(({ id }) => id) }, listings);
      expect(picked.length).toBeLessThanOrEqual(DIGEST_MAX);
      expect(new Set(picked).size).toBe(picked.length);
      for (const { id, sellerId, type } of picked) {
        expect(listings.slice(0, 2).some((known) => known.id === id)).toBe(false);
        expect(sellerId).not.toBe("me");
        expect(me.blocked).not.toContain(sellerId);
        expect(me.followed.includes(sellerId) || [...me.wishedTypes, ...me.boughtTypes].includes(type ?? "none")).toBe(
          true,
        );
      }
    }),
  );
});
