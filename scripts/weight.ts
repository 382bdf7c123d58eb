import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { localBuild } from "#scripts/folders.ts";

/**
 * Budgets for a first visit until the page works, in bytes after gzip. `script` holds for every screen, without the parts
 * that load in view or on touch (docs/decisions/libraries.md); style and font for the feed. React and React Router are
 * 79 kB of the script. Raise a number only with a reason.
 */
const LIMITS = { script: 122_000, style: 19_000, font: 25_000 };

const FEED = "routes/member/marketplace";

/** The tabs of screens that load the script of the open tab only, by the names of their files. The heaviest counts. */
const TABS: Record<string, readonly string[]> = {
  "routes/member/profile": [
    "listings-tab",
    "wishlist-view",
    "history-list",
    "orders-tab",
    "messages-tab",
    "settings-tab",
  ],
  "routes/member/my-shop": ["shop-products", "seller-orders"],
};
/** The files that a script needs before it runs. */
const NEEDED_SCRIPT = /(?:from|import)\s*"\.\/([^"]+\.js)"/g;

/** Public pages have no scripts. Their routes' files load only on the way to other screens. */
const WITHOUT_SCRIPTS = /^routes\/public\//;

/** React Router lays a route's part in the browser's data loading apart from its screen. */
const Part = z.string().nullish();
const Route = z.object({
  id: z.string(),
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
    .filter(({ id }) => !layouts.has(id) && !WITHOUT_SCRIPTS.test(id))
    .map(({ id }) => {
      const parts = branchOf(id, routes);
      const own = [entry.module, ...entry.imports, ...parts.flatMap((part) => scriptsOf(part))];
      const [scripts = own] = (TABS[id] ?? [])
        .map((name) => [...own, ...tabScripts(name)])
        .toSorted((a, b) => weigh(b) - weigh(a));
      return {
        id,
        script: weigh(scripts),
        scriptFiles: new Set(scripts.map(fileOf)).size,
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
  const feed = screens.find(({ id }) => id === FEED);
  if (!feed) return [`No route is named ${FEED}: scripts/weight.ts.`];
  const font = weigh(globSync("fonts/*.woff2", { cwd: client }));
  return [
    ...screens.map(({ id, script }) => ({ what: `The script of ${id}`, bytes: script, most: LIMITS.script })),
    { what: "The feed's style", bytes: feed.style, most: LIMITS.style },
    { what: "The font", bytes: font, most: LIMITS.font },
  ]
    .filter(({ bytes, most }) => bytes > most || bytes === 0)
    .map(({ what, bytes, most }) => `${what} weighs ${bytes} bytes after gzip; at most ${most} are allowed.`);
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

/** The scripts of a tab: its file, and the files that it needs. */
function tabScripts(name: string): string[] {
  const open = globSync(`assets/${name}-*.js`, { cwd: client });
  if (open.length !== 1) throw new Error(`${open.length} scripts are named ${name}: scripts/weight.ts.`);
  const found = new Set<string>();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const [, needed] of readFileSync(join(client, path), "utf8").matchAll(NEEDED_SCRIPT))
      open.push(`assets/${needed}`);
  }
  return [...found];
}

/** The same file may be named with and without a `#`. */
function fileOf(path: string): string {
  return join(client, path.replace(/#$/, ""));
}

function weigh(paths: string[]): number {
  const files = new Set(paths.map(fileOf));
  return [...files].reduce((bytes, file) => bytes + gzipSync(readFileSync(file)).length, 0);
}
