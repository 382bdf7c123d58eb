import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { SCREENS } from "#app/screen-rules.ts";
import { localBuild } from "#scripts/folders.ts";

/**
 * Budgets for a first visit until the page works, in bytes after gzip. React and React Router are 99 kB of the script.
 * The screens that people see first have a smaller one. Raise a number only with a reason
 * (docs/decisions/libraries.md).
 */
const LIMITS = { script: 144_700, firstScript: 126_900, style: 20_000, font: 25_000 };

/**
 * Public pages have no scripts: their routes' files load only on the way to other screens. The sandbox's pages are
 * in no production build.
 */
const NOT_WEIGHED = /^routes\/(public|sandbox)\//;

/** React Router lays a route's part in the browser's data loading apart from its screen. */
const Part = z.string().nullish();
const Route = z.object({
  id: z.string(),
  path: z.string().optional(),
  parentId: z.string().optional(),
  module: z.string(),
  clientLoaderModule: Part,
  clientActionModule: Part,
  clientMiddlewareModule: Part,
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
});
type Route = z.infer<typeof Route>;
const Manifest = z.object({
  entry: Route.pick({ module: true, imports: true }),
  routes: z.record(z.string(), Route),
});

/** What a screen loads at first, in bytes after gzip. */
export interface ScreenWeight {
  /** The route's id. */
  id: string;
  /** Its pattern of the router; undefined for the first screen. */
  path: string | undefined;
  script: number;
  scriptFiles: number;
  style: number;
}

const client = join(localBuild, "client");

/** Weighs each screen of the local build, the heaviest first. */
export function weighScreens(): ScreenWeight[] {
  const [path] = globSync("assets/manifest-*.js", { cwd: client });
  if (path === undefined) throw new Error("The build holds no manifest.");
  const { entry, routes } = Manifest.parse(
    JSON.parse(
      readFileSync(join(client, path), "utf8")
        .replace(/^[^{]*/, "")
        .replace(/;\s*$/, ""),
    ),
  );
  const layouts = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes)
    .filter(({ id }) => !layouts.has(id) && !NOT_WEIGHED.test(id))
    .map(({ id, path: pattern }) => {
      const parts = branchOf(id, routes);
      const own = [entry.module, ...entry.imports, ...parts.flatMap((part) => scriptsOf(part))];
      return {
        id,
        path: pattern,
        script: weigh(own),
        scriptFiles: new Set(own.map(fileOf)).size,
        style: weigh(parts.flatMap(({ css }) => css)),
      };
    })
    .toSorted((a, b) => b.script - a.script);
}

/** A route and the layouts around it. */
function branchOf(id: string | undefined, routes: Record<string, Route>): Route[] {
  const route = id === undefined ? undefined : routes[id];
  return route ? [route, ...branchOf(route.parentId, routes)] : [];
}

/** Measures the screens of the local build against their budget. */
export function findWeightFaults(): string[] {
  const screens = weighScreens();
  const font = weigh(globSync("fonts/*.woff2", { cwd: client }));
  return [
    ...screens.map(({ id, path, script }) => ({
      what: `The script of ${id}`,
      bytes: script,
      most: SCREENS[`/${path}`]?.isSeenFirst ? LIMITS.firstScript : LIMITS.script,
    })),
    ...screens.map(({ id, style }) => ({ what: `The styles of ${id}`, bytes: style, most: LIMITS.style })),
    { what: "The font", bytes: font, most: LIMITS.font },
  ]
    .filter(({ bytes, most }) => bytes > most || bytes === 0)
    .map(({ what, bytes, most }) => `${what} weighs ${bytes} bytes after gzip; at most ${most} are allowed.`);
}

/** Queries of the screen in the local build that the oldest styled browsers don't know (scripts/browsers.ts). */
export function findNewerQueries(): string[] {
  return globSync("assets/*.css", { cwd: client }).flatMap((file) =>
    [...readFileSync(join(client, file), "utf8").matchAll(/@media(?: not \(|[^{]*[<>])[^{]*/g)].map(
      ([query]) => `${file} has ${query}, which older browsers drop.`,
    ),
  );
}

function scriptsOf({
  module,
  clientLoaderModule,
  clientActionModule,
  clientMiddlewareModule,
  imports,
}: Route): string[] {
  const parts = [module, clientLoaderModule, clientActionModule, clientMiddlewareModule];
  return [...parts.filter((path) => typeof path === "string"), ...imports];
}

/** The same file may be named with and without a `#`. */
function fileOf(path: string): string {
  return join(client, path.replace(/#$/, ""));
}

function weigh(paths: string[]): number {
  const files = new Set(paths.map(fileOf));
  return [...files].reduce((bytes, file) => bytes + gzipSync(readFileSync(file)).length, 0);
}
