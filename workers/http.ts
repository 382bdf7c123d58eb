import { Hono } from "hono";
import { etag } from "hono/etag";
import { loggedPath } from "#app/request/logged-path.ts";
import { isForSearchEngines, isPublicPage, LISTED_SCREENS } from "#app/public-links.ts";
import { wantsPlainPages } from "#app/document/plain-pages.ts";
import { watchJob } from "#app/admin/operations/alarms.server.ts";
import { notifyWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { describeMeter, type Meter, newMeter } from "#app/db/meter.ts";
import { RETRY_AFTER_S } from "#app/platform/rate-limit-rules.ts";
import type { RequestInfo } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { isView } from "#app/upkeep/listing-counter.ts";
import { createApi } from "./api/api.ts";
import { askWhetherSure } from "./api/ask-whether-sure.ts";
import { guardForm } from "./api/form-guard.ts";
import { refuse } from "./api/refuse.ts";
import { isOwnOrigin } from "./api/request-reading.ts";
import { clockOfRequest } from "./local-clock.ts";
import type { Env } from "./env.ts";
import type { HttpEnv } from "./http-env.ts";
import type { Release } from "./installation/release.ts";
import { log, requestsOfLine } from "./log.ts";
import { servePublicPage } from "./public-pages.ts";
import { secureHeaders } from "./secure-headers.ts";
import { createServices } from "./services.ts";

type Pages = (request: Request, services: Services, info: RequestInfo) => Promise<Response>;

/** Answers 304 to browsers that have the page already. */
const compareTags = etag();

/**
 * Routes everything that is not a page: the API, Safaricom's callbacks, files, the live channel and the installed app's
 * files.
 *
 * @param pages answers every other request
 * @param release tells the names of the build's files
 */
export function createHttpApp(pages: Pages, release: () => Promise<Release>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.use(async (c, next) => {
    const startedAt = Date.now();
    const meter = newMeter();
    const info = newRequestInfo(c.req.raw);
    c.set("info", info);
    c.set(
      "services",
      createServices(
        c.env,
        {
          waitUntil: (work) => c.executionCtx.waitUntil(work),
          requestId: info.id,
          meter,
        },
        clockOfRequest(c.req.raw, c.env),
      ),
    );
    await next();
    if (isWrite(c.req.method) && !FREES_NO_PIECES.test(c.req.path)) notifyWaitingListAfterAnswer(c.get("services"));
    if (c.res.status === 101) return;
    c.res = withHeaders(c.res, info, c.env, meter);
    // After the headers, which say what the request itself used.
    lookWhetherJobRuns(c.get("services"));
    tellSearchEngines(c.res.headers, c.req.path, c.env);
    const answered = { method: c.req.method, status: c.res.status, ms: Date.now() - startedAt };
    const requests = requestsOfLine({ ...answered, ...meter, path: c.req.path });
    if (requests > 0)
      log({ event: "request", requestId: info.id, path: loggedPath(c.req.path), ...answered, requests, ...meter });
  });

  // Callbacks are exempt, because they carry no session and Safaricom sends each only once.
  app.use(async (c, next) => {
    const writes = isWrite(c.req.method) && !c.req.path.startsWith("/hooks/");
    if (!writes || isOwnOrigin(c.req.raw, c.env.APP_ORIGIN)) return next();
    return c.req.path.startsWith("/api/") ? refuse(c, 403, "Wrong origin") : c.text("Wrong origin", 403);
  });

  app.onError((error, c) => {
    log({
      event: "request_failed",
      level: "error",
      requestId: c.get("info").id,
      error: `${error.name}: ${error.message}`,
      stack: error.stack ?? "",
    });
    return c.json({ success: false, error: "Server error. Please try again later.", requestId: c.get("info").id }, 500);
  });

  app.route("/", createApi(release));
  app.get("*", async (c, next) => {
    const { publicPage, address } = c.get("info");
    if (!publicPage) return next();
    const services = c.get("services");
    // The router asks for a screen's data only after a login. Visitors' pages are plain documents without a router.
    if (c.req.path.endsWith(".data"))
      return (await services.sessions.isCarriedBy(c.req.raw)) ? next() : c.text("Not found", 404);
    const render = (request: Request) => pages(request, services, c.get("info"));
    await compareTags(c, async () => {
      const { version } = await release();
      c.res = await servePublicPage(c.req.raw, { services, render, release: version, address });
    });
    countPublicView(c.req.raw, c.res.status, services);
  });
  app.all("*", async (c) => {
    if (!isWrite(c.req.method)) return pages(c.req.raw, c.get("services"), c.get("info"));
    // Whoever checks a form before its page does looks at POST.
    if (c.req.method !== "POST") return c.text("Method not allowed", 405, { Allow: "GET, HEAD, POST" });
    const sent = await guardForm(c.req.raw);
    if (!sent.ok) return c.text("This form cannot be read", sent.status);
    if (sent.unsure) return c.html(askWhetherSure(c.req.raw, sent.unsure), 428);
    return pages(sent.request, c.get("services"), c.get("info"));
  });
  return app;
}

/** The short id of a product's public page. */
const PUBLIC_PRODUCT = /^\/p\/([0-9a-z]{10})(?:\/|$)/i;

/** Also the copy of a page, and a page that its browser has already, is a visit. */
function countPublicView(request: Request, status: number, { listingCounter, defer }: Services): void {
  const [, listing] = PUBLIC_PRODUCT.exec(new URL(request.url).pathname) ?? [];
  if (listing && request.method === "GET" && (status === 200 || status === 304) && isView(request))
    defer(listingCounter.view(listing.toLowerCase()));
}

/** How often one isolate looks whether the scheduled job still runs, ms. */
const JOB_LOOK_MS = 60_000;
let lookedAt = 0;

/** The scheduled job can't tell that it has stopped, so requests look. */
function lookWhetherJobRuns({ db, log: logWith, adminEmails, supportEmail, defer, drainOutbox }: Services): void {
  // Not the request's clock, which may be ahead (local-clock.ts).
  if (Date.now() - lookedAt < JOB_LOOK_MS) return;
  lookedAt = Date.now();
  defer(
    watchJob({ db, now: Date.now, log: logWith, adminEmails, supportEmail }).then((isTold) => {
      if (isTold) drainOutbox();
    }),
  );
}

function isWrite(method: string): boolean {
  return !["GET", "HEAD"].includes(method);
}

/**
 * Requests that free no pieces of a product, so nobody on a waiting list need be told. A settled payment tells them
 * itself.
 */
const FREES_NO_PIECES = /^\/(api\/messages|hooks)(\/|$)/;

/** Any form may free pieces of a product. The people on its waiting list are told right after the answer. */
function notifyWaitingListAfterAnswer(services: Services): void {
  services.defer(
    notifyWaitingList(services).then((told) => {
      if (told > 0) services.drainOutbox();
    }),
  );
}

function newRequestInfo(request: Request): RequestInfo {
  return {
    id: request.headers.get("CF-Ray") ?? crypto.randomUUID(),
    nonce: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))),
    address: request.headers.get("CF-Connecting-IP"),
    publicPage: isPublicPage(new URL(request.url).pathname),
    plain: wantsPlainPages(request),
  };
}

function withHeaders(response: Response, info: RequestInfo, env: Env, meter: Meter): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of secureHeaders(info.publicPage ? null : info.nonce, {
    dev: import.meta.env.MODE === "development",
    secure: env.APP_ORIGIN.startsWith("https:"),
  })) {
    if (!headers.has(name)) headers.set(name, value);
  }
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  if (response.status === 429) headers.set("Retry-After", String(RETRY_AFTER_S));
  headers.set("X-Request-Id", info.id);
  if (env.APP_ENV === "local") headers.set("Server-Timing", describeMeter(meter));
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/**
 * Everything is kept out of search engines unless it is meant for them, and so is a rehearsal. Screens with a query are
 * named without it.
 */
function tellSearchEngines(headers: Headers, path: string, { APP_ENV, APP_ORIGIN: origin }: Env): void {
  if (!isForSearchEngines(path) || APP_ENV === "staging") headers.set("X-Robots-Tag", "noindex");
  if (LISTED_SCREENS.includes(path)) headers.set("Link", `<${origin}${path}>; rel="canonical"`);
}
