/** Links in the docs, and references from comments to the docs, lead somewhere. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

const documents = globSync(["*.md", "docs/**/*.md", "app/**/*.md"], { cwd: root });

test("every link of a document leads to a file", () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path} -> ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every document that a comment names is there, with the heading that it names", () => {
  const broken: string[] = [];
  for (const path of globSync("{app,workers,scripts,tests,migrations}/**/*.{ts,tsx,css,sql,js}", { cwd: root })) {
    // A comment may break its line within the heading.
    const source = read(path).replaceAll(/\n\s*(?:\*|\/\/) /g, " ");
    for (const [, name = "", heading] of source.matchAll(/(?<![\w/])(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g)) {
      const headings = existsSync(join(root, name)) ? (read(name).match(/^#+ .+$/gm) ?? []) : [];
      if (headings.length === 0 || (heading && !headings.some((line) => line.replace(/^#+ /, "") === heading)))
        broken.push(`${path}: ${name}${heading ? `, "${heading}"` : ""}`);
    }
  }
  expect(broken).toEqual([]);
});
