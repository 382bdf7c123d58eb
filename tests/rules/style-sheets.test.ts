/** The style sheets share one set of breakpoints, spaces and type sizes: app/ui/styles/tokens.css. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { findUndefinedVariables } from "#scripts/style-variables.ts";

const root = join(import.meta.dirname, "../..");
const sheets = globSync("app/**/*.css", { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8").replaceAll(/\/\*.*?\*\//gs, ""),
}));

const scripts = globSync("app/**/*.{ts,tsx}", { cwd: root }).map((path) => readFileSync(join(root, path), "utf8"));

/**
 * The widths in px at which the layout changes: phone to tablet, to laptop, to wide screen. Smaller steps are container
 * queries.
 */
const BREAKPOINTS = [768, 1024, 1280];

function findAll(pattern: RegExp): string[] {
  return sheets.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`));
}

test("the layout changes with the screen's width at three breakpoints only", () => {
  const others = findAll(/@media[^{]*\bwidth\b[^{]*/g).filter((query) =>
    (query.match(/(?<=width: )[\d.]+(?=px)/g) ?? []).some((width) => !BREAKPOINTS.includes(Math.round(Number(width)))),
  );
  expect(others).toEqual([]);
});

test("no query of the screen is a range, which browsers without scripts don't know", () => {
  expect(findAll(/@media[^{]*[<>][^{]*/g)).toEqual([]);
});

test("type has the sizes and weights of the scale, which are in rem", () => {
  const size = String.raw`var\(--text-(small|body|heading|title|display)\)`;
  const sizes = new RegExp(`font-size: ${size}`);
  const weights = /font-weight: var\(--weight-(regular|strong)\)/;
  expect(findAll(/(?<![\w-])font-size: [^;}]+/g).filter((found) => !sizes.test(found))).toEqual([]);
  // The display face names the weight of its file.
  const face = "app/ui/styles/tokens.css: font-weight: 700";
  expect(findAll(/(?<![\w-])font-weight: [^;}]+/g).filter((found) => found !== face && !weights.test(found))).toEqual(
    [],
  );
  expect(findAll(/(?<![\w-])font: (?!inherit)[^;}]+/g)).toEqual([]);
  expect(findAll(/--(text|line)-[a-z]+: (?![\d.]+rem\b)[^;}]+/g)).toEqual([]);
});

test("lines grow with their letters: no height of a line is in px", () => {
  expect(findAll(/(?<![\w-])line-height: [^;}]*px/g)).toEqual([]);
});

test("no height is a sum with a percentage: in a grid's row WebKit measures that against the whole grid", () => {
  expect(findAll(/(?<![\w-])(?:min-|max-)?(?:height|block-size): [^;}]*calc\([^;}]*%[^;}]*/g)).toEqual([]);
});

test("scripts leave type to the style sheets", () => {
  expect(scripts.filter((text) => /\bfontSize\b|\bfont-size\b/.test(text))).toEqual([]);
});

test("scripts ask for a smooth way in one place, which asks people's devices first", () => {
  expect(scripts.filter((text) => /["']smooth["']|prefers-reduced-motion/.test(text))).toHaveLength(1);
});

test("gaps and paddings up to 64 px have the steps of the scale", () => {
  const steps =
    /(?<![\w-])(gap|row-gap|column-gap|padding(-[a-z]+)*): (?:[^;]*?[ (])?(2|4|6|8|10|12|14|16|20|24|32|40|48|64)px/g;
  expect(findAll(steps)).toEqual([]);
});

test("each variable that a style uses is defined", () => {
  const all = [...sheets.map(({ text }) => text), ...scripts];
  expect(findUndefinedVariables(all)).toEqual([]);
});

test("a variable counts as defined by a sheet or a script, and as missing where only another value saves it", () => {
  expect(findUndefinedVariables(["a{color:var(--a);--b:var(--c)}", "d{e:var(--f, var(--g))}"])).toEqual([
    "--a",
    "--c",
    "--g",
  ]);
  const script = 'style.setProperty("--c",x);style[`${"--d"}-${side}`]=y';
  expect(findUndefinedVariables(["a{b:var( --a );c:var(--c);d:var(--d-top)}:root{--a :red}", script])).toEqual([]);
});

test("the theme and the tokens set no variable that nothing uses", () => {
  const all = [...sheets.map(({ text }) => text), ...scripts].join("\n");
  const used = new Set(all.match(/(?<=var\()--[\w-]+/g));
  const set = ["theme", "tokens"].flatMap(
    (name) => readFileSync(join(root, `app/ui/styles/${name}.css`), "utf8").match(/--[\w-]+(?=:)/g) ?? [],
  );
  expect(set.length).toBeGreaterThan(100);
  expect([...new Set(set)].filter((name) => !used.has(name))).toEqual([]);
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

interface Route {
  file: string;
  children?: Route[];
}

/** The modules of each screen: its own, and those of the layouts around it. */
function branches(list: readonly Route[], around: readonly string[]): { file: string; modules: string[] }[] {
  return list.flatMap(({ file, children = [] }) => {
    const modules = [...around, `app/${file}`];
    return [{ file, modules }, ...branches(children, modules)];
  });
}

/** The style sheets that modules import; `later`: also with what they load later. */
function sheetsOf(modules: readonly string[], later: boolean): Set<string> {
  const found = new Set<string>();
  const open = [...modules];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || /\.server\.tsx?$/.test(path) || !existsSync(join(root, path))) continue;
    found.add(path);
    for (const [name, isLater] of importsOf(path)) {
      if (isLater && !later) continue;
      open.push(name.startsWith("#") ? name.slice(1) : relative(root, join(root, dirname(path), name)));
    }
  }
  return new Set([...found].filter((path) => path.endsWith(".css")));
}

const known = new Map<string, [name: string, isLater: boolean][]>();

function importsOf(path: string): [name: string, isLater: boolean][] {
  const imports =
    known.get(path) ??
    [
      ...readFileSync(join(root, path), "utf8").matchAll(
        /^(?:@im|im|ex)port (?!type\b)[^;]*?"([#.][^"]+)"[^;]*;|import\("([#.][^"]+)"\)/gm,
      ),
    ].map(([, still, later = ""]): [string, boolean] => [still ?? later, still === undefined]);
  known.set(path, imports);
  return imports;
}

/** The server renders such parts, too: a part must have its look before its script comes, and without scripts. */
test("a style sheet that screens load later is either with each of them from the beginning, or with no screen", () => {
  const screens = branches(routes as Route[], ["app/root.tsx"]).map(({ file, modules }) => ({
    file,
    first: sheetsOf(modules, false),
    all: sheetsOf(modules, true),
  }));
  const withScreens = new Set(screens.flatMap(({ first }) => [...first]));
  expect(withScreens.size).toBeGreaterThan(60);
  const late = screens.flatMap(({ file, first, all }) =>
    [...all].filter((sheet) => !first.has(sheet) && withScreens.has(sheet)).map((sheet) => `${file}: ${sheet}`),
  );
  expect(late).toEqual([]);
});
