/** Serves what search engines ask for first: `/robots.txt` and the sitemaps. */
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import type { Database } from "#app/db/client.ts";
import { FRONT_PATH, LISTED_SCREENS } from "#app/public-links.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import { writeSitemap, writeSitemapIndex } from "#app/platform/sitemap-xml.ts";
import {
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

/** How long the data centre keeps a sitemap. */
const KEPT_S = 60 * 60;

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
    (c) =>
      serve(c, release, async () => {
        const parts = await listSitemapParts(c.get("services").db);
        const names = ["pages-1", ...parts.map(({ kind, part }) => `${kind}-${part + 1}`)];
        return writeSitemapIndex(names.map((name) => ({ url: `${c.env.APP_ORIGIN}/sitemaps/${name}.xml` })));
      }),
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
    (c) =>
      serve(c, release, async () => {
        const { db } = c.get("services");
        const pages = await pagesOf(db, c.req.param("file"));
        if (pages.length === 0) return null;
        return writeSitemap(pages.map(({ path, ...entry }) => ({ url: c.env.APP_ORIGIN + path, ...entry })));
      }),
  );
  return app;
}

/** The pages of a sitemap; none where there is no such sitemap. */
async function pagesOf(db: Database, file: string): Promise<ListedPage[]> {
  if (file === "pages-1.xml")
    return [...[FRONT_PATH, ...LISTED_SCREENS].map((path) => ({ path })), ...(await listBrowsedPages(db))];
  const [, kind, number] = /^(products|shops)-([1-9]\d{0,5})\.xml$/.exec(file) ?? [];
  if (kind === undefined || number === undefined) return [];
  return readSitemapPart(db, { kind: kind as SitemapKind, part: Number(number) - 1 });
}

/** Crawlers ask each time, and get a 304 where nothing has changed. */
const ASK_AGAIN = "public, max-age=0, must-revalidate";

/** Answers with what the data centre's cache has, or writes it. */
async function serve(
  c: Context<HttpEnv>,
  release: () => Promise<Release>,
  write: () => Promise<string | null>,
): Promise<Response> {
  const services = c.get("services");
  const cache = openEdgeCache({ origin: c.env.APP_ORIGIN, seconds: KEPT_S }, services);
  const { version } = await release();
  const key = `${c.req.path}?${new URLSearchParams({ release: version })}`;
  const kept = await cache.find(key);
  if (kept) return withHeaders(kept, { "Cache-Control": ASK_AGAIN });
  const startedAt = services.now();
  const xml = await write();
  if (xml === null) return c.text("Not found", 404);
  const headers = { "Cache-Control": ASK_AGAIN, "Content-Type": XML, ETag: `"${(await sha256Hex(xml)).slice(0, 32)}"` };
  const sitemap = new Response(xml, { headers });
  cache.keep(key, sitemap, startedAt);
  return sitemap;
}
