/** What runs in browsers does without what our oldest browsers lack, or says below what happens there. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "vite";
import { expect, test } from "vitest";
import { ASKED_FOR } from "#app/document/plain-pages.ts";
import { OLDEST_BROWSERS } from "#scripts/browsers.ts";
import {
  firstVersionOf,
  listNewerAttributes,
  listNewerFeatures,
  listNewerStyles,
} from "#tests/support/newer-features.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Each use of something newer, and what happens without it. */
const USES: readonly { names: string[]; files: string[]; without: string }[] = [
  {
    names: ['popover=""', 'popovertarget=""', ".hidePopover()"],
    files: ["app/ui/layers/menu.tsx", "app/ui/page/profile-menu.tsx"],
    without: "app/ui/layers/popover.ts brings it, and menus are closed until then",
  },
  {
    names: ["CloseWatcher"],
    files: ["app/ui/layers/use-back-to-close.ts"],
    without: "the router takes the way back again",
  },
  { names: ['closedby=""'], files: ["app/ui/layers/dialog.tsx"], without: "the dialog looks where a press was" },
  { names: ["navigation"], files: ["app/ui/page/back-button.tsx"], without: "the router's count of pages decides" },
  {
    names: ['fetchpriority=""'],
    files: [
      "app/catalogue/product/components/public-product-view.tsx",
      "app/routes/member/home.tsx",
      "app/ui/pictures/photo.tsx",
      "app/ui/pictures/slideshow.tsx",
    ],
    without: "the first photo comes a little later",
  },
  {
    names: ["Intl.Segmenter"],
    files: ["app/messaging/notices/message-toast.ts"],
    without: "an emoji may count as several",
  },
  {
    names: ["Navigator.setAppBadge"],
    files: ["app/screens/live/live-page.ts"],
    without: "no number on the app's icon",
  },
  {
    names: ["Navigator.share"],
    files: ["app/ui/sharing/share-dialog.tsx"],
    without: "the dialog has only WhatsApp, the poster and the link",
  },
  { names: ["BarcodeDetector"], files: ["app/screens/sold-item/code-scanner.tsx"], without: "the code is typed" },
  {
    names: ['playsinline=""'],
    files: ["app/screens/sold-item/code-scanner.tsx"],
    without: "Firefox plays in the page anyway",
  },
  {
    names: ["Map.groupBy"],
    files: ["app/admin/operations/overview-rules.ts"],
    without: "the server alone counts these figures",
  },
];

/** Each newer part of our style sheets, and what happens without it. */
const STYLES: Readonly<Record<string, string>> = {
  ":details-content": "the order's summary is a line that opens, on wide screens, too",
  ":popover-open": "a menu opens at once; app/ui/layers/menu.css asks whether a browser knows it",
  ":selection": "marked text has the browser's colours",
  ":view-transition-group": "screens change at once",
  ":view-transition-new": "screens change at once",
  ":view-transition-old": "screens change at once",
  "view-transition-name": "screens change at once",
  "@page": "a poster has the printer's paper",
  size: "a poster has the printer's paper",
  "accent-color": "small controls have the browser's colour",
  "content-visibility": "a long list is laid out at once",
  "contain-intrinsic-height": "a long list is laid out at once",
  "forced-color-adjust": "signs have the colours that somebody forces",
  "overflow-clip-margin": "a focus ring would be cut off: a card that has the focus cuts off nothing",
  "overscroll-behavior": "the page scrolls on where a list ends",
  "overscroll-behavior-x": "a swipe beyond the last photo may go back",
  resize: "such browsers let nobody resize a field",
  "scrollbar-gutter": "the page may move by a scroll bar's width when a dialog opens",
  "scrollbar-width": "a row shows its scroll bar",
  "text-size-adjust": "such browsers don't enlarge texts by themselves",
  "text-wrap": "a heading's lines are less even",
};

/** Names of objects that are always there, with the interface that describes them. */
const GLOBAL_OBJECTS: Readonly<Record<string, string>> = {
  window: "",
  globalThis: "",
  self: "",
  document: "Document",
  navigator: "Navigator",
  history: "History",
  location: "Location",
  performance: "Performance",
  screen: "Screen",
  crypto: "Crypto",
};

/** Whose methods are looked for by their name alone, because nothing shows what a variable holds. */
const COMMON =
  /^(Array|String|Set|Map|RegExp|Promise|Iterator|Element|Node|Document|HTML\w*Element|Response|Request|Blob|File|Headers|FormData|URLSearchParams|Animation|Range|Selection|DOMRect|ReadableStream)$/;

const newer = listNewerFeatures();
const globals = new Set(newer.filter(({ owner }) => owner === "").map(({ name }) => name));
const members = new Set(newer.map(({ owner, name }) => `${owner}.${name}`));
const owners = new Set(newer.map(({ owner }) => owner));
const methods = new Set(newer.filter(({ owner, isUnique }) => isUnique && COMMON.test(owner)).map(({ name }) => name));
const attributes = new Set(listNewerAttributes());

