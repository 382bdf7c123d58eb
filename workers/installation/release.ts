import type { ServerBuild } from "react-router";

/** The build's files that every page needs. */
export interface Release {
  version: string;
  styles: string[];
  scripts: string[];
}

const releases = new WeakMap<ServerBuild["assets"], Release>();

/** The release of a React Router build. It is worked out once, because each public page asks for its version. */
export function releaseOf(assets: ServerBuild["assets"]): Release {
  const release = releases.get(assets) ?? readRelease(assets);
  releases.set(assets, release);
  return release;
}

/**
 * The files of a React Router build. The shell includes the modules of routes that only take forms, and of logging out,
 * because a press whose module the router can't fetch ends in a reload or an error page.
 */
function readRelease({ version, entry, routes }: ServerBuild["assets"]): Release {
  const { root } = routes;
  const formRoutes = Object.values(routes).filter(
    (route) => route?.hasAction === true && (route.path === "logout" || isWithoutScreen(route)),
  );
  return {
    version,
    styles: paths(root?.css ?? []),
    scripts: paths([
      entry.module,
      ...entry.imports,
      root?.module ?? "",
      ...(root?.imports ?? []),
      ...formRoutes.flatMap((route) => [
        route?.module ?? "",
        route?.clientActionModule ?? "",
        ...(route?.imports ?? []),
      ]),
    ]),
  };
}

function isWithoutScreen(route: object): boolean {
  return "hasDefaultExport" in route && route.hasDefaultExport === false;
}

/** Without duplicates and without the fragments that bundlers append. */
function paths(names: string[]): string[] {
  return [...new Set(names.map((name) => name.replace(/#.*$/, "")).filter((name) => name !== ""))];
}
