import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nameOf, shortenMessages } from "#scripts/short-messages.ts";

test("a sentence for developers becomes its place, and nothing else changes", () => {
  const code = `
function invariant(value, message) { if (!value) throw new Error(message); }
invariant(useInRouter(), "useHref() may be used only in the context of a Router.");
throw new Error(\`No result returned from dataStrategy for route \${id}\`);
throw new TypeError("Failed to fetch: the network is away");
show("This sentence is read by people who use the app.");
invariant(ok, reason); invariant(ok, "short");
`;
  expect(shortenMessages(code, "hooks")).toBe(`
function invariant(value, message) { if (!value) throw new Error(message); }
invariant(useInRouter(), "hooks:3");
throw new Error("hooks:4");
throw new TypeError("Failed to fetch: the network is away");
show("This sentence is read by people who use the app.");
invariant(ok, reason); invariant(ok, "short");
`);
});

test("the place is the line in the installed file", () => {
  const file = readFileSync("node_modules/react-router/dist/production/lib/hooks.js", "utf8");
  const short = shortenMessages(file, "hooks");
  const places = [...short.matchAll(/"hooks:(\d+)"/g)].map(([, line]) => Number(line));
  expect(places.length).toBeGreaterThan(5);
  for (const line of places) expect(file.split("\n")[line - 1]).toMatch(/invariant|warning|Error|console/);
});

test("modules of one name in two folders have places of their own", () => {
  const production = "/app/node_modules/react-router/dist/production";
  expect(nameOf(`${production}/lib/components.js`)).toBe("components");
  expect(nameOf(`${production}/lib/dom/ssr/components.js?v=1`)).toBe("dom/ssr/components");
  expect(nameOf(`${production}/vendor/turbo-stream-v2/flatten.js`)).toBe("vendor/turbo-stream-v2/flatten");
  expect(nameOf("/app/node_modules/react/index.js")).toBeUndefined();
});
