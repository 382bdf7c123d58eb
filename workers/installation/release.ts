import type { ServerBuild } from "react-router";

/** What the build calls its files: of the shell, what every page of ours needs. */
export interface Release {
  version: string;
  styles: string[];
  scripts: string[];
}

/** The release that a build of React Router's is. */
export function releaseOf({ version, entry, routes }: ServerBuild["assets"]): Release {
  const { root } = routes;
  return {
    version,
    styles: paths(root?.css ?? []),
    scripts: paths([entry.module, ...entry.imports, root?.module ?? "", ...(root?.imports ?? [])]),
  };
}

/** Each once, without the fragments that bundlers leave. */
function paths(names: string[]): string[] {
  return [...new Set(names.map((name) => name.replace(/#.*$/, "")).filter((name) => name !== ""))];
}
