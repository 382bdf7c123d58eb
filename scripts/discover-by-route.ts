/**
 * React Router asks the server which screens a page's links lead to, once for each address. Two products are two
 * addresses, though they have one screen: a feed would ask again with every page of products, and so would each of those
 * products. The build for browsers makes it ask once for each route: `/product/0` for all products. Browsers keep that
 * answer until the next release.
 */
import type { Plugin } from "vite";
import { changeModule } from "#scripts/change-module.ts";

const DISCOVERY = /\/react-router\/dist\/production\/lib\/dom\/ssr\/fog-of-war\.js(\?|$)/;

/** The places that name an address before it is asked about, and what stands there instead. */
const CHANGES = [
  [
    "return async ({ path, patch, signal, fetcherKey }) => {",
    "return async ({ path: address, patch, signal, fetcherKey }) => { const path = withoutIds(address);",
  ],
  [
    `el.tagName === "A" ? el.pathname : new URL(path, window.location.origin).pathname;`,
    `withoutIds(el.tagName === "A" ? el.pathname : new URL(path, window.location.origin).pathname);`,
  ],
] as const;

/**
 * Replaces each id in an address by 0, so that all products have one address. It has no types, because it is added to
 * React Router's JavaScript.
 */
export const WITHOUT_IDS = `
function withoutIds(path) {
  return path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "0");
}
`;

/** The build's plugin. It fails where React Router's code has changed. */
export function discoverByRoute(): Plugin {
  return changeModule({
    name: "discover-by-route",
    module: DISCOVERY,
    changes: CHANGES,
    addition: WITHOUT_IDS,
    mismatchError: "React Router asks for screens in another way now",
  });
}
