import fc from "fast-check";
import { expect, test } from "vitest";
import { campusCalled } from "#app/accounts/profile/campus-rules.ts";
import {
  activeChips,
  type ListFilters,
  type ListSort,
  NO_LIST_FILTERS,
  USED,
  writeListFilters,
} from "#app/catalogue/browse/list-filters.ts";
import { LIST_KINDS, type ListKind, LIST_SORTS, sortOf } from "#app/catalogue/browse/list-kinds.ts";
import { readListFilters as readWith } from "#app/catalogue/browse/read-list-filters.ts";
import { FACTS } from "#app/catalogue/facts/fact-table.ts";
import { FILTER_FACTS, factsToFilter } from "#app/catalogue/facts/filter-facts.ts";
import { factText } from "#app/catalogue/facts/listing-facts.ts";
import { priceChoices } from "#app/catalogue/browse/price-choices.ts";
import { CONDITIONS } from "#app/catalogue/labels.ts";
import { readSearch } from "#app/catalogue/search/read-search.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { COLUMN_HEADERS } from "#app/catalogue/import/listing-columns.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";
import { sourceFiles } from "#tests/support/source.ts";

const readListFilters = (params: URLSearchParams, kind: ListKind = LIST_KINDS.search) =>
  readWith(params, kind, FILTER_FACTS);

const end = fc.option(fc.integer({ min: 1, max: 1_000_000 }));
/** Any choices of any facts, as an address with them is read. */
const facts = fc
  .array(fc.constantFrom(...FILTER_FACTS.flatMap(({ id, choices }) => choices.map(({ value }) => [id, value]))), {
    maxLength: 4,
  })
  .map((chosen) => readListFilters(new URLSearchParams(chosen)).facts);
const filters: fc.Arbitrary<ListFilters> = fc
  .record({
    ends: fc.tuple(end, end),
    conditions: fc.subarray(CONDITIONS),
    campuses: fc.subarray([...CAMPUSES]),
    type: fc.option(fc.constantFrom("laptop", "laptop-charger")),
    facts,
    delivery: fc.boolean(),
    verified: fc.boolean(),
    wholesale: fc.boolean(),
    sort: fc.constantFrom(...(Object.keys(LIST_SORTS) as ListSort[])),
  })
  .map(({ ends: [one, other], ...others }) => ({
    ...others,
    min: one !== null && other !== null ? Math.min(one, other) : one,
    max: one !== null && other !== null ? Math.max(one, other) : other,
  }));

const read = (query: string) => readListFilters(new URLSearchParams(query));

test("the address of a list carries its filters there and back", () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      expect(readListFilters(writeListFilters(chosen))).toEqual(chosen);
    }),
  );
  expect(writeListFilters(NO_LIST_FILTERS).toString()).toBe("");
});

const kinds = fc.constantFrom<ListKind>(...Object.values(LIST_KINDS));

test("a browser without scripts, which sends each field of the form, leads to the same list", () => {
  fc.assert(
    fc.property(filters, kinds, ({ sort, min, max, ...others }, kind) => {
      const order = kind.sorts.find((one) => one === sort) ?? kind.sorts[0];
      const fields = { ...others, sort: order, min: min ?? 0, max: max ?? kind.priceMax };
      const chosen = readListFilters(writeListFilters(fields), kind);
      expect(chosen).toEqual({
        ...others,
        sort: order === kind.sorts[0] ? "best" : order,
        min: min === null ? null : Math.min(min, kind.priceMax),
        max: max !== null && max >= kind.priceMax ? null : max,
      });
      expect(sortOf(chosen, kind)).toBe(order);
      expect(readListFilters(writeListFilters(chosen), kind)).toEqual(chosen);
    }),
  );
});

test.each<[string, Partial<ListFilters>]>([
  ["max=999999999&sort=best", {}],
  ["min=0&max=100000&sort=price-asc", {}],
  ["min=150000&max=120000", { min: 100_000 }],
  ["type=laptop&delivery=1&sort=newest", { type: "laptop", delivery: true, sort: "newest" }],
])("a category's address that says %s is read as its slider can show it", (query, expected) => {
  expect(readListFilters(new URLSearchParams(query), LIST_KINDS.category)).toEqual({ ...NO_LIST_FILTERS, ...expected });
});

