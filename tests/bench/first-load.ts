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

/**
 * Weighs what a browser fetches before a page works: the scripts that its HTML starts, the style sheets that stand in it or that it
 * links to, and the HTML without them.
 */
export function weighFirstLoad(html: string): FirstLoad {
  // The list that its first script asks for: the page also names modules that it fetches only on the way to other screens.
  const scripts = findPaths(html, /(?<=[[,]")\/assets\/[\w.-]+\.js(?=")/g);
  const hrefs = findPaths(html, /(?<=\bhref=")[^"]+\.css[^"]*/g);
  const styles = findPaths(hrefs.join(" "), /\/assets\/[\w.-]+\.css/g);
  const page = html.replaceAll(/(<style data-precedence[^>]*>).*?<\/style>/gs, "$1");
  return { scripts: weigh(scripts), styles: weigh(styles), page: gzipSync(page).length, scriptFiles: scripts.length };
}

function findPaths(text: string, pattern: RegExp): string[] {
  return [...new Set(text.match(pattern) ?? [])];
}

function weigh(paths: string[]): number {
  return paths.reduce((bytes, path) => bytes + gzipSync(readFileSync(join(localBuild, "client", path))).length, 0);
}
