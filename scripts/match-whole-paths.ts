/**
 * React Router finds the screen of an address by trying one route after the other, and each of them from its outermost
 * layout inwards, three times a page. The server's build first compares the whole path, which rules out nearly all
 * routes at once.
 */
import type { Plugin } from "vite";
import { changeModule } from "#scripts/change-module.ts";

const MATCHING = /\/react-router\/dist\/production\/lib\/router\/utils\.js(\?|$)/;

const CHANGES = [
  [
    "score: computeScore(path, route.index),",
    "score: computeScore(path, route.index), whole: compilePath(path, false, true)[0],",
  ],
  [
    "let { routesMeta } = branch;",
    "let { routesMeta, whole } = branch; if (!allowPartial && !whole.test(pathname)) return null;",
  ],
] as const;

/** The build's plugin. It fails where React Router's code has changed. */
export function matchWholePaths(): Plugin {
  return changeModule({
    name: "match-whole-paths",
    module: MATCHING,
    changes: CHANGES,
    mismatchError: "React Router matches paths in another way now",
    environment: "ssr",
  });
}
