import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ListFilters } from "#app/catalogue/browse/list-filters.ts";
import { CONDITIONS } from "#app/catalogue/labels.ts";
import { readSaved, savedPath, writeSaved } from "#app/catalogue/saved/saved-address.ts";
import {
  DAILY_HOUR,
  type Found,
  FREQUENCIES,
  isFall,
  lastDailyTime,
  soonest,
  type Telling,
  tellingOf,
} from "#app/catalogue/saved/saved-search-rules.ts";
import { listingFor } from "#app/catalogue/saved/listing-for.ts";
import { campusesSaid, lookingSentence, priceSaid, shareRefusal } from "#app/catalogue/saved/shared-search-rules.ts";
import { readList } from "#app/catalogue/selling/prohibited-rules.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { inEastAfrica } from "#app/platform/east-africa-time.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

describe("who is told of a listing that costs KES 1,000", () => {
  const known = (price: number, told: number, waits = false): Found => ({ price, told, waits });
  test.each<[string, Found | null, Telling, Telling, Telling]>([
    ["that is new to them", null, "tell", "wait", "count"],
    ["that was only counted", known(1_000, 0), "tell", "wait", "nothing"],
    ["that they were told of at this price", known(1_000, 1), "nothing", "nothing", "nothing"],
    ["that was cheaper before", known(900, 1), "nothing", "nothing", "nothing"],
    ["that has become a little cheaper", known(1_010, 1), "know", "know", "know"],
    ["that has become cheaper", known(1_100, 1), "tell", "wait", "know"],
    ["that has become cheaper again", known(1_100, 2), "know", "know", "know"],
    ["that waits for the evening", known(1_000, 1, true), "nothing", "nothing", "nothing"],
    ["that waits for the evening and has become cheaper", known(2_000, 1, true), "know", "know", "know"],
  ])("%s", (_, found, atOnce, daily, never) => {
    expect(FREQUENCIES.map((frequency) => tellingOf(frequency, found, 1_000))).toEqual([atOnce, daily, never]);
  });

  test("nobody is told more than twice, whatever the prices and the frequencies", () => {
    const steps = fc.array(fc.record({ price: fc.nat(5_000), frequency: fc.constantFrom(...FREQUENCIES) }));
    fc.assert(
      fc.property(steps, (all) => {
        let found: Found | null = null;
        let told = 0;
        for (const { price, frequency } of all) {
          const telling = tellingOf(frequency, found, price);
          const isTold = telling === "tell" || telling === "wait";
          if (found && found.told > 0 && isTold) expect(price).toBeLessThan(found.price);
          told += Number(isTold);
          const before: Found = found ?? { price, told: 0, waits: false };
          if (telling !== "nothing")
            found = { price: Math.min(before.price, price), told: before.told + Number(isTold), waits: false };
        }
        expect(told).toBeLessThanOrEqual(2);
      }),
    );
  });

  test("a fall is at least a twentieth", () => {
    expect([950, 951, 1_000, 1_100].map((price) => isFall(1_000, price))).toEqual([true, false, false, false]);
    expect([isFall(10, 0), isFall(0, 0)]).toEqual([true, false]);
  });
});

test("the soonest of several searches counts", () => {
  expect([soonest(["never", "daily"]), soonest(["daily", "at_once"]), soonest([])]).toEqual([
    "daily",
    "at_once",
    "never",
  ]);
});

test("daily notifications are due at one hour in East Africa", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (now) => {
      const due = lastDailyTime(now);
      expect(inEastAfrica(due).toISOString().slice(11)).toBe(`${DAILY_HOUR}:00:00.000Z`);
      expect(due <= now && now < due + 24 * 60 * 60_000).toBe(true);
    }),
  );
});

const filters: fc.Arbitrary<ListFilters> = fc.record({
  min: fc.option(fc.integer({ min: 1, max: 1_000 })),
  max: fc.option(fc.integer({ min: 1_000, max: 90_000 })),
  conditions: fc.subarray([...CONDITIONS]),
  campuses: fc.subarray([...CAMPUSES]),
  type: fc.option(fc.constantFrom(...KEPT_TABLE.types.keys())),
  facts: fc.constantFrom<ListFilters["facts"]>({}, { size: ["41", "42"] }, { brand: ["hp"], memory: ["8"] }),
  delivery: fc.boolean(),
  verified: fc.boolean(),
  wholesale: fc.boolean(),
  sort: fc.constantFrom("best" as const, "price-asc" as const),
});

