import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SCREENS } from "#tests/support/screens.ts";

test("every screen gives a title", () => {
  const untitled = SCREENS.filter(
    ({ file }) => !/^export (const|function) meta\b/m.test(readFileSync(join("app", file), "utf8")),
  );
  expect(untitled).toEqual([]);
});
