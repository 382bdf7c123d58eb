import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { UNINSTRUMENTED } from "#scripts/drop-instrumentation.ts";

const LIBRARY = "node_modules/react-router/dist/production/lib/router/instrumentation.js";

test("what stands for React Router's instrumentation has every name that the module exports", () => {
  const exported =
    readFileSync(LIBRARY, "utf8")
      .match(/^export \{ (.*) \};$/m)?.[1]
      ?.split(", ") ?? [];
  const replaced = [...UNINSTRUMENTED.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  expect(exported.length).toBeGreaterThan(3);
  expect(replaced.toSorted()).toEqual(exported.toSorted());
});

test("the app doesn't use React Router's instrumentation", () => {
  const sources = globSync("app/**/*.{ts,tsx}");
  expect(sources.filter((path) => /unstable_instrument|instrumentations/.test(readFileSync(path, "utf8")))).toEqual([]);
});
