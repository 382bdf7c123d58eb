/** Names of people as searches compare them. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldName, searchedNames } from "#app/accounts/trust/person-name-rules.ts";

test.each([
  ["Ngũgĩ wa Thiong’o", "ngugi wa thiongo"],
  ["Ng'ang'a", "nganga"],
  ["NG`ANG´A", "nganga"],
  ["Ng‘angʼa Mwangi", "nganga mwangi"],
  ["ÉLODIE  Ødegård", "elodie odegard"],
  ["E\u0301lodie", "elodie"],
  ["Łukasz Groß", "lukasz gross"],
  ["İpek Işık", "ipek isik"],
  ["Anne-Marie O’Brien", "anne marie obrien"],
  ["Ｊｏｈｎ\u200B Doe", "john doe"],
  ["O. M. Kamau (Jr.)", "o m kamau jr"],
  ["جون", "جون"],
  ["’’", ""],
])("%s is compared as %s", (name, folded) => {
  expect(foldName(name)).toBe(folded);
});

test("a name is found by each of its words, in any order, in any case, with or without its accents", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abgnouéũĩ’'`ʼÉŨ"), minLength: 1, maxLength: 6 });
  const turned = fc
    .array(word, { minLength: 1, maxLength: 4 })
    .chain((words) => fc.tuple(fc.constant(words), fc.shuffledSubarray(words)));
  const write = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.normalize("NFD"),
    (text) => text.replaceAll(/['`ʼ]/g, "’"),
    (text) => text.normalize("NFD").replaceAll(/[\p{M}’'`ʼ]/gu, ""),
  );
  fc.assert(
    fc.property(turned, write, ([words, some], written) => {
      const kept = foldName(words.join(" "));
      for (const searched of searchedNames(written(some.join(" ")))) expect(kept).toContain(searched);
    }),
  );
});

test("whoever writes a person's name writes how it is searched, too", () => {
  const app = resolve(import.meta.dirname, "../../app");
  const writers = globSync("**/*.server.ts", { cwd: app }).filter((file) => {
    const text = readFileSync(join(app, file), "utf8");
    // `fullName` among the columns of a write, but not `fullName: profiles.fullName` among those of a query.
    return [...text.matchAll(/(?:update|insert)\(profiles\)\s*\.(?:set|values)\(([\s\S]*?)\}\)/g)].some(
      ([, columns = ""]) => /\bfullName\s*[:,}]/.test(columns),
    );
  });
  expect(writers).toEqual([]);
});
