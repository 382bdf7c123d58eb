/** What runs the parts of `npm test` runs all of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");

/** The names in the table of scripts/test.ts, which runs what it is told when it is imported. */
const table = /const PARALLEL_GROUPS[^=]*= \[(.*?)^\];/ms.exec(read("scripts/test.ts"))?.[1] ?? "";
const parts = [...table.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name).toSorted();

test("the jobs of a change on GitHub share all parts, each once", () => {
  expect(parts.length).toBeGreaterThan(10);
  const jobs = [...read(".github/workflows/test.yml").matchAll(/^ {10}- ([a-z ]+)$/gm)];
  expect(jobs.flatMap(([, names]) => names?.split(" ") ?? []).toSorted()).toEqual(parts);
});

test("CONTRIBUTING.md names all parts", () => {
  const named = /The parts of `npm test` are: ([^.]*)\./.exec(read("CONTRIBUTING.md"))?.[1] ?? "";
  expect(named.split(/,\s+/).toSorted()).toEqual(parts);
});
