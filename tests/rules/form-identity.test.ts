/** Which hidden fields identify a form. A new one must come into this table. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { identifiesForm } from "#app/ui/form-identity.ts";

/** Recipients, items, intents, and where the form leads. */
const IDENTIFYING = [
  "accountType",
  "documentType",
  "email",
  "follow",
  "fragment",
  "from",
  "importId",
  "intent",
  "itemId",
  "productId",
  "quantity",
  "shopId",
  "switches",
  "tab",
  "to",
  "token",
  "wait",
];
/** New at each load, or what the page showed. */
const FRESH = ["asked", "formKey", "key", "opened", "orderKey", "price", "round", "seen", "steps", "total"];
/** Values that the form holds: they are kept and filled in. */
const HELD = ["productId", "stockSeen"];

/** The hidden fields with a fixed name. The others are compared on the screens (tests/workers/authorisation.test.ts). */
function hiddenFields(): { name: string; isHeld: boolean }[] {
  const sources = globSync("app/**/*.tsx").map((file) => readFileSync(file, "utf8"));
  return sources.flatMap((source) =>
    [...source.matchAll(/<input\b[^>]*?type="hidden"[^]*?\/>/g)].flatMap(([tag]) => {
      const name = /\bname="(\w+)"/.exec(tag)?.[1];
      return name === undefined ? [] : { name, isHeld: /\bdata-held\b/.test(tag) };
    }),
  );
}

function namesOf(fields: { name: string }[]): string[] {
  return [...new Set(fields.map(({ name }) => name))].toSorted();
}

test("each hidden field identifies its form, is new at each load, or is held by it", () => {
  const fields = hiddenFields();
  expect(namesOf(fields.filter(identifiesForm))).toEqual(IDENTIFYING);
  expect(fields.filter((field) => field.isHeld && identifiesForm(field))).toEqual([]);
  expect(namesOf(fields.filter((field) => !identifiesForm(field) && !field.isHeld))).toEqual(FRESH);
  expect(namesOf(fields.filter(({ isHeld }) => isHeld))).toEqual(HELD);
});
