import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ATTRIBUTES, findUse, replaceDeclarations, UNUSED } from "#scripts/drop-unused.ts";

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

test.each(UNUSED)("$module still declares: $what", ({ module, replace }) => {
  const code = readFileSync(`node_modules/${module}`, "utf8");
  const changed = replaceDeclarations(code, replace);
  expect(changed.length).toBeLessThan(code.length);
});

test("attributes that pages write with another name in JSX keep it", () => {
  const kept = ["acceptCharset", "htmlFor", "httpEquiv", "strokeWidth", "fillRule"];
  const fonts = ["fontFamily", "fontSize", "fontStyle", "fontWeight"];
  for (const name of [...kept, ...fonts]) expect(ATTRIBUTES.kept.join()).toContain(`["${name}", "`);
  for (const name of ["markerEnd", "fontSizeAdjust"]) expect(ATTRIBUTES.dropped).toContain(name);
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
];

test.each(USES)("the build stops where somebody writes %s", (code) => {
  expect(findUse("/src/app/ui/new.tsx", code)).toContain("/src/app/ui/new.tsx");
  expect(findUse("/src/node_modules/some-library/index.js", code)).toContain("drop-unused");
  expect(findUse("/src/node_modules/react-dom/client.js", code)).toBeNull();
});

test("what the app writes every day is fine", () => {
  const code = `import { useOptimistic, lazy } from "react"; import { Link } from "react-router";
    jsx("style", { href, precedence: "page" }); jsx("svg", { strokeWidth: 2 }); jsx(Link, { prefetch: "none" });
    jsx("form", { method: "post", action: "/cart", onSubmit }); jsx(Menu, { onSelect: choose }); jsx("video", { ref })`;
  expect(findUse("/src/app/ui/old.tsx", code)).toBeNull();
});
