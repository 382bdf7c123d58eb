/** Sitemaps in XML, as https://www.sitemaps.org/protocol.html describes them. Addresses are absolute. */

export interface SitemapEntry {
  url: string;
  /** When its content last changed, ms since 1970; left out where nobody knows. */
  changedAt?: number;
}

/** A sitemap may list this many addresses. The protocol allows 50,000. */
export const SITEMAP_MAX = 10_000;

/** A sitemap: the pages of one part. */
export function writeSitemap(pages: readonly SitemapEntry[]): string {
  return write("urlset", "url", pages);
}

/** The index, which lists the sitemaps. */
export function writeSitemapIndex(sitemaps: readonly SitemapEntry[]): string {
  return write("sitemapindex", "sitemap", sitemaps);
}

function write(root: string, element: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.map(
    ({ url, changedAt }) =>
      `<${element}><loc>${escape(url)}</loc>${changedAt === undefined ? "" : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`}</${element}>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join("")}</${root}>\n`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}
