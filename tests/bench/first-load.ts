import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { localBuild } from "#scripts/folders.ts";

export interface FirstLoad {
  /** Bytes after gzip. */
  scripts: number;
  styles: number;
  page: number;
  scriptFiles: number;
}

/**
 * Weighs what a browser loads before a page works: the scripts that its HTML starts, its style sheets (inline or
 * linked), and the rest of the HTML.
 */
export function weighFirstLoad(html: string): FirstLoad {
  const scripts = findPaths(html, /(?<=rel="modulepreload" href=")[^"]+/g);
  const hrefs = findPaths(html, /(?<=\bhref=")[^"]+\.css[^"]*/g);
  const styles = findPaths(hrefs.join(" "), /\/assets\/[\w.-]+\.css/g);
  const inPage = /(?<=<style [^>]*data-href="app"[^>]*>).*?(?=<\/style>)/s.exec(html)?.[0] ?? "";
  return {
    scripts: weigh(scripts),
    styles: weigh(styles) + (inPage === "" ? 0 : gzipSync(inPage).length),
    page: gzipSync(html.replace(inPage, "")).length,
    scriptFiles: scripts.length,
  };
}

function findPaths(text: string, pattern: RegExp): string[] {
  return [...new Set(text.match(pattern) ?? [])];
}

function weigh(paths: string[]): number {
  return paths.reduce((bytes, path) => bytes + gzipSync(readFileSync(join(localBuild, "client", path))).length, 0);
}
