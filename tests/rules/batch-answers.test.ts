/** Answers of the database and parts of a text have names, so that nobody counts to know which is which. */
import { expect, test } from "vitest";
import { sourceFiles } from "#tests/support/source.ts";

const FORBIDDEN = {
  "skips an answer of a batch": /const \[(?:[^=;]*,)?\s*,[^=;]*\] = await (?:read|write)\(/,
  "counts the answers of a batch": /(?<![.\w])(?:answers|results)\??\.?(?:\[\d|at\()/,
  "counts more than two groups of a pattern":
    /\bmatch\??\.?\[[3-9]\]|const \[\s*,(?:[^,\]]*,){2,}[^\]]*\] =[^;]*\.exec\(/,
};

const faultsOf = (code: string) =>
  Object.entries(FORBIDDEN).flatMap(([what, pattern]) => (pattern.test(code) ? [what] : []));

test.each([
  ["const [, , [product]] = await write(db, [one, two, three]);", "skips an answer of a batch"],
  ["const [noted, , [product]] = await write(db, [one, two, three]);", "skips an answer of a batch"],
  ["const [,\n found] = await write(db, [one, two]);", "skips an answer of a batch"],
  ["return changesOf(results[1]) === 1;", "counts the answers of a batch"],
  ["answers?.at(-1)", "counts the answers of a batch"],
  ['const [, at, id, balance] = /(1)(2)(3)/.exec(text ?? "") ?? [];', "counts more than two groups of a pattern"],
  ["Number(match[3])", "counts more than two groups of a pattern"],
])("`%s` %s", (code, fault) => {
  expect(faultsOf(code)).toEqual([fault]);
});

test.each([
  "const [first, second] = await write(db, [one, two]);",
  "const [, kind, id] = /(1)(2)/.exec(text) ?? [];",
  "const { found } = await write(db, { changed, found });",
])("`%s` has names", (code) => {
  expect(faultsOf(code)).toEqual([]);
});

test("no file counts", () => {
  const sources = sourceFiles("app", "workers", "scripts").filter(({ file }) => file !== "app/db/batch.ts");
  expect(sources.length).toBeGreaterThan(900);
  const faults = sources.flatMap(({ file, code }) => faultsOf(code).map((fault) => `${file} ${fault}`));
  expect(faults).toEqual([]);
});