test("the form of a type writes the same address as the server, in whatever order its choices were ticked", () => {
  fc.assert(
    fc.property(filters, fc.constantFrom("shoes", "trousers", "laptop", "bag"), fc.gen(), (chosen, type, gen) => {
      const shown = factsToFilter([type], chosen, KEPT_TABLE);
      const fields = [...writeListFilters(chosen)];
      const shuffled = gen(fc.shuffledSubarray, fields, { minLength: fields.length });
      expect(readWith(new URLSearchParams(shuffled), LIST_KINDS.search, shown)).toEqual(chosen);
      expect(writeListFilters(readWith(new URLSearchParams(shuffled), LIST_KINDS.search, shown)).toString()).toBe(
        writeListFilters(chosen).toString(),
      );
    }),
  );
});

test("no fact has the name of another parameter of an address", () => {
  const others = "q min max condition campus type delivery verified wholesale sort after filters seller category".split(
    " ",
  );
  expect(FACTS.filter(({ id }) => others.includes(id))).toEqual([]);
});

test.each(FILTER_FACTS.map((fact) => [fact.id, fact] as const))(
  "a choice of %s has a chip with its words",
  (id, { choices }) => {
    const fact = FACTS.find((one) => one.id === id);
    for (const { value } of choices) {
      const chosen = { ...NO_LIST_FILTERS, facts: { [id]: [value] } };
      const labels = activeChips(chosen, { facts: factsToFilter([], chosen, KEPT_TABLE) }).map(({ label }) => label);
      expect(labels).toEqual([fact && factText(fact, value)]);
    }
  },
);

test("any address is read as filters that can be written", () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.constantFrom("1e9", "-5", "2,500", "5k", "9".repeat(400)),
  );
  const name = fc.constantFrom(
    "min",
    "max",
    "condition",
    "campus",
    "type",
    "size",
    "delivery",
    "verified",
    "wholesale",
    "sort",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const chosen = readListFilters(new URLSearchParams(pairs));
      expect(readListFilters(writeListFilters(chosen))).toEqual(chosen);
    }),
  );
});

test.each<[string, Partial<ListFilters>]>([
  ["sort=toString&condition=broken&campus=all&min=-5&max=1e9&type=../x&verified=yes", {}],
  ["campus=Moon&campus=&campus=City+Campus&campus=Moon", { campuses: ["City Campus", "Moon"] }],
  ["min=5000&max=200", { min: 200, max: 5_000 }],
  ["min=2%2C500&max=5k", { min: 2_500, max: 5_000 }],
  ["min=0&max=0", { max: 0 }],
  ["min=&max=", {}],
  ["condition=good&condition=new&condition=good", { conditions: ["new", "good"] }],
  ["size=42&size=xl&size=41&size=9000&memory=8gb&edition=9th", { facts: { size: ["41", "42", "xl"] } }],
])("an address that says %s is read sensibly", (query, expected) => {
  expect(read(query)).toEqual({ ...NO_LIST_FILTERS, ...expected });
});

test("each chip takes one thing off, and without all of them nothing is left but the order", () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      let left = chosen;
      for (let [chip] = activeChips(left); chip; [chip] = activeChips(left)) {
        expect(activeChips(chip.without).length).toBeLessThan(activeChips(left).length);
        left = chip.without;
      }
      expect(left).toEqual({ ...NO_LIST_FILTERS, sort: chosen.sort });
    }),
  );
});

test.each<[Partial<ListFilters>, string[]]>([
  [{ max: 2_000 }, ["Up to KES 2,000"]],
  [{ min: 500 }, ["From KES 500"]],
  [{ min: 500, max: 2_000 }, ["KES 500 to KES 2,000"]],
  [{ max: 0 }, ["Free"]],
  [{ conditions: USED }, ["Used"]],
  [{ conditions: ["new", "good"] }, ["New", "Used - Good"]],
  [{ campuses: ["Main Campus"], delivery: true }, ["Main Campus", "Seller delivers"]],
  [{ sort: "newest" }, []],
])("the filters %o read %o", (chosen, labels) => {
  expect(activeChips({ ...NO_LIST_FILTERS, ...chosen }).map(({ label }) => label)).toEqual(labels);
});

