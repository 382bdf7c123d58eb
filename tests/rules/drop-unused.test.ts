import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ATTRIBUTES, dropPart, findUse, removeCases, replaceDeclarations, UNUSED } from "#scripts/drop-unused.ts";

const MODULE = `
const kept = 1, dropped = new Map([["a", "b"]]);
function long(a) { return a + 1; }
function outer() { function inner() { return 2; } return inner(); }
exports.public = function () { return long(1); };
`;

test("functions, variables and exports are replaced, and nothing else", () => {
  const changed = replaceDeclarations(MODULE, {
    dropped: "null",
    long: "return a",
    "outer.inner": "",
    "exports.public": "() => null",
  });
  expect(changed).toBe(`
const kept = 1, dropped = null;
function long(a) {return a}
function outer() { function inner() {} return inner(); }
exports.public = () => null;
`);
});

test("a name that a module has no longer stops the build", () => {
  expect(() => replaceDeclarations(MODULE, { renamed: "" })).toThrow("renamed");
});

test("members of an object in a variable are replaced", () => {
  const code = "var kind = assign({}, other, { name: 0, shown: function (a) { return a; } });";
  expect(replaceDeclarations(code, { "kind.shown": "1" })).toBe("var kind = assign({}, other, { name: 0, shown: 1 });");
});

const SWITCH = `
function choose(thing) {
  switch (thing.tag) {
    case 1: first();
    case 2: second(); break;
    case 3: return third();
    case 4:
    case 5: return fifth();
    default: other();
  }
}
`;

/** What `choose` of the code does with a tag. */
function choiceOf(code: string, tag: number): string {
  const calls: string[] = [];
  const names = ["first", "second", "third", "fifth", "other"];
  const choose = new Function(...names, `${code}; return choose;`)(...names.map((name) => () => void calls.push(name)));
  choose({ tag });
  return calls.join();
}

test.each(["1", "2", "3", "4", "5"])("without case %s the others do what they did", (label) => {
  const changed = removeCases(SWITCH, { within: "choose", of: /\.tag$/, labels: [label] });
  expect(choiceOf(changed, Number(label))).toBe("other");
  for (const tag of [1, 2, 3, 4, 5, 6].filter((each) => String(each) !== label))
    expect(choiceOf(changed, tag)).toBe(choiceOf(SWITCH, tag));
});

test("a variable that a case declares stays for the others", () => {
  const code = `function choose(thing) {
    switch (thing.tag) { case 1: var found = first(); return; case 2: found = second(); return found; }
  }`;
  const changed = removeCases(code, { of: /\.tag$/, labels: ["1"] });
  expect(changed).not.toContain("first");
  expect(changed).toContain("var found;");
  expect(choiceOf(changed, 2)).toBe("second");
});

test("a case that a module has no longer stops the build", () => {
  expect(() => removeCases(SWITCH, { of: /\.tag$/, labels: ["3", "7"] })).toThrow("7");
  expect(() => removeCases(SWITCH, { within: "other", of: /\.tag$/, labels: ["3"] })).toThrow("3");
});

test.each(UNUSED)("$module still has: $what", (part) => {
  const code = readFileSync(`node_modules/${part.module}`, "utf8");
  const changed = dropPart(code, part);
  expect(changed.length).toBeLessThan(code.length);
});

test("attributes that pages write with another name in JSX keep it", () => {
  const kept = ["acceptCharset", "htmlFor", "httpEquiv", "strokeWidth", "fillRule"];
  const fonts = ["fontFamily", "fontSize", "fontStyle", "fontWeight"];
  for (const name of [...kept, ...fonts]) expect(ATTRIBUTES.kept.join()).toContain(`["${name}", "`);
  for (const name of ["markerEnd", "fontSizeAdjust"]) expect(ATTRIBUTES.dropped).toContain(name);
});

