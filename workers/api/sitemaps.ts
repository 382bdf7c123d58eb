/** Serves what search engines ask for first: `/robots.txt` and the sitemaps. */
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { FRONT_PATH, LISTED_SCREENS } from "#app/platform/public-links.ts";
import { writeSitemap, writeSitemapIndex } from "#app/platform/sitemap-xml.ts";
import {
  findSitemapPart,
  listBrowsedPages,
  type ListedPage,
  listSitemapParts,
  readSitemapPart,
  type SitemapKind,
} from "#app/shops/sitemaps.server.ts";
import { openEdgeCache, withHeaders } from "#workers/edge-cache.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import type { Release } from "#workers/installation/release.ts";
import { endpoint } from "./endpoint.ts";

const XML = "application/xml; charset=utf-8";

/** How long the list of categories and campuses is kept, ms. It has no record of its changes. */
const PAGES_KEPT_MS = 60 * 60_000;

/** Pages that must not be listed say so themselves (`X-Robots-Tag`), for which they must be read. */
const DISALLOWED = ["/api/", "/hooks/", "/live", "/documents/"];

/** @param release tells the names of the build's files. A new build writes its own sitemaps. */
export function sitemaps(release: () => Promise<Release>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get(
    "/robots.txt",
    endpoint({
      id: "readRobots",
      tag: "Search engines",
      summary: "What crawlers may read",
      answers: { 200: "text/plain" },
    }),
    (c) =>
      c.text(
        `User-agent: *\n${DISALLOWED.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${c.env.APP_ORIGIN}/sitemap.xml\n`,
        200,
        { "Cache-Control": "public, max-age=86400" },
      ),
  );

  app.get(
    "/sitemap.xml",
    endpoint({
      id: "readSitemapIndex",
      tag: "Search engines",
      summary: "The list of the sitemaps",
      answers: { 200: "application/xml", 304: null },
    }),
    etag(),
    async (c) => {
      const parts = await listSitemapParts(c.get("services").db);
      const origin = c.env.APP_ORIGIN;
      const xml = writeSitemapIndex([
        { url: `${origin}/sitemaps/pages-1.xml` },
        ...parts.map(({ kind, part, changedAt }) => ({ url: `${origin}/sitemaps/${kind}-${part + 1}.xml`, changedAt })),
      ]);
      return c.body(xml, 200, { "Content-Type": XML, "Cache-Control": ASK_AGAIN });
    },
  );

  app.get(
    "/sitemaps/:file",
    endpoint({
      id: "readSitemap",
      tag: "Search engines",
      summary: "Up to 10,000 public pages of one kind",
      path: { file: "`{products|shops|pages}-{number}.xml`" },
      answers: { 200: "application/xml", 304: null, 404: "text/plain" },
    }),
    etag(),
    async (c) => {
      const { db, now } = c.get("services");
      const file = c.req.param("file");
      if (file === "pages-1.xml") {
        const version = Math.floor(now() / PAGES_KEPT_MS);
        return serveSitemap(c, release, version, async () => ({
          version,
          pages: [...[FRONT_PATH, ...LISTED_SCREENS].map((path) => ({ path })), ...(await listBrowsedPages(db))],
        }));
      }
      const [, kind, number] = /^(products|shops)-([1-9]\d{0,5})\.xml$/.exec(file) ?? [];
      if (kind === undefined || number === undefined) return c.text("Not found", 404);
      const which = [kind as SitemapKind, Number(number) - 1] as const;
      const changedAt = await findSitemapPart(db, ...which);
      if (changedAt === null) return c.text("Not found", 404);
      return serveSitemap(c, release, changedAt, async () => {
        const read = await readSitemapPart(db, ...which);
        return read && { version: read.changedAt, pages: read.pages };
      });
    },
  );
  return app;
}

/** Crawlers ask each time, and get a 304 where nothing has changed. */
const ASK_AGAIN = "public, max-age=0, must-revalidate";

/** A version never changes, so this only bounds how long it takes space in the data centre's cache, s. */
const KEPT_S = 30 * 24 * 60 * 60;

/**
 * Answers with the sitemap of one version from the data centre's cache, or writes it. What is read may be a version that is newer
 * than the one asked for, so it is kept under its own.
 */
async function serveSitemap(
  c: Context<HttpEnv>,
  release: () => Promise<Release>,
  version: number,
  read: () => Promise<{ version: number; pages: ListedPage[] } | null>,
): Promise<Response> {
  const services = c.get("services");
  const origin = c.env.APP_ORIGIN;
  const cache = openEdgeCache({ origin, seconds: KEPT_S }, services);
  const { version: build } = await release();
  const keyOf = (of: number) => `${c.req.path}?${new URLSearchParams({ release: build, version: String(of) })}`;
  const headersOf = (of: number) => ({ "Cache-Control": ASK_AGAIN, "Content-Type": XML, ETag: `"${of}"` });
  const kept = await cache.find(keyOf(version));
  if (kept) return withHeaders(kept, headersOf(version));
  const startedAt = services.now();
  const current = await read();
  if (!current) return c.text("Not found", 404);
  const xml = writeSitemap(current.pages.map(({ path, ...entry }) => ({ url: origin + path, ...entry })));
  const sitemap = new Response(xml, { headers: headersOf(current.version) });
  cache.keep(keyOf(current.version), sitemap, startedAt);
  return sitemap;
}