test("a type is called by its name", () => {
  expect(activeChips({ ...NO_LIST_FILTERS, type: "laptop" }, { typeName: "Laptops" })[0]?.label).toBe("Laptops");
});

const readWords = (text: string) => readSearch(text, CAMPUSES, "City Campus");

test.each<[text: string, words: string, filters: Partial<ListFilters>]>([
  [
    "used calculator under 2000 on my campus",
    "calculator",
    { conditions: USED, max: 2_000, campuses: ["City Campus"] },
  ],
  ["laptop below 5k", "laptop", { max: 5_000 }],
  ["simu chini ya 2000", "simu", { max: 2_000 }],
  ["shoes 1000-3000", "shoes", { min: 1_000, max: 3_000 }],
  ["shoes between 3k and 1k", "shoes", { min: 1_000, max: 3_000 }],
  ["bag over Ksh 500 under Ksh 2,000/=", "bag", { min: 500, max: 2_000 }],
  ["phone less than 10 000", "phone", { max: 10_000 }],
  ["earphones 500 bob", "earphones", { max: 500 }],
  ["2500 or less, kettle", "kettle", { max: 2_500 }],
  ["kettle Main Campus", "kettle", { campuses: ["Main Campus"] }],
  ["hostel near parklands campus", "hostel", { campuses: ["Parklands Campus"] }],
  ["brand new phone", "phone", { conditions: ["new"] }],
  ["like new phone", "phone", { conditions: ["like_new"] }],
  ["second hand textbooks", "textbooks", { conditions: USED }],
  ["free textbooks", "textbooks", { max: 0 }],
  ["vitabu bure", "vitabu", { max: 0 }],
  ["pizza with free delivery", "pizza", { delivery: true }],
  ["under 500", "", { max: 500 }],
  ["air max 90 under 3000", "air max 90", { max: 3_000 }],
  ["nike air max 90 kes 3000", "nike air max 90", { max: 3_000 }],
  ["iphone 11 pro max 64gb max 45k", "iphone 11 pro max 64gb", { max: 45_000 }],
  ["laptop 20000 ksh 8gb", "laptop 8gb", { max: 20_000 }],
  ["rice cooker 3000 ksh 5 litres", "rice cooker 5 litres", { max: 3_000 }],
  ["laptop 20000 kes 2020", "laptop 2020", { max: 20_000 }],
  ["laptop max 20k", "laptop", { max: 20_000 }],
  ["viatu max 1500", "viatu", { max: 1_500 }],
  ["earphones max of 500", "earphones", { max: 500 }],
  ["earphones max 500 bob", "earphones", { max: 500 }],
  ["iphone xr max price 25000", "iphone xr", { max: 25_000 }],
  ["gas cooker 6kg maximum 800", "gas cooker 6kg", { max: 800 }],
  ["bedsitter 5k-8k", "bedsitter", { min: 5_000, max: 8_000 }],
  ["kitanda 4x6 kati ya 3k na 5k", "kitanda 4x6", { min: 3_000, max: 5_000 }],
  ["laptop hp 840 g3 used below 25k", "laptop hp 840 g3", { conditions: USED, max: 25_000 }],
  ["new iphone 11", "iphone 11", { conditions: ["new"] }],
  ["macbook pro 2019 new main campus", "macbook pro 2019", { conditions: ["new"], campuses: ["Main Campus"] }],
  ["ps5 controller brand new for 6k bob", "ps5 controller", { conditions: ["new"], max: 6_000 }],
  ["simu mpya ya tecno chini ya 15k", "simu ya tecno", { conditions: ["new"], max: 15_000 }],
  ["friji second hand", "friji", { conditions: USED }],
  ["free textbooks on my campus", "textbooks", { max: 0, campuses: ["City Campus"] }],
  ["vitabu vya bure", "vitabu", { max: 0 }],
  ["laptop 20-30k", "laptop", { min: 20_000, max: 30_000 }],
  ["laptop 20–30K", "laptop", { min: 20_000, max: 30_000 }],
  ["laptop 20 to 30k", "laptop", { min: 20_000, max: 30_000 }],
  ["laptop 20k-30k", "laptop", { min: 20_000, max: 30_000 }],
  ["laptop 20k to 30", "laptop", { min: 20_000, max: 30_000 }],
  ["phone 10-15k", "phone", { min: 10_000, max: 15_000 }],
  ["phone between 10 and 15k", "phone", { min: 10_000, max: 15_000 }],
  ["phone between 10k and 15k", "phone", { min: 10_000, max: 15_000 }],
  ["phone from 10 to 15 thousand", "phone", { min: 10_000, max: 15_000 }],
  ["shoes 1-2k", "shoes", { min: 1_000, max: 2_000 }],
  ["shoes 1.5-2k", "shoes", { min: 1_500, max: 2_000 }],
  ["shoes 500-1k", "shoes", { min: 500, max: 1_000 }],
  ["shoes 800 - 1.5k", "shoes", { min: 800, max: 1_500 }],
  ["bedsitter 5k-8000", "bedsitter", { min: 5_000, max: 8_000 }],
  ["simu kati ya elfu tatu na tano", "simu", { min: 3_000, max: 5_000 }],
  ["simu elfu tatu hadi elfu tano", "simu", { min: 3_000, max: 5_000 }],
  ["simu elfu 3 hadi 5", "simu", { min: 3_000, max: 5_000 }],
  ["earphones 500/-", "earphones", { max: 500 }],
  ["earphones 1,500/=", "earphones", { max: 1_500 }],
  ["earphones 500 /-", "earphones", { max: 500 }],
  ["earphones under 500/-", "earphones", { max: 500 }],
  ["simu elfu tano", "simu", { max: 5_000 }],
  ["simu ya elfu kumi na tano", "simu ya", { max: 15_000 }],
  ["simu chini ya elfu ishirini", "simu", { max: 20_000 }],
  ["simu chini ya elfu 10", "simu", { max: 10_000 }],
  ["viatu elfu mbili na mia tano", "viatu", { max: 2_500 }],
  ["viatu mia tano", "viatu", { max: 500 }],
  ["viatu ngiri mbili", "viatu", { max: 2_000 }],
  ["viatu chini ya soo nane", "viatu", { max: 800 }],
  ["viatu zaidi ya mia tano", "viatu", { min: 500 }],
  ["laptop laki moja", "laptop", { max: 100_000 }],
  ["laptop under 20 thousand", "laptop", { max: 20_000 }],
  ["laptop under twenty thousand", "laptop", { max: 20_000 }],
  ["shoes under 2 thousand", "shoes", { max: 2_000 }],
  ["shoes below two thousand five hundred", "shoes", { max: 2_500 }],
  ["shoes under five hundred bob", "shoes", { max: 500 }],
  ["shoes two thousand shillings", "shoes", { max: 2_000 }],
  ["shoes under a thousand", "shoes", { max: 1_000 }],
  ["shoes 5k", "shoes", { max: 5_000 }],
  ["shoes 1.5k", "shoes", { max: 1_500 }],
  ["shoes under 1.5k", "shoes", { max: 1_500 }],
  ["laptop 25 k", "laptop", { max: 25_000 }],
  ["laptop for 25k", "laptop", { max: 25_000 }],
])("“%s” looks for “%s” with filters", (text, words, expected) => {
  expect(readWords(text)).toEqual({ words, filters: expected });
});

