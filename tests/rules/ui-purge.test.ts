import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { findUndefinedVariables } from "#scripts/style-variables.ts";
import { keepRules, purge, purgeForPages, purgeForPart, UNUSED_VARIANTS } from "#scripts/purge-css.ts";

const radix = ["tokens/base.css", "components.css"]
  .map((file) => readFileSync(`node_modules/@radix-ui/themes/${file}`, "utf8"))
  .join("\n");
const purged = await purge(radix);
const forPages = await purgeForPages(radix);
/** As the build has it: with a comment, and in a layer. */
const inLayer = `/* The part; of dialogs. */\n@layer radix {\n${radix}\n}`;
const forDialogs = await purgeForPart(inLayer, "dialog");
const forTextAreas = await purgeForPart(inLayer, "text-area");

test("rules of the parts the app draws stay, with their sizes, variants and states", () => {
  const kept = [
    ".rt-BaseButton:where(:not(.rt-variant-ghost))",
    ".rt-BaseButton:where(.rt-r-size-4)",
    ".rt-BaseButton:where(.rt-variant-soft):where(:hover)",
    ".rt-BaseButton:where(.rt-variant-solid):where([data-disabled])",
    ".rt-TextFieldRoot:where(.rt-variant-surface)",
    ".rt-BaseDialogOverlay",
    "[data-accent-color='orange']",
    ".radix-themes:where([data-scaling='100%'])",
    ".radix-themes:where([data-gray-color='sand'])",
    ":is(.dark) :where(.radix-themes:not(.light, .light-theme))",
    "@keyframes rt-dialog-content-show",
  ];
  expect(kept.filter((selector) => !purged.includes(selector))).toEqual([]);
});

test("rules of parts, colours and screen widths the app does not use go", () => {
  const unused = [".rt-Avatar", ".rt-SliderRoot", "[data-accent-color='tomato']", ".xs\\:rt-r-size-1", "@font-face"];
  expect(unused.filter((selector) => !radix.includes(selector))).toEqual([]);
  expect(unused.filter((selector) => purged.includes(selector))).toEqual([]);
});

test("what only dialogs need comes with the first dialog, and nothing twice", () => {
  for (const ofDialogs of [".rt-BaseDialogContent", ".rt-Heading", "@keyframes rt-dialog-content-show"]) {
    expect(forDialogs).toContain(ofDialogs);
    expect(forPages).not.toContain(ofDialogs);
  }
  for (const ofPages of [".rt-BaseButton", "[data-accent-color='orange']", "@keyframes rt-spinner-leaf-fade"]) {
    expect(forPages).toContain(ofPages);
    expect(forDialogs).not.toContain(ofPages);
  }
});

test("what only text areas need comes with the first one, and takes no rule from other fields", () => {
  const rules: string[] = [];
  keepRules(forTextAreas, (prelude) => rules.push(prelude) > 0);
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter((prelude) => /\.rt-(?!TextArea|r-size|variant)/.test(prelude))).toEqual([]);
  expect(forPages).not.toContain(".rt-TextArea");
  expect(forPages).toContain(".rt-TextFieldRoot");
});

test.each(UNUSED_VARIANTS)("Radix has rules that match %s, and pages have none of them", (unused) => {
  const dropped: string[] = [];
  keepRules(purged, (prelude) => {
    if (unused.test(prelude)) dropped.push(prelude);
    return true;
  });
  expect(dropped).not.toEqual([]);
  expect(dropped.filter((prelude) => forPages.includes(`${prelude} {`))).toEqual([]);
});

test("the app draws none of the variants and sizes that are left out", () => {
  const sources = globSync("app/**/*.{ts,tsx}").map((path) => readFileSync(path, "utf8"));
  const uses = sources.flatMap(
    (source) => source.match(/\brt-(?:Badge|Text(?:Field|Area)Root|CalloutRoot|Spinner)\b[^"`]*/g) ?? [],
  );
  expect(uses.length).toBeGreaterThan(5);
  const drawn = uses.map((use) => use.split(" ").slice(0, 3).join(" "));
  expect([...new Set(drawn)].toSorted()).toEqual([
    "rt-Badge rt-r-size-2 rt-variant-soft",
    "rt-CalloutRoot rt-r-size-2 rt-variant-soft",
    "rt-Spinner rt-r-size-2",
    "rt-TextAreaRoot rt-r-size-3 rt-variant-surface",
    "rt-TextFieldRoot rt-r-size-3 rt-variant-surface",
  ]);
});

test("rules within other blocks are kept one by one, and empty blocks go", () => {
  const css = `@import "x.css";a{b:c}@media (hover:hover){.d{e:f}.g{h:i}}@supports (j:k){@media l{.d{m:n}}}`;
  expect(keepRules(css, (prelude) => prelude !== ".d")).toBe(`@import "x.css";a{b:c}@media (hover:hover){.g{h:i}}`);
});

test("what every page has of Radix weighs less than 7.6 kB, compressed", () => {
  expect(gzipSync(forPages).byteLength).toBeLessThan(7_600);
});

test("no variable goes that the rules that stay use, also through other variables", () => {
  const own = globSync("app/**/*.css").map((path) => readFileSync(path, "utf8"));
  const scripts = globSync("app/**/*.tsx").map((path) => readFileSync(path, "utf8"));
  const pages = [...own, ...scripts, forPages];
  expect(findUndefinedVariables([...pages, forDialogs, forTextAreas])).toEqual([]);
});

test("a variable counts as defined by a sheet or a script, and as missing where only another value saves it", () => {
  expect(findUndefinedVariables(["a{color:var(--a);--b:var(--c)}", "d{e:var(--f, var(--g))}"])).toEqual([
    "--a",
    "--c",
    "--g",
  ]);
  const scripts = 'style.setProperty("--c",x);style[`${"--d"}-${side}`]=y';
  expect(findUndefinedVariables(["a{b:var( --a );c:var(--c);d:var(--d-top)}:root{--a :red}", scripts])).toEqual([]);
});

test("the theme sets no variable that nothing uses", () => {
  const sheets = globSync("app/**/*.{css,ts,tsx}").map((path) => readFileSync(path, "utf8"));
  const used = new Set([...sheets, forPages, forDialogs, forTextAreas].join("\n").match(/(?<=var\()--[\w-]+/g));
  const set = readFileSync("app/ui/styles/theme.css", "utf8").match(/--[\w-]+(?=:)/g) ?? [];
  expect(set.length).toBeGreaterThan(100);
  expect([...new Set(set)].filter((name) => !used.has(name))).toEqual([]);
});
