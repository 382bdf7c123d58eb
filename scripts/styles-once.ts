/**
 * The first page of a browser carries its style sheets (docs/decisions/styles-in-the-first-page.md). Vite's loader of
 * dynamic imports looks for them among the page's links only, and would ask for them again. The build for browsers makes
 * it look at the page's own styles, too.
 */
import type { Plugin } from "vite";

const LOADER = /vite\/preload-helper\.js$/;
const FROM = "if ((isCss ? preloadedHrefs.styles : preloadedHrefs.all).has(dep.href)) return;";
/** React Router's addresses of some style sheets end with a `#`. */
const TO = `${FROM}
const address = dep.pathname;
if (isCss && document.querySelector(\`style[data-href~="\${address}"], style[data-href~="\${address}#"]\`)) return;`;

/** The build's plugin. It fails where Vite's loader reads otherwise. */
export function stylesOnce(): Plugin {
  let found = false;
  return {
    name: "styles-once",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!LOADER.test(id)) return null;
      found = code.split(FROM).length === 2;
      return { code: code.replace(FROM, () => TO), map: null };
    },
    buildEnd(error) {
      if (!error && !found)
        throw new Error("Vite loads the parts of dynamic imports in another way now: scripts/styles-once.ts.");
    },
  };
}
