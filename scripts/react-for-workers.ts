/**
 * React's server build for workers encodes each attribute and each text by itself, which took a quarter of a page's
 * rendering. Its build for Bun writes texts. The server's build takes that one, and gives it the two globals of Bun
 * that it uses. See docs/decisions/react-writes-texts.md.
 */
import { join } from "node:path";
import type { Plugin } from "vite";
import { root } from "#scripts/folders.ts";

const BUN_BUILD = /\/react-dom\/cjs\/react-dom-server\.bun\.production\.js(\?|$)/;

/** Where React's build for Bun uses Bun: the stream it makes, and the size of a text. */
export const BUN_GLOBALS = ['type: "direct"', 'Buffer.byteLength(chunk, "utf8")'];

const STAND_IN = join(root, "app/document/direct-stream.server.ts");

/** The build's plugin. It fails where React's build for Bun is another one than this was written for. */
export function reactForWorkers(): Plugin {
  let found = false;
  return {
    name: "react-for-workers",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "ssr",
    resolveId(source, importer, options) {
      if (source !== "react-dom/server") return null;
      return this.resolve("react-dom/server.bun", importer, { ...options, skipSelf: true });
    },
    transform(code, id) {
      if (!BUN_BUILD.test(id)) return null;
      for (const text of BUN_GLOBALS)
        if (!code.includes(text))
          throw new Error(`React's build for Bun no longer has \`${text}\`: see scripts/react-for-workers.ts.`);
      found = true;
      return { code: `const { ReadableStream, Buffer } = require(${JSON.stringify(STAND_IN)});${code}`, map: null };
    },
    buildEnd(error) {
      if (!error && !found)
        throw new Error("React's build for Bun has another place now: scripts/react-for-workers.ts.");
    },
  };
}
