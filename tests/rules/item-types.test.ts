import { describe, expect, it } from "vitest";
import { recogniseType } from "#app/catalogue/types/recognise-type.ts";
import { typesNamed } from "#app/catalogue/types/type-names.ts";
import { KEPT_TABLE, withNarrower } from "#app/catalogue/types/type-table.ts";

function typeOf(name: string, category = "other") {
  return recogniseType({ name, description: "", category }, KEPT_TABLE);
}

describe("recognising a listing's type", () => {
  it.each([
    ["HP EliteBook 840 G3, i5, 8 GB, 256 SSD", "laptop", "EliteBook"],
    ["Simu ya kupiga tecno", "phone", "Simu"],
    ["Casio fx-991ES Plus", "calculator", "fx-991"],
    ["HP laptop charger", "laptop-charger", "laptop charger"],
    ["Charger for Lenovo ThinkPad", "laptop-charger", "Charger"],
    ["EliteBook 840 with charger and bag", "laptop", "EliteBook"],
  ])("%s", (name, type, because) => {
    expect(typeOf(name)).toEqual({ type, because });
  });

  it("doesn't guess", () => {
    expect(typeOf("Something nice, neatly used")).toBeNull();
  });
});

describe("types that a search names", () => {
  const named = (...words: string[]) => typesNamed(words, KEPT_TABLE);

  it("finds names in singular and plural, joined and apart, with one mistake", () => {
    for (const words of [["laptops"], ["lap", "top"], ["labtop"]])
      expect(named(...words)[0]?.types).toEqual(["laptop"]);
    expect(named("simu", "tecno")).toEqual([{ types: ["phone"], words: [0], misspelled: false }]);
  });

  it("takes an accessory and its thing as one", () => {
    expect(named("charger", "hp", "laptop")).toEqual([{ types: ["laptop-charger"], words: [0, 2], misspelled: false }]);
  });

  it("finds nothing by a brand's model", () => {
    expect(named("elitebook")).toEqual([]);
  });

  it("includes narrower types", () => {
    expect(withNarrower("charger", KEPT_TABLE)).toEqual(["charger", "laptop-charger", "phone-charger"]);
  });
});
