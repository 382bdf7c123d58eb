import { expect, test } from "vitest";
import { namesTag, readRange } from "#workers/api/byte-range.ts";

test.each([
  ["bytes=2-4", { from: 2, to: 4 }],
  ["bytes=0-0", { from: 0, to: 0 }],
  ["Bytes=8-", { from: 8, to: 9 }],
  ["bytes=8-99999999999999999999", { from: 8, to: 9 }],
  ["bytes=-3", { from: 7, to: 9 }],
  ["bytes=-99", { from: 0, to: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=99999999-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=5-1", null],
  ["items=0-1", null],
  ["bytes=0-1,4-5", null],
  ["bytes=-", null],
  ["bytes=", null],
  ["bytes=a-b", null],
  ["bytes=1.5-2", null],
  ["", null],
])("of ten bytes %j asks for %j", (header, part) => {
  expect(readRange(header, 10)).toEqual(part);
});

test("of nothing no range can be had", () => {
  expect([readRange("bytes=0-", 0), readRange("bytes=-1", 0)]).toEqual(["unsatisfiable", "unsatisfiable"]);
});

test.each([
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"abc" , "y"', true],
  [" * ", true],
  ['"ab"', false],
  ["abc", false],
  ["", false],
  ['"x", "*"', false],
])("If-None-Match %j names the tag: %s", (header, named) => {
  expect(namesTag(header, '"abc"')).toBe(named);
});