test.each([
  "size 42",
  "fx-991ES",
  "hp 840 g3",
  "ps5",
  "s23 ultra 256",
  "iphone 13 pro max 256",
  "iphone xs max 64gb",
  "nike air max 90",
  "air max 97 size 42",
  "air max 270 mtumba",
  "redmi note 12 pro max",
  "airpods max",
  "oraimo free pods 4",
  "bpa free bottle",
  "water bottle bpa free",
  "iphone sim free",
  "brave new world",
  "the new jim crow",
  "new progressive primary english",
  "8gb ram 256gb",
  "ssd over 500 gb",
  "charger 220-240 volts",
  "past papers 2019-2023",
  "past papers from 2019",
  "0712-345678",
  "under 17 jersey",
  "grade 4-6",
  "new balance 574",
  "New Testament",
  "free size dress",
  "free fire account",
  "sugar free",
  "main switch",
  "city bag",
  "renewed",
  "unused",
  "under 25.000",
  "2.500 - 2000",
  "2.5 - 2000",
  "4k tv",
  "tv 4k",
  "2k monitor",
  "10k resistor",
  "resistor 10k",
  "10k ohm potentiometer",
  "instagram account 5k followers",
  "two thousand seasons",
  "one hundred years of solitude",
  "a thousand splendid suns",
  "mia",
  "elfu lela ulela",
  "tano fora",
  "20-30 litres",
  "form 1-2",
  "size 38-40",
])("“%s” is words alone", (text) => {
  expect(readWords(text)).toEqual({ words: text, filters: {} });
});

