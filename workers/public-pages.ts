import { sha256Hex } from "#app/platform/sha256.ts";
import type { Services } from "#app/request/services.ts";
import { answeringPath, isPublicSearch, isSharedSearch, isShortPath } from "#app/public-links.ts";
import { networkOf } from "#app/platform/network.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { readDataSaver } from "#app/ui/browser/data-saver.ts";
import { openEdgeCache, withHeaders } from "./edge-cache.ts";

/**
 * How long a page is kept, in seconds, from the start of its rendering. A new price, a sale or a removal then shows
 * within 60 s: the other ten are for clocks that differ and for the answer's way on a slow network.
 */
const KEPT_S = 50;

/** A page, and things that are not there (any more). An error is never kept. */
const KEPT_STATUS = [200, 404, 410];

/** Browsers ask each time, and get a 304 while nothing has changed. */
const KEPT_HEADERS = { "Cache-Control": "public, max-age=0, must-revalidate", Vary: "Cookie, Save-Data" };

const NOT_KEPT_HEADERS = { "Cache-Control": "private, no-store" };

interface PublicPageDeps {
  services: Pick<Services, "sessions" | "limits" | "now" | "log" | "defer">;
  render(request: Request): Promise<Response>;
  /** The name of the build. A new one has new pages. */
  release: string;
  /** The caller's; null outside Cloudflare. */
  address: string | null;
}

/**
 * Answers a GET or HEAD request for a public page. Visitors get one copy of it, rendered from a request that says
 * nothing about them. Whoever is logged in gets an answer of their own, which is kept nowhere. Nor are the results of a
 * search, and what somebody looks for.
 *
 * Only pages that must be rendered count towards the network's limit. A whole campus may share one address, but its
 * visitors mostly open pages that are kept.
 */
export async function servePublicPage(
  request: Request,
  { services, render, release, address }: PublicPageDeps,
): Promise<Response> {
  if (await services.sessions.isCarriedBy(request)) return withHeaders(await render(request), NOT_KEPT_HEADERS);

  const visitor = asVisitor(request);
  const { origin, pathname } = new URL(visitor.url);
  const cache = openEdgeCache({ origin, seconds: KEPT_S }, services);
  const key = `${pathname}?${new URLSearchParams({ release, "save-data": visitor.headers.get("Save-Data") ?? "off" })}`;
  const isFresh = isPublicSearch(pathname) || isSharedSearch(pathname);
  const kept = isFresh ? null : await cache.find(key);
  if (kept) return withHeaders(kept, KEPT_HEADERS);

  if (!(await services.limits.address(`public-page:${networkOf(address)}`)))
    return new Response(TOO_MANY_REQUESTS, { status: 429, headers: NOT_KEPT_HEADERS });
  const startedAt = services.now();
  const answer = await render(visitor);
  if (isFresh || !mayBeKept(answer, pathname)) return withHeaders(answer, NOT_KEPT_HEADERS);
  const body = await answer.arrayBuffer();
  const page = new Response(body, answer);
  if (page.status === 200) page.headers.set("ETag", `"${(await sha256Hex(body)).slice(0, 32)}"`);
  cache.keep(key, page, startedAt);
  return withHeaders(page, KEPT_HEADERS);
}

/**
 * A redirect to a new name isn't kept: after a name was changed and changed back, two kept ones would lead to each
 * other. From a short address, which a poster's code holds, there is no way back.
 */
function mayBeKept({ status, headers }: Response, pathname: string): boolean {
  if (headers.has("Set-Cookie")) return false;
  return KEPT_STATUS.includes(status) || (status === 301 && isShortPath(pathname));
}

/**
 * The request without everything that differs between visitors: cookies, and the query, to which apps add the names of
 * campaigns. What stays, the Data saver, is part of the cache's key. A search keeps its query.
 */
function asVisitor(request: Request): Request {
  const address = new URL(request.url);
  if (!isPublicSearch(address.pathname)) address.search = "";
  address.pathname = answeringPath(address.pathname);
  const saves = readDataSaver(request.headers.get("Cookie"), request.headers.get("Save-Data"));
  return new Request(address, { headers: saves ? { "Save-Data": "on" } : {} });
}
