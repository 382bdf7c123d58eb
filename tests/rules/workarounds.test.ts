import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LIST = "app/document/README.md";

/** Classes of Radix Themes, by the files that name them. */
function classesIn(pattern: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync(pattern).toSorted()) {
    for (const [name] of readFileSync(file, "utf8").matchAll(/\brt-(?:reset|r-size-\d|variant-[a-z]+|[A-Z][A-Za-z]*)/g))
      found.set(name, [...new Set([...(found.get(name) ?? []), file])]);
  }
  return found;
}

const used = classesIn("app/**/*.{ts,tsx,css}");

test("Radix's stylesheet has every class that we use", () => {
  const sheet = readFileSync("node_modules/@radix-ui/themes/components.css", "utf8");
  const known = new Set([...sheet.matchAll(/\.([\w-]+)/g)].map(([, name]) => name));
  expect([...used.keys()].filter((name) => !known.has(name))).toEqual([]);
});

test("only app/ui names them: the rest of the app uses our own classes and components", () => {
  expect([...used.values()].flat().filter((file) => !file.startsWith("app/ui/"))).toEqual([]);
});

test("the list of workarounds names them all", () => {
  const listed = classesIn(LIST);
  expect([...listed.keys()].toSorted()).toEqual([...used.keys()].toSorted());
});

test("every file and test that the list of workarounds names exists", () => {
  const named = [...readFileSync(LIST, "utf8").matchAll(/`((?:app|scripts|tests)\/[\w./-]+\.\w+)`/g)].map(
    ([, path]) => path ?? "",
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