test("“my campus” is words alone for somebody without a campus", () => {
  expect(readSearch("pen on my campus", CAMPUSES)).toEqual({ words: "pen on my campus", filters: {} });
});

test("any text gives words without anything more to read, and filters that an address can carry", () => {
  const piece = fc.constantFrom(
    ..."under 2000 5k - to over ksh bob used new free like my main campus between and".split(" "),
    ..."delivery with calculator size 42 , /= chini ya 025 2.500 elfu mia tano kumi na thousand hundred k - hadi".split(
      " ",
    ),
  );
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(" ")),
  );
  fc.assert(
    fc.property(text.map(tidySearchText), (typed) => {
      const { words, filters: found } = readWords(typed);
      expect(readWords(words)).toEqual({ words, filters: {} });
      const chosen = { ...NO_LIST_FILTERS, ...found };
      expect(readListFilters(writeListFilters(chosen))).toEqual(chosen);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["main", "Main Campus"],
  ["Westlands", "Westlands Campus"],
  ["  the PARKLANDS campus. ", "Parklands Campus"],
  ["City Campus", "City Campus"],
  ["Kisumu", undefined],
  ["campus", undefined],
  ["", undefined],
])("somebody who types “%s” means %s", (typed, name) => {
  expect(
    campusCalled(
      CAMPUSES.map((one) => ({ name: one })),
      typed,
    )?.name,
  ).toBe(name);
});

test("price choices divide a list into parts that people can say", () => {
  expect(priceChoices([200, 350, 480, 500, 900, 1_200, 2_400, 2_600, 5_100, 38_000])).toEqual([
    { min: null, max: 500 },
    { min: 500, max: 1_000 },
    { min: 1_000, max: 2_500 },
    { min: 2_500, max: null },
  ]);
  expect(priceChoices(Array.from({ length: 24 }, () => 500))).toEqual([]);
  expect(priceChoices([100, 2_000])).toEqual([]);
});

test("price choices have no gaps, and each has something in it or is open to both sides of it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 24 }), (prices) => {
      const choices = priceChoices(prices);
      expect([choices[0]?.min ?? null, choices.at(-1)?.max ?? null]).toEqual([null, null]);
      for (const [at, { min }] of choices.entries()) if (at > 0) expect(min).toBe(choices[at - 1]?.max);
      const ends = choices.flatMap(({ max }) => max ?? []);
      expect(ends).toEqual([...new Set(ends)].toSorted((one, other) => one - other));
    }),
  );
});

test("no fact is called as something else in an address or a file of listings", () => {
  // What any screen reads from its address, because a list may stand on each of them.
  const looked = sourceFiles("app", "workers")
    .flatMap(({ code }) => [...code.matchAll(/\b(?:searchP|p)arams\.(?:get|getAll|has|set|append)\("([^"]+)"/g)])
    .map(([, name = ""]) => name);
  const written = writeListFilters({
    ...NO_LIST_FILTERS,
    min: 1,
    max: 2,
    conditions: ["new"],
    campuses: ["Main Campus"],
    type: "laptop",
    delivery: true,
    verified: true,
    wholesale: true,
    sort: "newest",
  }).keys();
  const taken = new Set([...looked, ...written]);
  for (const name of ["q", "min", "type", "after", "sort", "delivery"]) expect(taken).toContain(name);
  expect(FACTS.filter(({ id }) => taken.has(id)).map(({ id }) => id)).toEqual([]);
  const headers = [...Object.values(COLUMN_HEADERS), ...FACTS.map(({ label }) => label)].map((name) =>
    name.toLowerCase(),
  );
  expect(headers).toEqual([...new Set(headers)]);
});