/** The newer features that a module uses. */
function findNewer(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} can't be parsed`);
  const found = new Set<string>();
  /** Names that the module itself gives to something. */
  const own = new Set<string>();
  const imported = new Set<string>();
  const noteImport = ({ local }: { local: { name: string } }) => imported.add(local.name) && own.add(local.name);
  new Visitor({
    ImportSpecifier: noteImport,
    ImportDefaultSpecifier: noteImport,
    FunctionDeclaration: ({ id }) => id && own.add(id.name),
    VariableDeclarator: ({ id }) => id.type === "Identifier" && own.add(id.name),
    TSTypeAliasDeclaration: ({ id }) => own.add(id.name),
    TSInterfaceDeclaration: ({ id }) => own.add(id.name),
  }).visit(program);
  const nameIn = (node: { type: string; name?: unknown }) =>
    node.type === "Identifier" && typeof node.name === "string" ? node.name : null;
  new Visitor({
    MemberExpression: ({ object, property, computed }) => {
      const [of, name] = [nameIn(object), computed ? null : nameIn(property)];
      if (of === null || name === null || own.has(of)) return;
      const owner = GLOBAL_OBJECTS[of] ?? of;
      if (owners.has(owner) && members.has(`${owner}.${name}`)) found.add(owner === "" ? name : `${owner}.${name}`);
      if (globals.has(of)) found.add(of);
    },
    CallExpression: ({ callee }) => {
      if (callee.type === "Identifier" && globals.has(callee.name) && !own.has(callee.name)) found.add(callee.name);
      if (callee.type !== "MemberExpression" || callee.computed) return;
      const [of, name] = [nameIn(callee.object), nameIn(callee.property)];
      const isFound = of !== null && (imported.has(of) || owners.has(of));
      if (name !== null && methods.has(name) && !isFound) found.add(`.${name}()`);
    },
    NewExpression: ({ callee }) => {
      const name = nameIn(callee);
      if (name !== null && globals.has(name)) found.add(name);
    },
    JSXOpeningElement: ({ name: element, attributes: given }) => {
      if (element.type !== "JSXIdentifier" || !/^[a-z]/.test(element.name)) return;
      for (const each of given)
        if (each.type === "JSXAttribute" && each.name.type === "JSXIdentifier") {
          const attribute = each.name.name.toLowerCase();
          if (attributes.has(attribute)) found.add(`${attribute}=""`);
        }
    },
  }).visit(program);
  return [...found].toSorted();
}

/** The modules that a browser may load: what the screens import, but neither use cases nor parts without a screen. */
function listBrowserModules(): string[] {
  const found = new Set(globSync("workers/installation/*.js", { cwd: root }));
  const open = globSync(["app/root.tsx", "app/routes/**/*.tsx"], { cwd: root });
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || /\.server\.tsx?$|\.css$/.test(path) || !existsSync(join(root, path))) continue;
    found.add(path);
    const imports = read(path).matchAll(/^(?:im|ex)port (?!type\b)[^;]*?"([^"]+)";|import\("([^"]+)"\)/gm);
    for (const [, still, later] of imports) {
      const name = still ?? later ?? "";
      if (name.startsWith("#app/")) open.push(name.slice(1));
      if (name.startsWith(".")) open.push(relative(root, join(root, dirname(path), name)));
    }
  }
  return [...found];
}

test("browser code uses nothing newer than our oldest browsers without saying what happens without", () => {
  const modules = listBrowserModules();
  expect(modules.length).toBeGreaterThan(500);
  const found = modules.flatMap((path) => findNewer(path, read(path)).map((name) => `${path}: ${name}`));
  const known = USES.flatMap(({ names, files }) => files.flatMap((path) => names.map((name) => `${path}: ${name}`)));
  expect(found.toSorted()).toEqual(known.toSorted());
});

test("style sheets use nothing newer than our oldest browsers without saying what happens without", () => {
  const { properties, selectors, rules } = listNewerStyles();
  const found = new Set<string>();
  for (const path of globSync("app/**/*.css", { cwd: root })) {
    const text = read(path).replaceAll(/\/\*.*?\*\//gs, "");
    for (const [, name = ""] of text.matchAll(/(?<=[{;]\s*)([a-z-]+):\s/g))
      if (properties.includes(name)) found.add(name);
    for (const [, name = ""] of text.matchAll(/(?<!\\):{1,2}([a-z-]+)/g))
      if (selectors.includes(name)) found.add(`:${name}`);
    for (const [, name = ""] of text.matchAll(/@([a-z-]+)/g)) if (rules.includes(name)) found.add(`@${name}`);
  }
  expect([...found].toSorted()).toEqual(Object.keys(STYLES).toSorted());
});

test("a newer global, property, method and attribute are found, and a name of one's own is not", () => {
  const source = `import { z } from "zod";
    const groups = Map.groupBy(list, (one) => one.kind);
    new CloseWatcher(); navigator.setAppBadge(1); window.navigation.canGoBack; URL.parse(text); menu?.hidePopover();
    const form = <div popover="auto" title="a" />;
    z.union([]); const share = { path: 1 }; share.path; [].toSorted(); structuredClone(1);`;
  expect(findNewer("a.tsx", source)).toEqual([
    ".hidePopover()",
    "CloseWatcher",
    "Map.groupBy",
    "Navigator.setAppBadge",
    "URL.parse",
    "navigation",
    'popover=""',
  ]);
});

test("the README names our oldest browsers", () => {
  const { chrome, firefox, safari } = OLDEST_BROWSERS;
  expect(read("README.md")).toContain(`Chrome ${chrome}, Firefox ${firefox}, Safari ${safari}`);
});

test("scripts run from our oldest browsers on, and in none that is older", () => {
  const newest = Object.fromEntries(
    (Object.keys(OLDEST_BROWSERS) as (keyof typeof OLDEST_BROWSERS)[]).map((browser) => {
      const needed = Object.keys(ASKED_FOR).map((name) => firstVersionOf(name, browser));
      return [browser, String(Math.max(...needed))];
    }),
  );
  expect(newest).toEqual(OLDEST_BROWSERS);
});
