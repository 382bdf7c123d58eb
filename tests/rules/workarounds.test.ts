import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LIST = "app/document/README.md";

test("every file and test that the list of workarounds names exists", () => {
  const named = [...readFileSync(LIST, "utf8").matchAll(/`((?:app|scripts|tests)\/[\w./-]+\.\w+)`/g)].map(
    ([, path]) => path ?? "",
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
