import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { localBuild } from "#scripts/places.ts";

export interface FirstLoad {
  /** Bytes after gzip, as the files of the build compress. */
  scripts: number;
  styles: number;
  page: number;
  scriptFiles: number;
}

/** Weighs what a browser fetches before a page works: the scripts and style sheets that its HTML names, and the HTML itself. */
export function weighFirstLoad(html: string): FirstLoad {
  // As a link or an import: the page also names modules that it fetches only on the way to other screens.
  const assets = [...new Set([...html.matchAll(/(?:href=|from |import )"(\/assets\/[\w.-]+\.(?:js|css))/g)].flatMap(([, path]) => path ?? []))];
  const scripts = assets.filter((path) => path.endsWith(".js"));
  const styles = assets.filter((path) => path.endsWith(".css"));
  return { scripts: weigh(scripts), styles: weigh(styles), page: gzipSync(html).length, scriptFiles: scripts.length };
}

function weigh(paths: string[]): number {
  return paths.reduce((bytes, path) => bytes + gzipSync(readFileSync(join(localBuild, "client", path))).length, 0);
}
