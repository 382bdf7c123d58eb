import routes from "#app/routes.ts";

interface Route {
  path?: string;
  file: string;
  children?: Route[];
}

function addressesIn(list: readonly Route[]): { path: string; file: string }[] {
  return list.flatMap(({ path, file, children = [] }) => [
    ...(path !== undefined && !path.includes("*") ? [{ path: `/${path}`, file }] : []),
    ...addressesIn(children),
  ]);
}

/** All addresses of the route table, with the module of each, but those of the sandbox. */
const ADDRESSES = addressesIn(routes as Route[]).filter(({ path }) => !path.startsWith("/sandbox/"));

export const SCREENS = ADDRESSES.filter(({ file }) => file.endsWith(".tsx"));
/** Those without a screen: parts of screens, files, and what leads on to a screen. */
export const PARTS = ADDRESSES.filter(({ file }) => file.endsWith(".ts"));
