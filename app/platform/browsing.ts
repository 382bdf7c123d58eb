/**
 * The addresses of browsing, as patterns of the router. To show them, a read replica of the database may be asked. Every
 * other address asks the primary.
 */
export const BROWSING = [
  "/home",
  "/home/viewed",
  "/studentmarketplace",
  "/studentmarketplace/shops",
  "/search",
  "/search/count",
  "/search/suggestions",
  "/category",
  "/category/:categoryName",
  "/product/:productId",
  "/seller/:sellerId",
  "/people/:userId/reviews",
  "/p/:shortId/:slug?",
  "/s/:shortId/:slug?",
  "/c/:category",
  "/campus",
  "/campus/search",
  "/campus/:campus",
  "/sitemap.xml",
  "/sitemaps/:file",
];

/** Finds an address of browsing, in any case of letters and with a slash at the end, as the router does. */
const ADDRESSES = new RegExp(
  `^(?:${BROWSING.map((pattern) => pattern.replaceAll(/\/:\w+\?/g, "(?:/[^/]+)?").replaceAll(/:\w+/g, "[^/]+")).join("|")})/?$`,
  "i",
);

/**
 * Whether a request only browses. The data of a screen is asked for under its path with `.data` behind it. A button that
 * was pressed on a public page (`?pressed=`) takes effect once, so its product is never read from a copy.
 */
export function isBrowsing({ method, url }: Pick<Request, "method" | "url">): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const { pathname, searchParams } = new URL(url);
  return !searchParams.has("pressed") && ADDRESSES.test(pathname.replace(/\.data$/, ""));
}
