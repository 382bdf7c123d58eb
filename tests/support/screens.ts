import routes from "#app/routes.ts";

interface Route {
  path?: string;
  file: string;
  children?: Route[];
}

function screensIn(list: readonly Route[]): { path: string; file: string }[] {
  return list.flatMap(({ path, file, children = [] }) => [
    ...(path !== undefined && file.endsWith(".tsx") && !path.includes("*") ? [{ path: `/${path}`, file }] : []),
    ...screensIn(children),
  ]);
}

/** All screens of the route table, with the module of each, but those of the sandbox. */
export const SCREENS = screensIn(routes as Route[]).filter(({ path }) => !path.startsWith("/sandbox/"));
