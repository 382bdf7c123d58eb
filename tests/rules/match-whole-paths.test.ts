import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { matchRoutes, type RouteObject } from "react-router";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { matchWholePaths } from "#scripts/match-whole-paths.ts";

const FILE = "node_modules/react-router/dist/production/lib/router/utils.js";

/** React Router's matching, as the server's build changes it. */
async function changedMatching(): Promise<typeof matchRoutes> {
  const { transform } = matchWholePaths() as { transform: (code: string, id: string) => { code: string } | null };
  const changed = transform(readFileSync(FILE, "utf8"), `/${FILE}`)?.code ?? "";
  expect(changed.match(/\bwhole\b/g)).toHaveLength(3);
  // Beside the original, because it imports its neighbours.
  const copy = resolve(FILE, `../utils-${crypto.randomUUID()}.js`);
  writeFileSync(copy, changed);
  try {
    const module = (await import(/* @vite-ignore */ pathToFileURL(copy).href)) as { matchRoutes: typeof matchRoutes };
    return module.matchRoutes;
  } finally {
    rmSync(copy);
  }
}

/** The paths of all routes, with a value in the place of each parameter. */
function pathsOf(level: readonly RouteObject[], before = ""): string[] {
  return level.flatMap(({ path = "", children = [] }) => {
    const whole = path === "" ? before : `${before}/${path}`;
    return [whole.replaceAll(/:[\w-]+\??/g, "a-b%20c").replace("*", "x/y"), ...pathsOf(children, whole)];
  });
}

test("the server finds the same routes and parameters for an address as React Router does", async () => {
  const match = await changedMatching();
  const table = routes as unknown as RouteObject[];
  const paths = [...new Set(pathsOf(table))];
  expect(paths.length).toBeGreaterThan(50);
  const variants = paths.flatMap((path) => [
    path || "/",
    `${path}/`,
    `${path}//`,
    `${path}/unknown`,
    path.toUpperCase() || "/",
    path.replace("a-b", "%2F%E2%82%AC"),
    path.replace(/\/[^/]*$/, "") || "/",
    `${path}x`,
  ]);
  const matchAll = (by: typeof matchRoutes) => variants.map((path) => [path, by(table, path)]);
  expect(matchAll(match)).toEqual(matchAll(matchRoutes));
});
