/** Which worker tests `npm test -- quick` runs. */
import { expect, test } from "vitest";
import { relatedTests } from "#scripts/related-tests.ts";

const IMPORTS: Record<string, string[]> = {
  "tests/workers/basket.test.ts": ["app/basket/cart.server.ts", "tests/support/fixtures.ts"],
  "tests/workers/offers.test.ts": ["app/offers/offers.server.ts", "tests/support/fixtures.ts"],
  "app/basket/cart.server.ts": ["app/basket/list-rules.ts"],
  "app/basket/list-rules.ts": ["app/ui/money.ts"],
  "app/routes/member/cart.tsx": ["app/basket/cart.server.ts"],
};
const TESTS = ["tests/workers/basket.test.ts", "tests/workers/offers.test.ts"];
const related = (...changed: string[]) => relatedTests(TESTS, changed, (file) => IMPORTS[file] ?? []);

test("a worker test is related if it has changed, imports what has changed, or imports one file that does", () => {
  for (const file of ["tests/workers/basket.test.ts", "app/basket/cart.server.ts", "app/basket/list-rules.ts"])
    expect(related(file)).toEqual(["tests/workers/basket.test.ts"]);
  expect(related("app/ui/money.ts")).toEqual([]);
  expect(related("tests/support/fixtures.ts")).toEqual(TESTS);
});

test("what a route imports stands for it, and the closest test comes first", () => {
  expect(related("app/routes/member/cart.tsx")).toEqual(["tests/workers/basket.test.ts"]);
  expect(related("app/basket/list-rules.ts", "app/offers/offers.server.ts")).toEqual(TESTS.toReversed());
});
