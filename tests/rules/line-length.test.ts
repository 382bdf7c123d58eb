/**
 * A line has at most 120 characters. Only a text that stands in one line may be longer, so that a search for it finds
 * it: words that people read, an address, a pattern. SQL is broken.
 */
import { expect, test } from "vitest";
import { sourceFiles, type SourceFile, textsOf } from "#tests/support/source.ts";

const MAX = 120;
/** What may stand beside such a text in its line. More could be broken. */
const BESIDE_MAX = 80;

/** The numbers of the lines that are too long. */
function longLines(source: SourceFile): number[] {
  if (!/.{121}/.test(source.code)) return [];
  const texts = textsOf(source).filter(
    ({ start, end, isSql }) => !isSql && !source.code.slice(start, end).includes("\n"),
  );
  let from = 0;
  return source.code.split("\n").flatMap((line, at) => {
    const [start, end] = [from, from + line.length];
    from = end + 1;
    if (line.length <= MAX) return [];
    const sizes = texts.filter((text) => text.start >= start && text.end <= end).map((text) => text.end - text.start);
    return line.length - Math.max(0, ...sizes) <= BESIDE_MAX ? [] : [at + 1];
  });
}

const words = "word ".repeat(25);
const code = (text: string, file = "app/shown.tsx"): SourceFile => ({ file, code: text });

test.each([
  `const text = "${words}";`,
  `const text = \`${words}\${name}\`;`,
  `test("${words}", async () => {});`,
  `const pattern = /${words}/u;`,
  `const view = <p title="${words}" />;`,
])("%s may be long", (text) => {
  expect(longLines(code(text))).toEqual([]);
});

test.each([
  `// ${words}`,
  `const text = \`\n  ${words}\n\`;`,
  `const query = sql\`SELECT id FROM products WHERE ${words}\`;`,
  `await db.run("DELETE FROM products WHERE ${words}");`,
  `const sum = [${"number, ".repeat(15)}"text"];`,
])("%s is too long", (text) => {
  expect(longLines(code(text))).toHaveLength(1);
});

test("a style sheet has long lines only for an address or a shape", () => {
  expect(longLines(code(`a { mask: url("${words}"); }`, "app/icon.css"))).toEqual([]);
  expect(longLines(code(`/* ${words} */`, "app/icon.css"))).toEqual([1]);
});

test("no line is too long", () => {
  const sources = sourceFiles("app", "workers", "scripts", "tests");
  expect(sources.length).toBeGreaterThan(1_400);
  const found = sources.map((source) => [source.file, longLines(source)] as const);
  expect(Object.fromEntries(found.filter(([, lines]) => lines.length > 0))).toEqual({});
});