/** The names that a module uses and nobody declares, as the linter finds them. */
async function findUndeclared(code: string, extension: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "undeclared-"));
  try {
    const config = join(folder, "oxlintrc.json");
    const options = { categories: { correctness: "off" }, rules: { "no-undef": "error" } };
    writeFileSync(config, JSON.stringify({ ...options, env: { browser: true, commonjs: true, es2024: true } }));
    const file = join(folder, `module.${extension}`);
    writeFileSync(file, code);
    const run = promisify(execFile)("node_modules/.bin/oxlint", ["-c", config, "-f", "unix", file]);
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    return [...new Set([...stdout.matchAll(/'([^']+)' is not defined/g)].map(([, name]) => name ?? ""))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the linter finds a name that nobody declares", async () => {
  expect(await findUndeclared("function first() { return second + 1; }", "cjs")).toEqual(["second"]);
});

test.each([...new Set(UNUSED.map(({ module }) => module))])("%s names nothing that went", async (module) => {
  const code = readFileSync(`node_modules/${module}`, "utf8");
  const changed = UNUSED.filter((part) => part.module === module).reduce(dropPart, code);
  const extension = module.includes("/cjs/") ? "cjs" : "mjs";
  const before = await findUndeclared(code, extension);
  const after = await findUndeclared(changed, extension);
  expect(after.filter((name) => !before.includes(name))).toEqual([]);
});

const USES = [
  `const opts = { instrumentations: [] };`,
  `jsx(Link, { to: "/cart", prefetch: "intent" })`,
  `import { Await, Link } from "react-router";`,
  `import { preload } from "react-dom";`,
  `preconnect("https://example.com")`,
  `jsx("link", { rel: "stylesheet", href, precedence: "page" })`,
  `import { Activity, useState } from "react";`,
  `import { useActionState } from "react";`,
  `jsx("my-element", {})`,
  `_jsx("my-element", {})`,
  `(0, runtime.jsxs)("my-element", {})`,
  `createElement("my-element")`,
  `jsx("path", { markerEnd: "url(#arrow)" })`,
  `jsx("image", { imageRendering: "pixelated" })`,
  `componentDidCatch(error, { componentStack }) {}`,
  `import { c } from "react/compiler-runtime";`,
  `ReactDOM.findDOMNode(this)`,
  `const later = useDeferredValue(words);`,
  `const blocker = useBlocker(isDirty);`,
  `jsx("form", { method: "post", action: async (data) => save(data) })`,
  `jsx("div", { onCompositionEnd: end })`,
  `jsx("input", { value, onSelect: keep })`,
  `jsx("div", { contentEditable: true })`,
  `jsx("video", { src, onTimeUpdate: show })`,
  `import { Profiler } from "react";`,
  `const [isPending, start] = useTransition();`,
  `ReactDOM.requestFormReset(form)`,
  `class List extends Component { UNSAFE_componentWillReceiveProps(next) {} }`,
  `jsx("use", { xlinkHref: "#icon" })`,
  `jsx("p", { style: { columnCount: 2 } })`,
  `if (event.getModifierState("CapsLock")) warn();`,
];

test.each(USES)("the build stops where somebody writes %s", (code) => {
  expect(findUse("/src/app/ui/new.tsx", code)).toContain("/src/app/ui/new.tsx");
  expect(findUse("/src/node_modules/some-library/index.js", code)).toContain("drop-unused");
  expect(findUse("/src/node_modules/react-dom/client.js", code)).toBeNull();
});

test("what the app writes every day is fine", () => {
  const code = `import { useOptimistic, lazy } from "react"; import { Link } from "react-router";
    jsx("style", { href, precedence: "page" }); jsx("svg", { strokeWidth: 2, style: { opacity: 0.5, zIndex: 1 } }); jsx(Link, { prefetch: "none" });
    jsx("form", { method: "post", action: "/cart", onSubmit }); jsx(Menu, { onSelect: choose }); jsx("video", { ref })`;
  expect(findUse("/src/app/ui/old.tsx", code)).toBeNull();
});
