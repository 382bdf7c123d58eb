/** Tables in SQL have whole words for names, so that a query can be read aloud. */
import { expect, test } from "vitest";
import { sourceFiles, type SourceFile, textsOf } from "#tests/support/source.ts";

/** Names of one or two letters which a file gives to tables in its SQL. */
function shortNames(source: SourceFile): string[] {
  const given = [...source.code.matchAll(/\balias\([\w.]+, "(\w{1,2})"\)|\.as\("(\w)"\)/g)].map(nameIn);
  const inSql = textsOf(source)
    .filter(({ isSql }) => isSql)
    .map(({ text }) => text.replaceAll(/'[^'§]*'/g, "''"))
    .flatMap((text) => [...text.matchAll(NAME)].map(nameIn));
  return [...given, ...inSql];
}

function nameIn(match: RegExpMatchArray): string {
  return match.slice(1).find(Boolean) ?? "";
}

// A table with its name, a query with its name, and a column of a table with such a name.
const NAME = new RegExp(
  [
    String.raw`\b(?:FROM|JOIN|UPDATE|INTO)\s+(?:§|"?[a-z_]{3,}"?)\s+(?:AS\s+)?([a-z]\w?)\b`,
    String.raw`,\s+§\s+([a-z]\w?)\b`,
    String.raw`\)\s+([a-z]\w?)\b`,
    String.raw`(?<![\w.$'§])([a-z]\w?)\.(?=[a-z_*])`,
  ].join("|"),
  "g",
);

const sql = (text: string): SourceFile => ({ file: "query.server.ts", code: `const query = sql\`${text}\`;` });

test.each([
  "SELECT 1 FROM ${products} p WHERE 1",
  "UPDATE products AS p SET price = 1",
  "SELECT 1 FROM ${orders} CROSS JOIN json_each(${ids}) j",
  "SELECT 1 FROM (SELECT id FROM products) t",
  "SELECT 1 FROM ${orders}, ${products} pr",
  "t.value",
  "EXISTS (SELECT 1 FROM reviews WHERE p2.id = reviews.product_id)",
])("`%s` has a table without a word for its name", (text) => {
  expect(shortNames(sql(text)).length).toBeGreaterThan(0);
});

test("names of aliases are found, too", () => {
  const code = 'const p = alias(products, "p");';
  expect(shortNames({ file: "query.server.ts", code })).toEqual(["p"]);
});

test.each([
  "SELECT COUNT(*) AS n FROM ${products} product_row WHERE ${productRow.id} = own.id",
  "SELECT item.value ->> 'p.id' FROM json_each(${ids}, '$.p.id') item",
])("`%s` has words", (text) => {
  expect(shortNames(sql(text))).toEqual([]);
});

test("no table is called by one or two letters", () => {
  const sources = sourceFiles("app", "workers", "scripts").filter(({ code }) => /\bsql\b|SELECT|\balias\(/.test(code));
  expect(sources.length).toBeGreaterThan(200);
  const found = sources.map((source) => [source.file, shortNames(source)] as const);
  expect(Object.fromEntries(found.filter(([, names]) => names.length > 0))).toEqual({});
});