test("the same search has one name, whatever its order and capitals", () => {
  fc.assert(
    fc.property(fc.constantFrom("HP laptop", "fx-991", "50% & more"), filters, (words, chosen) => {
      const address = writeSaved({ words, filters: chosen });
      expect(readSaved(address)).toEqual({ words: words.toLowerCase(), filters: { ...chosen, sort: "best" } });
      expect(writeSaved({ words: words.toUpperCase(), filters: { ...chosen, sort: "newest" } })).toBe(address);
      expect(savedPath(address).split("?")[0]).toBe("/search");
    }),
  );
});

describe("a shared search", () => {
  const looking = { thing: "“casio fx-991”", campuses: ["Main Campus"], price: "KES 1,500 or less", chips: [] };

  test("says what is looked for, where and for how much, and nothing else", () => {
    expect(lookingSentence(looking)).toBe("Somebody on Main Campus is looking for “casio fx-991”, KES 1,500 or less.");
    expect(lookingSentence({ ...looking, campuses: [], price: null })).toBe("Somebody is looking for “casio fx-991”.");
    expect(priceSaid({ min: null, max: 0 })).toBe("free");
    expect(priceSaid({ min: 500, max: null })).toBe("KES 500 or more");
    expect(priceSaid({ min: 500, max: 900 })).toBe("KES 500 to KES 900");
  });

  test("names campuses of our list alone, and two at most", () => {
    const [one = "", two = "", three = ""] = CAMPUSES;
    expect(campusesSaid([], one, CAMPUSES)).toEqual([one]);
    expect(campusesSaid([], null, CAMPUSES)).toEqual([]);
    expect(campusesSaid([two], one, CAMPUSES)).toEqual([two]);
    expect(campusesSaid(["Room 12, call 0712 345 678"], null, CAMPUSES)).toEqual([]);
    expect(campusesSaid([one, two, three], one, CAMPUSES)).toEqual([]);
  });

  const LIST = readList([
    { kind: "word", term: "fake passport" },
    { kind: "word", term: "gun" },
    { kind: "allowed", term: "glue gun" },
  ]);
  const refusalOf = (words: string, type: string | null = null) =>
    shareRefusal({ words, type }, type && (KEPT_TABLE.types.get(type)?.plural ?? null), LIST);

  test.each([
    ["casio fx-991", null],
    ["glue gun", null],
    ["mtungi wa 6kg", null],
    ["", "unnamed"],
    ["!!!", "unnamed"],
    ["fake passports", "prohibited"],
    ["g u n", "prohibited"],
    ["phone 0712 345 678", "words"],
    ["laptop, text +254 (0)112-345-678", "words"],
    ["wa.me/254712345678", "words"],
    ["kicks by njeri.com", "words"],
    ["pay to till 5112345", "words"],
    ["@njeri_kicks shoes", "words"],
    ["verified seller laptop", "words"],
    ["x".repeat(101), "long"],
  ])("of %s is refused: %s", (words, refusal) => {
    expect(refusalOf(words)).toBe(refusal);
  });

  test("needs words, or a type that we still have", () => {
    expect(refusalOf("", "laptop")).toBeNull();
    expect(refusalOf("", "no-such-type")).toBe("unnamed");
    expect(refusalOf("hp", "no-such-type")).toBe("unnamed");
  });

  test("is never shared with a phone number, whatever stands around it", () => {
    const around = fc.stringMatching(/^[a-z ]{0,20}$/);
    const number = fc.tuple(fc.constantFrom("07", "01", "+2547", "2547"), fc.stringMatching(/^\d{8}$/));
    fc.assert(
      fc.property(around, number, around, (before, [start, rest], after) => {
        expect(refusalOf(`${before} ${start}${rest} ${after}`)).not.toBeNull();
      }),
    );
  });

  test("fills in the form of whoever has it", () => {
    const form = (address: string) => listingFor(readSaved(address), KEPT_TABLE);
    expect(form("q=casio+fx-991&max=1500")).toMatchObject({
      name: "Casio fx-991",
      price: "1500",
      type: "",
      category: KEPT_TABLE.types.get("calculator")?.category,
      condition: "new",
    });
    expect(form("type=laptop&brand=hp&condition=like_new&condition=good&condition=fair")).toMatchObject({
      name: "",
      price: "",
      type: "laptop",
      category: KEPT_TABLE.types.get("laptop")?.category,
      condition: "good",
      "fact:brand": "hp",
    });
    expect(form("q=laptop&brand=hp&brand=dell&condition=fair")).toMatchObject({ condition: "fair" });
    expect(form("q=laptop&brand=hp&brand=dell")["fact:brand"]).toBeUndefined();
  });
});
