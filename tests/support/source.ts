/** The program's own text, for the tests that hold how it is written. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "vite";

const root = resolve(import.meta.dirname, "../..");

/** A piece of a file. */
export interface Span {
  start: number;
  end: number;
}

/** A text or a pattern. What is interpolated stands in `text` as "§". `isSql`: it is SQL, or a part of it. */
export interface SourceText extends Span {
  text: string;
  isSql: boolean;
}

export interface SourceFile {
  file: string;
  code: string;
}

/** The files of these folders, by their path from the root. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  const pattern = `{${folders.join(",")}}/**/*.{ts,tsx,mjs,js,css}`;
  return globSync(pattern, { cwd: root }).map((file) => ({ file, code: readFileSync(join(root, file), "utf8") }));
}

interface Node extends Span {
  type: string;
  [key: string]: unknown;
}

/** The texts in a file: strings, templates, patterns, and the text of JSX. */
export function textsOf({ file, code }: SourceFile): SourceText[] {
  if (file.endsWith(".css")) return [...code.matchAll(/"[^"\n]*"/g)].map(cssText);
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const texts: SourceText[] = [];
  visit(program as unknown as Node, (node, parent) => {
    const { start, end } = node;
    if (node.type === "TemplateLiteral") {
      const parts = node.quasis as (Node & { value: { raw: string } })[];
      const text = parts.map(({ value }) => value.raw).join("§");
      texts.push({ start, end, text, isSql: isTagged(parent, code) || KEYWORD.test(text) });
    } else if (node.type === "JSXText" || (node.type === "Literal" && typeof node.value === "string")) {
      const text = node.value as string;
      texts.push({ start, end, text, isSql: KEYWORD.test(text) });
    } else if (node.type === "Literal" && "regex" in node)
      texts.push({ start, end, text: code.slice(start, end), isSql: false });
  });
  return texts;
}

function cssText({ 0: text, index: start }: RegExpMatchArray & { index: number }): SourceText {
  return { start, end: start + text.length, text, isSql: false };
}

const KEYWORD = /\b(SELECT|FROM|JOIN|UPDATE|INTO|WHERE|json_each)\b/;

function isTagged(parent: Node | null, code: string): boolean {
  return parent?.type === "TaggedTemplateExpression" && /^sql\b/.test(code.slice(parent.start, parent.end));
}

/** Calls `see` with each node of the tree and its parent. */
function visit(node: Node, see: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  see(node, parent);
  for (const value of Object.values(node).flat())
    if (value !== null && typeof value === "object" && "type" in value) visit(value as Node, see, node);
}
