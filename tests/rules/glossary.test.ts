/** People read the words of docs/glossary.md, and none of those that it replaces. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync, Visitor } from "vite";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");

/** The texts that are fixed, whatever the glossary says. */
const FIXED = new Set(read("tests/rules/fixed-texts.txt").trim().split("\n"));

/** The words that the glossary's first table replaces. */
function avoidedWords(): string[] {
  const [, table = ""] = /## Words that people read([^]*?)\n## /.exec(read("docs/glossary.md")) ?? [];
  const rows = [...table.matchAll(/^\| (.+?) \|.* \|(?: (.+?))? \|$/gm)].slice(1);
  const wordsOf = (cell: string) =>
    cell
      .replaceAll(/\(.*?\)/g, "")
      .split(/[,;]/)
      .map((word) => word.trim())
      .filter((word) => word !== "" && !word.includes("`"));
  const terms = rows.flatMap(([, term = ""]) => wordsOf(term));
  const avoided = rows.flatMap(([, , not = ""]) => wordsOf(not));
  // A word that is a term of another row is for people to judge, as those in parentheses are.
  return avoided.filter((word) => !terms.includes(word));
}

/** Words for a reader, and no names of classes, states or fields, no list of words, no line for the log. */
function isProse(text: string): boolean {
  const isSentence = /\p{L},? \p{L}/u.test(text) && /\p{Lu}|\b(?:the|your|our|their|we|you)\b/u.test(text);
  return isSentence || /^\p{Lu}[\p{Ll}-]+$/u.test(text);
}

/** What a file says to people: its strings, templates and JSX texts, but neither SQL nor comments. */
function textsOf(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} can't be parsed`);
  const texts: string[] = [];
  const tagged = new Set<unknown>();
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => tagged.add(quasi),
    Literal: ({ value }) => typeof value === "string" && texts.push(value),
    JSXText: ({ value }) => texts.push(value),
    TemplateLiteral: (node) =>
      !tagged.has(node) && texts.push(node.quasis.map(({ value }) => value.cooked ?? "").join("…")),
  }).visit(program);
  return texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter(isProse);
}

/** All texts of pages and emails, with a file that has it. What students call things is data, not ours. */
const texts = new Map(
  globSync(["app/**/*.{ts,tsx}", "workers/mail/**/*.{ts,tsx}"], { cwd: root })
    .filter((path) => !/^app\/(catalogue\/types\/data|screens\/component-samples)\//.test(path))
    .flatMap((path) => textsOf(path, read(path)).map((text) => [text, path])),
);

function wrongWords(text: string, avoided: readonly string[]): string[] {
  return FIXED.has(text)
    ? []
    : avoided.filter((word) => new RegExp(`(?<![\\p{L}-])${word}(?:s|ed|ing)?(?![\\p{L}_-])`, "iu").test(text));
}

test("a string, a template and a JSX text are read, but no SQL, no class and no comment", () => {
  const source = `// e-mail us
    const a = <p className="mail-row">Send us an e-mail <b title="E-mail">{\`An e-mail to \${b}\`}</b></p>;
    const c = sql\`SELECT an e-mail\`;`;
  expect(textsOf("a.tsx", source)).toEqual(["Send us an e-mail", "E-mail", "An e-mail to …"]);
});

test("no text uses a word that the glossary replaces", () => {
  const avoided = avoidedWords();
  expect(avoided).toEqual(expect.arrayContaining(["e-mail", "sign out", "STK push", "guilty"]));
  const found = [...texts].flatMap(([text, path]) =>
    wrongWords(text, avoided).map((word) => `${path}: ${word}: ${text}`),
  );
  expect(found).toEqual([]);
});
