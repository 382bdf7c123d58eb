import fc from "fast-check";
import { expect, test } from "vitest";
import { conflictErrors, mergeEdit, OPENED, readOpened, writeOpened } from "#app/platform/edit-rules.ts";

const FIELDS = ["name", "price", "from", "each"] as const;
type Values = Record<(typeof FIELDS)[number], string>;
const UNITS = [["from", "each"]] as const;

const opened: Values = { name: "Kettle", price: "2000", from: "6", each: "90" };
const merge = (now: Partial<Values>, mine: Partial<Values>) =>
  mergeEdit<keyof Values>({ opened, now: { ...opened, ...now }, mine: { ...opened, ...mine } }, UNITS);

test("what only one side changed is kept from both", () => {
  expect(merge({ price: "1500" }, { name: "Red kettle" })).toMatchObject({
    values: { name: "Red kettle", price: "1500" },
    conflicts: [],
    isUnchanged: false,
  });
});

test("what both changed is asked about, and saving again keeps one's own", () => {
  const asked = merge({ price: "1500", name: "Blue kettle" }, { price: "1800" });
  expect(asked.conflicts).toEqual([{ field: "price", now: "1500" }]);
  expect(asked.values).toMatchObject({ price: "1800", name: "Blue kettle" });
  expect(conflictErrors(asked)).toEqual({
    price: `Changed meanwhile to "1500"; you wrote "1800". Save again to keep yours, or change it.`,
  });
  // The form still holds the old name, which its owner didn't touch.
  const again = mergeEdit<keyof Values>(
    {
      opened: asked.opened,
      now: { ...opened, price: "1500", name: "Blue kettle" },
      mine: { ...opened, price: "1800" },
    },
    UNITS,
  );
  expect(again).toMatchObject({ values: { price: "1800", name: "Blue kettle" }, conflicts: [], isUnchanged: false });
});

test("fields that belong together count as one", () => {
  expect(merge({ from: "12" }, { each: "80" }).conflicts.map(({ field }) => field)).toEqual(["from", "each"]);
});

test("a form that changes nothing, or only line breaks, saves nothing", () => {
  expect(merge({ price: "1500" }, {}).isUnchanged).toBe(true);
  expect(merge({ price: "1500" }, { price: "1500" }).isUnchanged).toBe(true);
  expect(mergeEdit({ opened: null, now: { text: "a\nb" }, mine: { text: "a\r\nb " } }).isUnchanged).toBe(true);
});

test("nobody takes a field back that they didn't touch, and nothing that was typed is lost", () => {
  const values = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    price: fc.constantFrom("1", "2", "3"),
    from: fc.constantFrom("6", "7"),
    each: fc.constantFrom("90", "80"),
  });
  fc.assert(
    fc.property(values, values, values, (first, now, mine) => {
      const merged = mergeEdit<keyof Values>({ opened: first, now, mine }, UNITS);
      const conflicting = merged.conflicts.map(({ field }) => field);
      for (const field of FIELDS) {
        if (mine[field] === now[field]) expect(merged.values[field]).toBe(now[field]);
        else if (conflicting.includes(field)) expect(merged.values[field]).toBe(mine[field]);
        else if (now[field] === first[field] && mine[field] !== first[field])
          expect(merged.values[field]).toBe(mine[field]);
      }
      for (const field of ["name", "price"] as const)
        if (mine[field] === first[field]) expect(merged.values[field]).toBe(now[field]);
      // Whoever has seen the conflicts and saves again gets what they typed, and asks no second time.
      const again = mergeEdit<keyof Values>({ opened: merged.opened, now, mine: merged.values }, UNITS);
      expect(again).toMatchObject({ conflicts: [], values: merged.values });
    }),
  );
});

test("a form without what it was opened with, or with nonsense, changes what differs", () => {
  for (const text of [undefined, "", "null", "[", "7", '{"name":7}']) {
    const form = new FormData();
    if (text !== undefined) form.set(OPENED, text);
    const read = readOpened(form);
    expect(mergeEdit({ opened: read, now: { name: "a" }, mine: { name: "b" } })).toMatchObject({
      values: { name: "b" },
      conflicts: [],
    });
  }
  const form = new FormData();
  form.set(OPENED, writeOpened(opened));
  expect(readOpened(form)).toEqual(opened);
});
