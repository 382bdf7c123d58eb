/** Whatever changes the database goes through `write`, which is repeated while it is away (app/db/batch.ts). */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Drizzle's own ways to write, and to run a batch. */
const OTHER_WAYS = /\bdb\s*\.(?:insert|update|delete|run|batch|transaction)\(|\$client\.batch\(/;

test("nothing is written but by write", () => {
  const files = globSync(["app/**/*.ts", "workers/**/*.ts"], { cwd: root });
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => OTHER_WAYS.test(readFileSync(join(root, file), "utf8")))).toEqual(["app/db/batch.ts"]);
});
