/**
 * The first page of a browser carries its style sheets (docs/decisions/styles-in-the-first-page.md), and later ones link
 * to them. Vite's loader of dynamic imports looks for them among the page's links only, by their whole address. It would
 * ask for them again, and a sheet that comes last wins over what belongs after it. The build for browsers makes it look
 * at the page's own styles, and at links that end with React Router's `#`.
 */
import type { Plugin } from "vite";
import { changeModule } from "#scripts/change-module.ts";

const LOADER = /vite\/preload-helper\.js$/;
const FROM = "if ((isCss ? preloadedHrefs.styles : preloadedHrefs.all).has(dep.href)) return;";
/** React Router's addresses of some style sheets end with a `#`. */
const TO = `${FROM}
const address = dep.pathname;
const own = [\`style[data-href~="\${address}"]\`, \`style[data-href~="\${address}#"]\`, \`link[rel="stylesheet"][href="\${address}#"]\`];
if (isCss && document.querySelector(own.join())) return;`;

/** The build's plugin. It fails where Vite's loader has changed. */
export function stylesOnce(): Plugin {
  return changeModule({
    name: "styles-once",
    module: LOADER,
    changes: [[FROM, TO]],
    mismatchError: "Vite loads the parts of dynamic imports in another way now",
  });
}
