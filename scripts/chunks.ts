/**
 * Groups the script files that browsers load. The groups follow from what imports what, so nobody keeps a list of
 * files.
 */
import type { Plugin } from "vite";

/** Ids of React Router, from the outermost layout: what each group of screens has in common. */
const ROUTES = {
  root: ["entry.client", "root"],
  login: ["routes/visitor/layout", "routes/visitor/sign-in"],
  shell: ["routes/shell", "routes/member/layout"],
  feed: ["routes/member/marketplace"],
  home: ["routes/member/home"],
  search: ["routes/member/search"],
  /** A screen without cards that uses a few modules of the feed. */
  withoutCards: ["routes/member/order"],
  /** Screens with cards, but with neither filters nor pages of products. */
  withoutLists: [
    "routes/member/product",
    "routes/member/edit-product",
    "routes/member/my-money",
    "routes/member/my-shop",
    "routes/member/review",
    "routes/member/shops",
    "routes/person-reviews",
  ],
} as const;

/** The modules of a group of screens, by the names of {@link ROUTES}. */
type ScreenModules = Record<keyof typeof ROUTES, ReadonlySet<string>>;

/** Modules of the feed that at least this many script files use go into one file, `common`. */
const COMMON_FILES = 12;

/** Every page has loaded these before it imports anything more. */
const IN_EVERY_PAGE = /\/(rolldown-runtime|vendor|start)-/;

/**
 * The modules that each group of screens loads.
 *
 * @param ids all modules of the build.
 * @param importsOf ids that a module imports statically.
 * @throws where no module has the name of one of {@link ROUTES}, because somebody renamed it.
 */
function findScreenModules(ids: readonly string[], importsOf: (id: string) => readonly string[]): ScreenModules {
  const reach = (names: readonly string[]) => {
    const found = new Set<string>();
    const open = names.flatMap((name) => findRouteModules(name, ids));
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      open.push(...importsOf(id));
    }
    return found;
  };
  return {
    root: reach(ROUTES.root),
    login: reach(ROUTES.login),
    shell: reach(ROUTES.shell),
    feed: reach(ROUTES.feed),
    home: reach(ROUTES.home),
    search: reach(ROUTES.search),
    withoutCards: reach(ROUTES.withoutCards),
    withoutLists: reach(ROUTES.withoutLists),
  };
}

/** A route's modules. The build knows them by their path, with or without a query. */
function findRouteModules(name: string, ids: readonly string[]): string[] {
  const path = new RegExp(`/(app|config/defaults)/${name}\\.tsx?(\\?|$)`);
  const matching = ids.filter((id) => path.test(id));
  if (matching.length === 0) throw new Error(`No module matches ${path}. Name that route in scripts/chunks.ts.`);
  return matching;
}

/** What every page loads: the document, and what the login shares with the screens behind it. */
function isInStart(id: string, { root, login, shell, feed }: ScreenModules): boolean {
  return root.has(id) || (login.has(id) && (shell.has(id) || feed.has(id)));
}

/** The build's plugin: a few large files compress better than many small ones, and take fewer requests. */
export function groupScripts(): Plugin {
  let screens: ScreenModules = {
    root: new Set(),
    login: new Set(),
    shell: new Set(),
    feed: new Set(),
    home: new Set(),
    search: new Set(),
    withoutCards: new Set(),
    withoutLists: new Set(),
  };
  const isScript = (id: string) => !/\.css(\?|$)/.test(id);
  const group = (name: string, isIn: (id: string) => boolean) => ({
    name,
    test: (id: string) => isScript(id) && isIn(id),
  });
  // What the feed shares with other screens. A group takes what its modules import, too, so what fewer screens need
  // comes later.
  const shared = (name: string, others: keyof ScreenModules) =>
    group(name, (id) => screens.feed.has(id) && screens[others].has(id));
  const groups = [
    // Changes only when a library does, so browsers keep it over releases.
    { name: "vendor", test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
    group("start", (id) => isInStart(id, screens)),
    group("shell", (id) => screens.shell.has(id)),
    { ...group("common", (id) => screens.feed.has(id)), minShareCount: COMMON_FILES },
    shared("parts", "withoutCards"),
    shared("cards", "withoutLists"),
    shared("front", "home"),
    shared("lists", "search"),
    group("fields", (id) => /\/app\/ui\//.test(id) && screens.login.has(id)),
  ];
  return {
    name: "group-scripts",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    config: () => ({
      build: {
        modulePreload: { resolveDependencies: (_file, files) => files.filter((file) => !IN_EVERY_PAGE.test(file)) },
      },
      environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
    }),
    buildEnd(error) {
      if (!error)
        screens = findScreenModules([...this.getModuleIds()], (id) => this.getModuleInfo(id)?.importedIds ?? []);
    },
  };
}
