/** How fast the pages of a catalogue answer, what a phone downloads at its first visit, and Lighthouse's marks. */
import { publicProductPath } from "#app/public-links.ts";
import { CommandError } from "#scripts/command.ts";
import { prepare, withServer } from "./data.ts";
import { weighFirstLoad } from "./first-load.ts";
import { KINDS, measureFirstVisit } from "./first-visit.ts";
import { MACHINE_LEAST, markPage } from "./lighthouse.ts";
import { fetchPage, loadPage } from "./load.ts";
import type { Load, LoadOptions } from "./load.ts";
import { BUYER, FEED, logIn } from "./people.ts";
import { overHttp2 } from "./proxy.ts";
import { printLines } from "./table.ts";

const CONNECTIONS = [1, 8];
const MOST_REQUESTS = 2000;

export interface Row extends Load {
  products: number;
  page: string;
  connections: number;
}

export interface CatalogueOptions {
  milliseconds: number;
  lighthouse: boolean;
  /** Nothing but the first visits. */
  firstVisitOnly: boolean;
}

/** Measures the pages of a catalogue of so many products. */
export async function measureCatalogue(products: number, options: CatalogueOptions): Promise<Row[]> {
  await prepare(products);
  return withServer((origin) => measurePages(origin, products, options));
}

async function measurePages(
  origin: string,
  products: number,
  { milliseconds, lighthouse, firstVisitOnly }: CatalogueOptions,
): Promise<Row[]> {
  const cookie = await logIn(origin, BUYER);
  const feed = await fetchPage(`${origin}${FEED}`, cookie);
  const product = /"(\/product\/[^"?#]+)"/.exec(feed.body)?.[1];
  if (feed.status !== 200 || !product) throw new CommandError(`The feed answered ${feed.status} and shows no product.`);
  printFirstLoad(feed.body);
  await printFirstVisits(origin, cookie, product);
  if (firstVisitOnly) return [];
  if (lighthouse) {
    const pages = await findMarked(origin, cookie, product);
    await overHttp2(origin, (secure) => printMarks(secure, pages));
  }
  const rows: Row[] = [];
  const deep = await findDeepPage(origin, cookie);
  const screens: Measured[] = [
    ["feed", FEED],
    ["product", product],
    ["deep feed", deep.path],
    ...CATALOGUE,
    ["search, rare", searchFor(deep.lot)],
  ];
  for (const [page, path, options] of [...screens, ...(await listCachedPages(origin))]) {
    const load = { url: `${origin}${path}`, cookie, ...options };
    await loadPage({ ...load, connections: 1, milliseconds: 1000, requests: 30 });
    for (const connections of CONNECTIONS) {
      const measured = await loadPage({ ...load, connections, milliseconds, requests: MOST_REQUESTS });
      rows.push({ products, page, connections, ...measured });
    }
  }
  return rows;
}

/**
 * Three filters that an index serves, two with an order that none does, and searches: a word in nearly every name, two
 * common words without a common listing, part of a word, a misspelled word, and three words with three filters.
 */
const CATALOGUE = [
  ["3 filters", "/category/textbooks?condition=good&campus=Main+Campus&min=200&max=20000"],
  ["scattered", "/category/textbooks?sort=newest&condition=good&min=200&max=20000"],
  ["search, common", searchFor("lot")],
  ["search, no hit", searchFor("kettle guitar")],
  ["search, part", searchFor("ook")],
  ["search, mistake", searchFor("calclator")],
  ["search, filters", `${searchFor("hp laptop charger")}&condition=good&campus=Main+Campus&max=2000`],
  ["feed, filters", `${FEED}?condition=good&campus=Main+Campus&max=2000`],
  ["search, by price", `${searchFor("laptop")}&sort=price-asc`],
] as const;

type Measured = readonly [
  page: string,
  path: string,
  options?: Partial<Pick<LoadOptions, "cookie" | "headers" | "status">>,
];

/** What the data centre's cache answers: a product's public page and its picture, as a visitor. */
async function listCachedPages(origin: string): Promise<Measured[]> {
  const path = await findListed(origin, "products", "/p/");
  const page = await fetchPage(`${origin}${path}`, "");
  const picture = /"(\/files\/[^" ]+)/.exec(page.body)?.[1];
  if (picture === undefined) throw new CommandError(`${path} shows no picture.`);
  const tag = String(page.headers.etag);
  const visitor = { cookie: "" };
  return [
    ["public, uncached", path, { ...visitor, headers: eachLater(51) }],
    ["public, cached", path, visitor],
    ["public, 304", path, { ...visitor, headers: () => ({ "if-none-match": tag }), status: 304 }],
    ["picture, uncached", picture, { ...visitor, headers: eachLater(3601) }],
    ["picture, cached", picture, visitor],
  ];
}

/** The first path of a sitemap that starts so. */
async function findListed(origin: string, kind: "products" | "shops" | "pages", start: string): Promise<string> {
  const [path] = await listPaths(origin, kind, start);
  if (path === undefined) throw new CommandError(`The sitemap of ${kind} lists no ${start}.`);
  return path;
}

async function listPaths(origin: string, kind: string, start: string): Promise<string[]> {
  const { body } = await fetchPage(`${origin}/sitemaps/${kind}-1.xml`, "");
  const paths = Array.from(body.matchAll(/<loc>([^<]+)/g), ([, url = ""]) => new URL(url).pathname);
  return paths.filter((path) => path.startsWith(start));
}

let steps = 0;

