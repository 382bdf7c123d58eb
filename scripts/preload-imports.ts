/**
 * A screen's module imports other modules. React Router asks for the screen's module alone when somebody follows a link,
 * and the browser hears of the others one round trip later. The build for browsers makes it ask for all of them at once:
 * it knows them from the answer about the screens that a page's links lead to.
 */
import type { Plugin } from "vite";
import { changeModule } from "#scripts/change-module.ts";

const ROUTE_MODULES = /\/react-router\/dist\/production\/lib\/dom\/ssr\/routeModules\.js(\?|$)/;

const CHANGES = [
  ["let routeModule = await import(", "preloadModules(route.imports); let routeModule = await import("],
] as const;

/** Asks for modules that are about to be imported. It has no types, because it is added to React Router's JavaScript. */
const PRELOAD_MODULES = `
function preloadModules(addresses = []) {
  for (const href of addresses)
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
`;

/** The build's plugin. It fails where React Router's code has changed. */
export function preloadImports(): Plugin {
  return changeModule({
    name: "preload-imports",
    module: ROUTE_MODULES,
    changes: CHANGES,
    addition: PRELOAD_MODULES,
    mismatchError: "React Router loads screens in another way now",
  });
}
