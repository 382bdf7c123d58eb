import type { ServerBuild } from "react-router";

/** What the build calls its files: of the shell, what every page of ours needs. */
export interface Release {
  version: string;
  styles: string[];
  scripts: string[];
}

/**
 * The release that a build of React Router's is. With the shell go the parts, empty as they are, of addresses that take forms and
 * show nothing, such as the cart's: where the router cannot fetch one, it loads the page anew in the place of saying what failed.
 */
export function releaseOf({ version, entry, routes }: ServerBuild["assets"]): Release {
  const { root } = routes;
  const takers = Object.values(routes).filter(
    (route) => route?.hasAction === true && "hasDefaultExport" in route && route.hasDefaultExport === false,
  );
  return {
    version,
    styles: paths(root?.css ?? []),
    scripts: paths([
      entry.module,
      ...entry.imports,
      root?.module ?? "",
      ...(root?.imports ?? []),
      ...takers.map((route) => route?.module ?? ""),
    ]),
  };
}

/** Each once, without the fragments that bundlers leave. */
function paths(names: string[]): string[] {
  return [...new Set(names.map((name) => name.replace(/#.*$/, "")).filter((name) => name !== ""))];
}
