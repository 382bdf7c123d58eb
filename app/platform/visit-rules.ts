import { parseUrl } from "./link-rules.ts";

/**
 * Whether a request means that somebody has just opened its page. An open page that loads its data again names itself
 * as the page that asks (Referer), whether a live event, the clock or a press caused it. A prefetched page doesn't
 * count, although opening it sends no further request. A request that could be either counts as no visit.
 */
export function isVisit({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  if (isPrefetch({ headers })) return false;
  const from = pathOf(headers.get("Referer"));
  // Some browsers send only the site as Referer, and some send none. Then only a document counts, because data may also
  // be loaded by an open page. (Through a service worker, a document's Sec-Fetch-Dest is "empty" as well.)
  if (from === null || from === "/") return headers.get("Sec-Fetch-Mode") === "navigate";
  return from !== pathOf(url);
}

export function isPrefetch({ headers }: Pick<Request, "headers">): boolean {
  return headers.get("Sec-Purpose")?.includes("prefetch") ?? false;
}

/** The page's path. A page's data has an address of its own, which some browsers name instead. */
function pathOf(address: string | null): string | null {
  return parseUrl(address ?? "")?.pathname.replace(/_?\.data$/, "") ?? null;
}
