import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// Vite loads a part's style sheet before what stands in `import().then(…)`, so its second function doesn't learn that
// the sheet didn't come.
const SECOND_FUNCTION = /import\("[^"]+"\)\s*\.then\((?:(?!\.catch|import\()[^])*?,\s*(?:\/\/.*\s*)*\(\) =>/;

test("a part with a script of its own is a lazyPart, which says so where its script can't be loaded", () => {
  const withLazy = globSync("app/**/*.{ts,tsx}").filter((path) => /(?<!\.)\blazy\(/.test(readFileSync(path, "utf8")));
  expect(withLazy).toEqual(["app/ui/feedback/lazy-part.tsx"]);
});

test("what happens when a part can't be loaded stands in a catch, which its style sheet reaches, too", () => {
  const found = globSync("app/**/*.{ts,tsx}").filter((path) => SECOND_FUNCTION.test(readFileSync(path, "utf8")));
  expect(found).toEqual([]);
  expect(`import("./a.tsx").then(
      ({ A }) => use(() => A),
      () => undefined,
    )`).toMatch(SECOND_FUNCTION);
});
