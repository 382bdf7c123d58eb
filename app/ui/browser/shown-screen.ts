import { useEffect } from "react";
import { type DataStrategyResult, useLocation, useMatches } from "react-router";
import { forgetOthers } from "#app/platform/private-storage.ts";
import type { FailedPage } from "./failed-page.ts";

/**
 * The screen that is shown: its address, and its route ids from the outermost. The id of a route without data is "".
 */
let address = "";
let routes: string[] = [];
let reloadFailed = false;

/**
 * Whether the last load of the screen's data failed and left the screen as it was. Ask once the load's promise is
 * settled.
 */
export function hasReloadFailed(): boolean {
  return reloadFailed;
}

/** Notes which screen is shown, and removes what the browser keeps of others than its user. */
export function useShownScreen(): void {
  const matches = useMatches();
  const { pathname, search } = useLocation();
  useEffect(() => {
    address = new URL(pathname + search, location.href).href;
    routes = matches.map(({ id, loaderData }) => (loaderData === undefined ? "" : id));
    forgetOthers();
    return () => {
      routes = [];
    };
  }, [matches, pathname, search]);
}

/**
 * The root route's client middleware. When a reload of the shown screen fails, the screen stays as it is, and polling
 * goes on. When another screen fails to load, only the layouts around it stay, so that the screen itself says what
 * failed. It works by deleting failed results: the router keeps the data of each route that it has no result for. When
 * a further page of a list fails, the list says so.
 */
export async function keepScreen(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const results = await next();
  // Loads of a part of a screen, and forms, handle their own failures. They do not load the root.
  if (!results.root) return isFurtherPage(request) ? failInList(results) : undefined;
  reloadFailed = false;
  for (const id of request.url === address ? routes : routes.slice(0, -1)) {
    if (!isLost(results[id])) continue;
    delete results[id];
    reloadFailed = true;
  }
}

/** Whether the address is that of a list after its first page, as `MoreLink` loads it. */
function isFurtherPage({ method, url }: Request): boolean {
  const { searchParams } = new URL(url);
  return method === "GET" && (searchParams.has("after") || searchParams.has("before"));
}

/** An error of a part of a screen would replace the whole screen. */
function failInList(results: Record<string, DataStrategyResult>): void {
  for (const [id, result] of Object.entries(results))
    if (isLost(result)) results[id] = { type: "data", result: { failed: true } satisfies FailedPage };
}

/** An error that is no answer of ours: a redirect and a 404 have a status below 500. */
function isLost(result: DataStrategyResult | undefined): boolean {
  return result?.type === "error" && ((result.result as { status?: number }).status ?? 500) >= 500;
}
