import { useEffect } from "react";
import { type DataStrategyResult, useLocation, useMatches } from "react-router";

/** The screen that stands: its address, and its routes from the outermost, each by its name if its data is there. */
let address = "";
let routes: string[] = [];
let reloadFailed = false;

/** Whether the last load of a screen's data, once its promise is kept, left the screen as it was because no good answer came. */
export function hasReloadFailed(): boolean {
  return reloadFailed;
}

/** Notes which screen stands. */
export function useShownScreen(): void {
  const matches = useMatches();
  const { pathname, search } = useLocation();
  useEffect(() => {
    address = new URL(pathname + search, location.href).href;
    routes = matches.map(({ id, loaderData }) => (loaderData === undefined ? "" : id));
    return () => {
      routes = [];
    };
  }, [matches, pathname, search]);
}

/**
 * The root's part in each loading of data in the browser. A reload of the screen that stands leaves it as it is where no good answer
 * comes (commerce spec §4: polling goes on). On the way to another screen the frames around it stay, so that it says itself that it
 * could not be loaded. The router keeps the data of each route that it is told nothing about.
 */
export async function keepScreen(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const results = await next();
  // What a part of a screen loads for itself, or a form has sent, is the business of that part; the root's own action never fails.
  if (!results.root) return;
  reloadFailed = false;
  for (const id of request.url === address ? routes : routes.slice(0, -1)) {
    if (!isLost(results[id])) continue;
    delete results[id];
    reloadFailed = true;
  }
}

/** Neither data, nor a way to another screen, nor that there is no such thing: the last two have a status of their own. */
function isLost(result: DataStrategyResult | undefined): boolean {
  return result?.type === "error" && ((result.result as { status?: number }).status ?? 500) >= 500;
}
