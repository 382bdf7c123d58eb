import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/folders.ts";

/**
 * The versions of the libraries whose code the build changes. Before you change one here, check that
 * what the plugins of vite.config.ts replace in that library still does the same.
 */
export const CHECKED = { react: "19.2.9", "react-dom": "19.2.9", "react-router": "8.4.0" } as const;

/** @throws where another version is installed than the one that our changes were checked against. */
export function assertCheckedVersions(versionOf: (library: string) => unknown = installedVersion): void {
  for (const [library, checked] of Object.entries(CHECKED)) {
    const version = versionOf(library);
    if (version !== checked)
      throw new Error(
        `The build's changes to ${library} were checked against ${checked}, not ${String(version)}: scripts/library-versions.ts.`,
      );
  }
}

function installedVersion(library: string): unknown {
  const file = join(root, "node_modules", library, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version?: unknown }).version;
}
