import { expect, test } from "vitest";
import { nearestText, type NearestFound } from "#app/catalogue/search/nearest-text.ts";
import { meaningOf } from "#app/catalogue/search/search-meaning.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";

const meantBy = (text: string) => meaningOf(text, KEPT_TABLE, new Map());

test.each([
  ["laptop", "laptop"],
  ["hp laptops", "laptop"],
  ["lap top", "laptop"],
  ["laptop charger", "laptop-charger"],
  ["charger laptop", "laptop-charger"],
  ["charger for my laptop", "laptop-charger"],
  ["charger ya laptop", "laptop-charger"],
])("%j looks for the type %s", (text, type) => {
  expect(meantBy(text).head?.types).toContain(type);
});

test("A model stands for its type, and is no name of it", () => {
  expect(meantBy("thinkpad t480")).toMatchObject({ head: null, model: "laptop" });
  expect(meantBy("thinkpad charger").head?.types).not.toContain("laptop");
});

test("Words that name nothing mean themselves", () => {
  expect(meantBy("purple submarine")).toMatchObject({ named: [], head: null, model: null, category: null });
});

const nearest = { without: [], withoutFilters: false, by: "words", things: null } satisfies NearestFound;

test.each<[Partial<NearestFound>, string]>([
  [{ without: ["purple"], by: "type", things: "Laptops" }, "Nothing has “purple”. These are laptops."],
  [{ without: ["smart"], by: "type", things: "TVs" }, "Nothing has “smart”. These are TVs."],
  [
    { without: ["purple"], by: "type", things: "Laptops", withoutFilters: true },
    "Nothing with your filters has “purple”. These are laptops, without your filters.",
  ],
  [{ withoutFilters: true }, "Nothing fits your filters. These are the results without them."],
  [{ without: ["kettle"] }, "Nothing has all your words. These don't have “kettle”."],
  [{ without: ["a", "b"], by: "category" }, "Nothing fits your words. These are in the same category."],
  [{ without: ["submarine"], by: "nothing" }, "Nothing fits your words. These are the newest listings."],
])("The nearest results %j say what is missing", (found, text) => {
  expect(nearestText({ ...nearest, ...found })).toBe(text);
});
