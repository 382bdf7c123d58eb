import { expect, test } from "vitest";
import { assertCheckedVersions, CHECKED } from "#scripts/library-versions.ts";

test("the build's changes were checked against the libraries that are installed", () => {
  expect(() => assertCheckedVersions()).not.toThrow();
});

test.each(Object.entries(CHECKED))("the build stops at another %s than %s", (changed, checked) => {
  const versionOf = (library: string) => (library === changed ? "99.0.0" : CHECKED[library as keyof typeof CHECKED]);
  expect(() => assertCheckedVersions(versionOf)).toThrow(`${changed} were checked against ${checked}, not 99.0.0`);
});
