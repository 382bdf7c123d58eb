/** Which worker tests `npm test -- quick` runs: those that stand closest to the files that have changed. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { CommandError, runCommand } from "#scripts/command.ts";
import { root } from "#scripts/folders.ts";

/** As many as two cores run in three minutes, beside the rest. */
const FILES_MAX = 12;

/** Imports between a test and a changed file. Further away is nearly everything. */
const STEPS_MAX = 2;

/** The files that differ from main, or on main from the last commit, with those that are new. */
export async function changedFiles(): Promise<string[]> {
  const base = await git("merge-base", "HEAD", "main").catch(() => ["HEAD"]);
  const lists = await Promise.all([
    git("diff", "--name-only", base[0] ?? "HEAD"),
    git("ls-files", "--others", "--exclude-standard"),
  ]);
  return [...new Set(lists.flat())];
}

async function git(...args: string[]): Promise<string[]> {
  const { ok, output } = await runCommand("git", args);
  if (!ok) throw new CommandError(output);
  return output.split("\n").filter(Boolean);
}

/** The worker tests of this checkout that are related to these files. */
export function findRelatedTests(changed: readonly string[]): string[] {
  return relatedTests(globSync("tests/workers/*.test.{ts,tsx}", { cwd: root }).toSorted(), changed, importsOf);
}

/**
 * The tests that are changed, import a changed file, or import one that does; the closest first. A route is thin: what
 * it imports stands for it, too.
 */
export function relatedTests(
  tests: readonly string[],
  changed: readonly string[],
  imports: (file: string) => string[],
): string[] {
  const wanted = new Set(
    changed.flatMap((file) => (file.startsWith("app/routes/") ? [file, ...imports(file)] : [file])),
  );
  const found = tests.map((test) => ({ test, steps: stepsTo(wanted, test, imports) }));
  return found
    .filter(({ steps }) => steps <= STEPS_MAX)
    .toSorted((a, b) => a.steps - b.steps)
    .slice(0, FILES_MAX)
    .map(({ test }) => test);
}

/** How many imports lead from a file to one of these; Infinity where more than `STEPS_MAX` would. */
function stepsTo(wanted: ReadonlySet<string>, from: string, imports: (file: string) => string[]): number {
  let files = [from];
  for (let steps = 0; steps <= STEPS_MAX; steps += 1) {
    if (files.some((file) => wanted.has(file))) return steps;
    files = files.flatMap(imports);
  }
  return Infinity;
}

const known = new Map<string, string[]>();

/** The files of the checkout that a file imports. */
function importsOf(file: string): string[] {
  const before = known.get(file);
  if (before) return before;
  const path = join(root, file);
  const text = /\.tsx?$/.test(file) && existsSync(path) ? readFileSync(path, "utf8") : "";
  const found = [...text.matchAll(/(?:\bfrom|\bimport\()\s*"([#.][^"]+)"/g)].map(([, name = ""]) =>
    name.startsWith("#") ? name.slice(1) : relative(root, resolve(path, "..", name)),
  );
  known.set(file, found);
  return found;
}