/**
 * Asks as so many seconds later each time, so that no cached copy is young enough. Each request comes from an address
 * of its own, because a network may ask for 300 rendered pages a minute and a fast machine renders more.
 */
function eachLater(seconds: number) {
  return () => {
    steps += seconds;
    return {
      "x-days-ahead": String(steps / (24 * 60 * 60)),
      "cf-connecting-ip": `10.${(steps >> 16) & 255}.${(steps >> 8) & 255}.${steps & 255}`,
    };
  };
}

function searchFor(text: string): string {
  return `/search?q=${encodeURIComponent(text)}`;
}

/** Page 50 of the feed, or the last one that has a next page, and words that only one listing on it has. */
async function findDeepPage(origin: string, cookie: string): Promise<{ path: string; lot: string }> {
  let path = FEED;
  let lot = "";
  for (let page = 1; ; page += 1) {
    const { body } = await fetchPage(`${origin}${path}`, cookie);
    lot = /lot \d+(?=<)/.exec(body)?.[0] ?? lot;
    const next = /href="(\/studentmarketplace\?after=[^"]+)"/.exec(body)?.[1];
    if (!next || page === 50) return { path, lot };
    path = next;
  }
}

let isFirstLoadPrinted = false;

function printFirstLoad(html: string): void {
  if (isFirstLoadPrinted) return;
  isFirstLoadPrinted = true;
  const { scripts, styles, page, scriptFiles } = weighFirstLoad(html);
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(
    `First load of the feed, gzip: scripts ${kb(scripts)} in ${scriptFiles} files, styles ${kb(styles)}, page ${kb(page)}\n`,
  );
}

let areFirstVisitsPrinted = false;

/**
 * Prints what a phone downloads at its first visit, everything included.
 * @param product the path of a product
 */
async function printFirstVisits(origin: string, cookie: string, product: string): Promise<void> {
  if (areFirstVisitsPrinted) return;
  areFirstVisitsPrinted = true;
  console.log("First visit, everything included, kB (text compressed by gzip)");
  const lines = [["page", "Data saver", "requests", ...KINDS, "total"]];
  for (const [page, path, cookies] of [
    ["feed", FEED, cookie],
    ["public page", await findPublicPath(origin, product), ""],
  ] as const) {
    for (const saveData of [false, true]) {
      const received = await measureFirstVisit({ origin, path, cookie: cookies, saveData });
      const sizes = KINDS.map((kind) => received[kind]);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      lines.push([
        page,
        saveData ? "on" : "off",
        String(received.requests),
        ...[...sizes, total].map((size) => (size / 1000).toFixed(1)),
      ]);
    }
  }
  printLines(lines);
  console.log();
}

/** The path of a product's public page. An address with another name redirects to the right one. */
async function findPublicPath(origin: string, product: string): Promise<string> {
  const id = product.replace("/product/", "");
  const { url } = await fetch(origin + publicProductPath({ id, name: "" }));
  return new URL(url).pathname;
}

type Marked = readonly [page: string, path: string, cookie: string];

async function findMarked(origin: string, cookie: string, product: string): Promise<Marked[]> {
  return [
    ["feed", FEED, cookie],
    ["product", product, cookie],
    ["home", "/home", cookie],
    ["login", "/auth", ""],
    ["public product", await findListed(origin, "products", "/p/"), ""],
    ["public shop", await findListed(origin, "shops", "/s/"), ""],
    ["public category", await findListed(origin, "pages", "/c/"), ""],
    ["public campus", await findListed(origin, "pages", "/campus/"), ""],
  ];
}

async function printMarks(origin: string, pages: readonly Marked[]): Promise<void> {
  let isSlow = false;
  for (const [page, path, as] of pages) {
    const { median, blockedRange, faults } = await markPage(`${origin}${path}`, as);
    const { performance: speed, access, practices, search, largestPaint, blocked, shift, machine } = median;
    const [least, most] = blockedRange.map((ms) => ms.toFixed(0));
    isSlow ||= machine < MACHINE_LEAST;
    console.log(
      `Lighthouse, ${page}: performance ${speed}, accessibility ${access}, best practices ${practices}, search ${search}; largest paint ${largestPaint.toFixed(0)} ms, blocked ${blocked.toFixed(0)} ms (${least} to ${most}), shift ${shift.toFixed(3)}, machine ${machine.toFixed(0)}${faults.length > 0 ? `; ${faults.join(", ")}` : ""}`,
    );
  }
  if (isSlow)
    console.log(
      `Where the machine was slower than ${MACHINE_LEAST}, the simulated phone was slower than a mid-range one. Try again when the machine has nothing else to do.`,
    );
  console.log();
}

const COLUMNS: [title: string, cell: (row: Row) => string][] = [
  ["products", ({ products }) => products.toLocaleString("en")],
  ["page", ({ page }) => page],
  ["connections", ({ connections }) => String(connections)],
  ["p50 ms", ({ p50 }) => p50.toFixed(1)],
  ["p99 ms", ({ p99 }) => p99.toFixed(1)],
  ["requests/s", ({ requestsPerSecond }) => requestsPerSecond.toFixed(0)],
  ["D1 trips", ({ trips }) => String(trips ?? "–")],
  ["rows read", ({ rows }) => rows?.toLocaleString("en") ?? "–"],
  ["requests", ({ requests }) => requests.toLocaleString("en")],
];

export function printCatalogue(rows: Row[]): void {
  printLines([COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row)))]);
}
