/**
 * React Router asks the server which screens a page's links lead to, once for each address. Two products are two
 * addresses, though they have one screen: a feed would ask again with every page of products, and so would each of those
 * products. The build for browsers makes it ask once for each kind of address: `/product/0` for all products. Browsers
 * keep that answer until the next release.
 */
import type { Plugin } from "vite";

const DISCOVERY = /\/react-router\/dist\/production\/lib\/dom\/ssr\/fog-of-war\.js(\?|$)/;

/** The places that name an address before it is asked about, and what stands there instead. */
const CHANGES = [
  [
    "return async ({ path, patch, signal, fetcherKey }) => {",
    "return async ({ path: address, patch, signal, fetcherKey }) => { const path = kindOfAddress(address);",
  ],
  [
    `el.tagName === "A" ? el.pathname : new URL(path, window.location.origin).pathname;`,
    `kindOfAddress(el.tagName === "A" ? el.pathname : new URL(path, window.location.origin).pathname);`,
  ],
] as const;

/** The same address for all things of a kind: each id in it becomes 0. Written without types, because it joins React Router's code. */
export const KIND_OF_ADDRESS = `
function kindOfAddress(path) {
  return path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "0");
}
`;

/** The build's plugin. It fails where React Router's code reads otherwise. */
export function discoverKinds(): Plugin {
  let found = false;
  return {
    name: "discover-kinds",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!DISCOVERY.test(id)) return null;
      found = CHANGES.every(([from]) => code.split(from).length === 2);
      return { code: CHANGES.reduce((text, [from, to]) => text.replace(from, to), code) + KIND_OF_ADDRESS, map: null };
    },
    buildEnd(error) {
      if (!error && !found)
        throw new Error("React Router asks for screens in another way now: scripts/discover-kinds.ts.");
    },
  };
}
