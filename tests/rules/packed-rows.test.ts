/** Rows on their way to the browser arrive as they were. */
import { expect, test } from "vitest";
import { packRows, unpackRows } from "#app/platform/packed-rows.ts";

/** As many rows as `values`, each with an id of its own. */
function rowsOf(values: readonly unknown[]) {
  return values.map((value, at) => ({ id: `row ${at}`, value }));
}

/** 80 values, `distinct` of which differ. */
function repeat(distinct: number): number[] {
  return Array.from({ length: 80 }, (_, at) => at % distinct);
}

test.each([
  ["no rows", []],
  ["one row", rowsOf(["a"])],
  ["36 distinct values, which is the most that a digit counts", rowsOf(repeat(36))],
  ["37 distinct values", rowsOf(repeat(37))],
  ["texts with the separator", rowsOf(["a|b", "|", ""])],
  ["a text that is the JSON of an object", rowsOf([[], "[]", { a: 1 }, '{"a":1}', [], "[]", { a: 1 }, '{"a":1}'])],
  ["values whose texts are equal", rowsOf([1, "1", null, "null", true, "true", 1, "1", null, "null", true, "true"])],
  ["equal objects", rowsOf([{ a: 1 }, { a: 1 }, { a: 1 }])],
])("%s", (_, rows) => {
  expect(unpackRows(packRows(rows))).toEqual(rows);
});

test("a field that only some rows have is null in the others", () => {
  expect(unpackRows(packRows([{ id: "a" }, { id: "b", note: "new" }]))).toEqual([
    { id: "a", note: null },
    { id: "b", note: "new" },
  ]);
});
