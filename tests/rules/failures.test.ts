import { expect, test } from "vitest";
import { CommandError, sentencesOf } from "#scripts/command.ts";

const STACK = /^ {4}at /m;

test.each([
  [Object.assign(new Error("write"), { code: "ENOSPC" }), "There is no room on the disk."],
  [new Error("D1_ERROR: database or disk is full: SQLITE_FULL"), "There is no room on the disk."],
  [new Error("EFBIG: file too large, write"), "There is no room on the disk."],
  [new Error("EACCES: permission denied, open '.dev.vars'"), "Does all of this folder belong to you?"],
  [new TypeError("fetch failed", { cause: new Error("other side closed") }), "The machine is very busy."],
])("a machine's trouble is told in sentences, without a stack: %s", (error, sentence) => {
  expect(sentencesOf(error)).toContain(sentence);
  expect(sentencesOf(error)).not.toMatch(STACK);
});

test("a command's own sentence stays, with what to do where the machine was the cause", () => {
  expect(sentencesOf(new CommandError("Port 8787 is in use."))).toBe("Port 8787 is in use.");
  const lost = new CommandError("0001_triggers.sql could not be applied: fetch failed");
  expect(sentencesOf(lost)).toMatch(/could not be applied.*\nThe machine is very busy\. Run it again/);
});

test("what nobody expected begins with sentences, and says where it happened and why", () => {
  const text = sentencesOf(new Error("no such table: shops", { cause: new Error("no schema") }));
  expect(text).toMatch(/^This was not expected: no such table: shops: no schema\nRun it again\./);
  expect(text).toMatch(STACK);
  expect(sentencesOf(Object.assign(new Error("broken"), { cause: undefined }))).not.toContain("undefined");
});
