/** The style sheets share one set of breakpoints, spaces and type sizes: app/ui/styles/tokens.css and Radix's tokens. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const sheets = globSync("app/**/*.css", { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8").replaceAll(/\/\*.*?\*\//gs, ""),
}));

/**
 * The widths in px at which the layout changes: phone to tablet, to laptop, to wide screen. Smaller steps are container
 * queries.
 */
const BREAKPOINTS = ["768px", "1024px", "1280px"];

function findAll(pattern: RegExp): string[] {
  return sheets.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`));
}

test("the layout changes with the screen's width at three breakpoints only", () => {
  const others = findAll(/@media[^{]*\bwidth\b[^{]*/g).filter((query) =>
    (query.match(/\d+px/g) ?? []).some((width) => !BREAKPOINTS.includes(width)),
  );
  expect(others).toEqual([]);
});

test("type has the sizes of the scale", () => {
  expect(findAll(/(?<![\w-])font-size: [\d.]+(px|rem)/g)).toEqual([]);
});

test("gaps and paddings up to 64 px have the steps of the scale", () => {
  const steps =
    /(?<![\w-])(gap|row-gap|column-gap|padding(-[a-z]+)*): (?:[^;]*?[ (])?(2|4|6|8|10|12|14|16|20|24|32|40|48|64)px/g;
  expect(findAll(steps)).toEqual([]);
});

/** They show only while something loads or is dragged, and the last has no text. */
const PASSING = [".progress", ".pending-screen", ".photo-tile--dragged"];

test("the browser test of layers opens each box that lies over the page", () => {
  const opened = readFileSync(join(root, "tests/e2e/layers.spec.ts"), "utf8");
  const layers = sheets.flatMap(({ text }) =>
    [...text.matchAll(/([^{};]+)\{([^{}]*)\}/g)]
      .filter(([, , rules = ""]) => /position: fixed|box-shadow: var\(--shadow-5\)/.test(rules))
      .map(([, selector = ""]) => /\.[\w-]+/.exec(selector)?.[0] ?? selector.trim()),
  );
  expect(layers.length).toBeGreaterThan(8);
  const missing = layers.filter((layer) => !PASSING.includes(layer) && !opened.includes(`"${layer}"`));
  expect([...new Set(missing)]).toEqual([]);
});
