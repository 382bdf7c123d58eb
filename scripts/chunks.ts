/** Groups the script files that browsers load. The groups follow from what imports what, so nobody keeps a list of files. */
import type { Plugin } from "vite";

/** The routes of the feed, from the outermost layout: ids of React Router. */
export const FEED = ["root", "routes/shell", "routes/member/layout", "routes/member/marketplace"];

/** Modules of app/ui that at least this many script files use go into one file, `controls`. */
const MANY_FILES = 4;

/** Every page has loaded these before it imports anything more. */
const IN_EVERY_PAGE = /\/(rolldown-runtime|vendor|shell)-/;

/** The modules of these routes. The build knows a route's module by its path, with or without a query. */
const FEED_MODULES = ["entry.client", ...FEED].map(
  (name) => new RegExp(`/(app|config/defaults)/${name}\\.tsx?(\\?|$)`),
);

/**
 * The modules that a first visit to the feed loads.
 *
 * @param ids all modules of the build.
 * @param importsOf ids that a module imports statically.
 * @throws where no module has the name of a part of the feed, because somebody renamed it.
 */
export function findFeedModules(ids: readonly string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = FEED_MODULES.flatMap((part) => {
    const matching = ids.filter((id) => part.test(id));
    if (matching.length === 0)
      throw new Error(`No module matches ${part}, which is a part of the feed. Name it in scripts/chunks.ts.`);
    return matching;
  });
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...importsOf(id));
  }
  return found;
}

/** The build's plugin: a few large files compress better than many small ones, and take fewer requests. */
export function groupScripts(): Plugin {
  let feed = new Set<string>();
  const isScript = (id: string) => !/\.css(\?|$)/.test(id);
  const groups = [
    // Changes only when a library does, so browsers keep it over releases.
    { name: "vendor", test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
    { name: "shell", test: (id: string) => feed.has(id) && isScript(id) },
    // Most screens use a few of them, and each is small.
    { name: "states", test: /\/app\/db\/states\// },
    { name: "controls", test: (id: string) => /\/app\/ui\//.test(id) && isScript(id), minShareCount: MANY_FILES },
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
      if (!error) feed = findFeedModules([...this.getModuleIds()], (id) => this.getModuleInfo(id)?.importedIds ?? []);
    },
  };
}
