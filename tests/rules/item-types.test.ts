import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ITEM_TYPES } from "#app/catalogue/types/item-types.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import { typesNamed } from "#app/catalogue/types/type-names.ts";
import { KEPT_TABLE, withNarrower } from "#app/catalogue/types/type-table.ts";
import { LISTINGS } from "#scripts/seed/stock.ts";
import { STUDENT_TITLES } from "#tests/support/student-titles.ts";

function typeOf(name: string, category = "other") {
  return recognizeType({ name, category }, KEPT_TABLE);
}

const IDS = new Set(ITEM_TYPES.map(({ id }) => id));

describe("the kept table", () => {
  it("has codes in kebab case, each once, and links that lead to a type", () => {
    expect(IDS.size).toBe(ITEM_TYPES.length);
    expect([...IDS].filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
    const links = ITEM_TYPES.flatMap(({ parent, of = [] }) => (parent === undefined ? of : [parent, ...of]));
    expect(links.filter((id) => !IDS.has(id))).toEqual([]);
  });

  it("sorts each type into a category of the baseline", () => {
    const tables = readFileSync("migrations/0000_tables.sql", "utf8");
    const lost = ITEM_TYPES.filter(({ category }) => !tables.includes(`\n  ('${category}', '`));
    expect(lost).toEqual([]);
  });

  it("finds each type by its own name", () => {
    const lost = ITEM_TYPES.filter(({ id, name, category }) => typeOf(name, category)?.type !== id);
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  it("gives each name to one type of a category at most, because the category decides between several", () => {
    const twice = [...KEPT_TABLE.phrases].filter(([, meanings]) => {
      const categories = meanings.filter(({ isName }) => isName).map(({ type }) => type.category);
      return new Set(categories).size < categories.length;
    });
    expect(twice.map(([words]) => words)).toEqual([]);
  });
});

describe("recognizing a listing's type", () => {
  it.each(STUDENT_TITLES)("$title: $type", ({ title, category, type }) => {
    expect(typeOf(title, category)?.type ?? null).toBe(type);
  });

  it.each([
    ["HP EliteBook 840 G3, i5, 8 GB, 256 SSD", "laptop", "EliteBook"],
    ["Simu ya kupiga tecno", "phone", "Simu"],
    ["Casio fx-991ES Plus", "calculator", "fx-991"],
    ["HP laptop charger", "laptop-charger", "laptop charger"],
    ["Charger for Lenovo ThinkPad", "laptop-charger", "Charger"],
    ["EliteBook 840 with charger and bag", "laptop", "EliteBook"],
    ["Clear cover, iPhone 13", "phone-case", "cover"],
    ["Laptop stickers", "other-accessory", "stickers"],
  ])("says which words of “%s” decided", (name, type, because) => {
    expect(typeOf(name)).toEqual({ type, because });
  });

  it("takes a textbook for one, whatever it is about", () => {
    expect(typeOf("Guitar and phone repair for engineers", "textbooks")?.type).toBe("textbook");
    expect(typeOf("Past papers, first year", "textbooks")?.type).toBe("past-papers");
  });

  it("knows every listing of the demo campus", async () => {
    const lines = Object.entries(LISTINGS).flatMap(([category, listings]) =>
      listings.map(({ name }) => `${name} = ${typeOf(name, category)?.type ?? "?"}\n`),
    );
    await expect(lines.join("")).toMatchFileSnapshot("demo-types.txt");
  });

  it("never fails, and gives a reason that stands in the name", () => {
    const words = fc.constantFrom(
      "laptop",
      "charger",
      "ya",
      "simu",
      "8gb",
      "ram",
      "with",
      ",",
      "cover",
      "4",
      "İ",
      "ﷺ",
      "'s",
    );
    const names = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(words).map((list) => list.join(" ")),
    );
    fc.assert(
      fc.property(names, (name) => {
        const found = typeOf(name);
        if (found) expect(name).toContain(found.because);
      }),
    );
  });
});

describe("types that a search names", () => {
  const named = (...words: string[]) => typesNamed(words, KEPT_TABLE);

  it("finds names in singular and plural, joined and apart, with one mistake", () => {
    for (const words of [["laptops"], ["lap", "top"], ["labtop"]])
      expect(named(...words)[0]?.types).toEqual(["laptop"]);
    expect(named("simu", "tecno")).toEqual([{ types: ["phone"], words: [0] }]);
  });

  it("takes an accessory and its thing as one", () => {
    expect(named("charger", "hp", "laptop")).toEqual([{ types: ["laptop-charger"], words: [0, 2] }]);
    expect(named("cover", "simu")).toEqual([{ types: ["phone-case"], words: [0, 1] }]);
  });

  it("names no type by a brand's model", () => {
    for (const model of ["elitebook", "iphone", "macbook"]) expect(named(model)).toEqual([]);
  });

  it("includes narrower types", () => {
    expect(withNarrower("charger", KEPT_TABLE)).toEqual(["charger", "laptop-charger", "phone-charger"]);
  });

  it("covers only words that the search has, each once", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("laptop", "lap", "top", "charger", "cover", "simu", "fx991es", "bag"),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const covered = typesNamed(words, KEPT_TABLE).flatMap((found) => found.words);
        expect(new Set(covered).size).toBe(covered.length);
        expect(covered.every((at) => words[at] !== undefined)).toBe(true);
      }),
      { examples: [[["laptop", "S Mc"]]] },
    );
  });
});
