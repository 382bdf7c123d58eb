import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("only services.ts uses the database's binding, and nothing reads a replica of the database", () => {
  const using = (pattern: RegExp) =>
    globSync(["app/**/*.{ts,tsx}", "workers/**/*.{ts,tsx}"]).filter((path) => pattern.test(readFileSync(path, "utf8")));
  expect(using(/\benv\.DB\b|\{[^}]*\bDB\b[^}]*\} = .*\benv\b/)).toEqual(["workers/services.ts"]);
  // Only a session of D1 reads replicas.
  expect(using(/\.withSession\(/)).toEqual([]);
});
