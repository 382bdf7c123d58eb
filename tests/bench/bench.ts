/**
 * `npm run bench`: how fast the built app answers in workerd, at several sizes of catalogue. Prints a table; asserts nothing.
 *
 *     npm run bench -- --sizes 1000,10000 --seconds 5
 *     npm run bench -- --sizes 1000 --lighthouse
 *     npm run bench -- --sizes 1000 --ledger 10000,1000000
 *     npm run bench -- --sizes 1000 --first-visit
 *     npm run bench -- --previews
 *     npm run bench -- --live
 *     npm run bench -- --weights
 *     npm run bench -- --world
 *     npm run bench -- --peer http://localhost:9180/collections/all --page /studentmarketplace
 *     npm run bench -- --hydrogen FOLDER
 *     npm run bench -- --sizes 1000 --costs
 *     npm run bench -- --growth
 */
import { cpSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { publicProductPath } from "#app/platform/public-links.ts";
import { ensureLocalBuild } from "#scripts/build.ts";
import { runMain, Trouble } from "#scripts/command.ts";
import { hasProfiles, migrateLocalDatabase } from "#scripts/database.ts";
import { cache, makeTemporaryFolder, stateFolder } from "#scripts/places.ts";
import { ensureSecrets } from "#scripts/secrets.ts";
import { findFreePort, serveLocalBuild } from "#scripts/serve.ts";
import { weighScreens } from "#scripts/weight.ts";
import { weighFirstLoad } from "./first-load.ts";
import { KINDS, measureFirstVisit } from "./first-visit.ts";
import { serveHydrogen } from "./hydrogen.ts";
import { MACHINE_LEAST, markPages } from "./lighthouse.ts";
import { measureCosts, printCosts } from "./costs.ts";
import { measureGrowth, printGrowth } from "./growth.ts";
import { measureLive, printLive } from "./live.ts";
import { type BooksMeasure, measureBooks, printBooks } from "./books.ts";
import { fetchPage, loadPage } from "./load.ts";
import type { Load, LoadOptions } from "./load.ts";
import { measureOrders, printOrders } from "./orders.ts";
import { measurePayments, printPayments } from "./payments.ts";
import { comparePeers, findListener, measurePeers, readPeer } from "./peer.ts";
import { measurePreviews, printPreviews } from "./previews.ts";
import { measureWorld, printWorld } from "./world.ts";

const FEED = "/studentmarketplace";
const CONNECTIONS = [1, 8];
const MOST_REQUESTS = 2000;

interface Row extends Load {
  products: number;
  page: string;
  connections: number;
}

/** The whole numbers of a comma-separated list. */
function readSizes(list: string, option: string): number[] {
  const sizes = list.split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1 || size > 1_000_000))
    throw new Trouble(`--${option} takes whole numbers up to 1000000, with commas between.`);
  return sizes;
}

/** Logs in as a buyer and returns the Cookie header. */
async function signIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/auth`, {
    method: "POST",
    headers: { origin },
    body: new URLSearchParams({ email: "buyer@campus.test", password: "campus-demo" }),
    redirect: "manual",
  });
  if (response.status !== 302) throw new Trouble(`Signing in answered ${response.status}.`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return cookies.filter((pair) => !pair.startsWith("flash=")).join("; ");
}

/** A data folder for each size. It is filled once and kept for the next run. */
async function prepare(products: number, folder = String(products)): Promise<void> {
  process.env.CHUONI_STATE = join(cache, "bench", folder);
  await migrateLocalDatabase();
  if (await hasProfiles()) return;
  console.log(`Seeding ${products.toLocaleString("en")} products …`);
  const { seedCampus } = await import("#scripts/seed/seed.ts");
  await seedCampus({ products });
}

/** A data folder for each length of the ledger. */
async function measureLedgers(lengths: number[]): Promise<BooksMeasure[]> {
  const measures: BooksMeasure[] = [];
  for (const entries of lengths) {
    await prepare(1000, `ledger-${entries}`);
    measures.push(await measureBooks(entries));
  }
  return measures;
}

/** The other server's page, and what is needed to ask for it. */
interface Peer {
  url: URL;
  cookie: string;
  pid: number | null;
}

/** Measures a page of ours, at a browser's first visit and later, beside the peer's. */
async function measureBeside(peer: Peer, path: string, milliseconds: number): Promise<void> {
  // Miniflare's D1 waits for the disk even when it only reads, and a busy disk says nothing about either server.
  const memory = makeTemporaryFolder();
  cpSync(stateFolder(), memory, { recursive: true });
  process.env.CHUONI_STATE = memory;
  const server = await serveLocalBuild({ port: await findFreePort(), onLog: () => {} });
  try {
    const url = `${server.origin}${path}`;
    const pid = findListener(Number(new URL(server.origin).port));
    const cookie = await signIn(server.origin);
    const first = await fetchPage(url, cookie);
    const styles = first.headers["set-cookie"]?.map((line) => line.split(";")[0]) ?? [];
    const rows = await measurePeers(
      [
        { name: "first visit", url, cookie, pid },
        { name: "later visit", url, cookie: [cookie, ...styles].join("; "), pid },
        { name: "peer", url: peer.url.href, cookie: peer.cookie, pid: peer.pid },
      ],
      milliseconds,
    );
    printLines(comparePeers(rows));
  } finally {
    await server.stop();
  }
}

/** The options of one run. */
interface Wish {
  milliseconds: number;
  lighthouse: boolean;
  /** Nothing but the first visits. */
  firstVisitOnly: boolean;
}

async function measure(products: number, { milliseconds, lighthouse, firstVisitOnly }: Wish): Promise<Row[]> {
  await prepare(products);
  const server = await serveLocalBuild({ port: await findFreePort(), onLog: () => {} });
  try {
    const cookie = await signIn(server.origin);
    const feed = await fetchPage(`${server.origin}${FEED}`, cookie);
    const product = /"(\/product\/[^"?#]+)"/.exec(feed.body)?.[1];
    if (feed.status !== 200 || !product) throw new Trouble(`The feed answered ${feed.status} and shows no product.`);
    printFirstLoad(feed.body);
    await printFirstVisits(server.origin, cookie, product);
    if (firstVisitOnly) return [];
    if (lighthouse) await printMarks(server.origin, cookie, product);
    const rows: Row[] = [];
    const deep = await findDeepPage(server.origin, cookie);
    const screens: Measured[] = [
      ["feed", FEED],
      ["product", product],
      ["deep feed", deep.path],
      ...CATALOGUE,
      ["search, rare", searchFor(deep.lot)],
    ];
    for (const [page, path, options] of [...screens, ...(await listCachedPages(server.origin))]) {
      const load = { url: `${server.origin}${path}`, cookie, ...options };
      await loadPage({ ...load, connections: 1, milliseconds: 1000, requests: 30 });
      for (const connections of CONNECTIONS) {
        const measured = await loadPage({ ...load, connections, milliseconds, requests: MOST_REQUESTS });
        rows.push({ products, page, connections, ...measured });
      }
    }
    return rows;
  } finally {
    await server.stop();
  }
}

/**
 * Three filters that an index serves, two with an order that none does, and searches: a word in nearly every name, two
 * common words without a common listing, part of a word, and a misspelled word.
 */
const CATALOGUE = [
  ["3 filters", "/category/textbooks?condition=good&campus=Main+Campus&min=200&max=20000"],
  ["scattered", "/category/textbooks?sort=newest&condition=good&min=200&max=20000"],
  ["search, common", searchFor("lot")],
  ["search, no hit", searchFor("kettle guitar")],
  ["search, part", searchFor("ook")],
  ["search, mistake", searchFor("calclator")],
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
  if (picture === undefined) throw new Trouble(`${path} shows no picture.`);
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

/** Pages of all kinds, as people in several cities wait for them. */
async function measureFromCities(): Promise<void> {
  await prepare(1000);
  const server = await serveLocalBuild({ port: await findFreePort(), onLog: () => {} });
  try {
    const cookie = await signIn(server.origin);
    const [product, order] = await findOrderable(server.origin, cookie);
    // A product's first public page also makes its preview, which would be measured as well.
    const listed = [
      ...(await listPaths(server.origin, "shops", "/s/")),
      ...(await listPaths(server.origin, "pages", "/c/")),
      ...(await listPaths(server.origin, "pages", "/campus/")),
    ];
    const pages = { feed: FEED, product, search: searchFor("lot"), cart: "/cart", listed, order };
    printWorld(await measureWorld(server.origin, cookie, pages));
  } finally {
    await server.stop();
  }
}

/** A product that the buyer can order, and the fields of the form that orders one. */
async function findOrderable(origin: string, cookie: string): Promise<[path: string, form: Record<string, string>]> {
  const { body } = await fetchPage(`${origin}${FEED}`, cookie);
  for (const [, path = ""] of body.matchAll(/"(\/product\/[^"?#]+)"/g)) {
    const page = await fetchPage(`${origin}${path}`, cookie);
    const price = /name="price" value="(\d+)"/.exec(page.body)?.[1];
    if (price !== undefined && page.body.includes('value="buy-now"'))
      return [path, { intent: "buy-now", quantity: "1", price }];
  }
  throw new Trouble("The feed shows nothing that can be ordered.");
}

/** The first path of a sitemap that starts so. */
async function findListed(origin: string, kind: "products" | "shops" | "pages", start: string): Promise<string> {
  const [path] = await listPaths(origin, kind, start);
  if (path === undefined) throw new Trouble(`The sitemap of ${kind} lists no ${start}.`);
  return path;
}

async function listPaths(origin: string, kind: string, start: string): Promise<string[]> {
  const { body } = await fetchPage(`${origin}/sitemaps/${kind}-1.xml`, "");
  const paths = Array.from(body.matchAll(/<loc>([^<]+)/g), ([, url = ""]) => new URL(url).pathname);
  return paths.filter((path) => path.startsWith(start));
}

let steps = 0;

/** Asks as so many seconds later each time, so that no kept copy is young enough. */
function eachLater(seconds: number) {
  return () => {
    steps += seconds;
    return { "x-days-ahead": String(steps / (24 * 60 * 60)) };
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

/** Prints what each screen loads at first, in bytes after gzip. */
function printWeights(): void {
  printLines([
    ["screen", "script", "files", "styles"],
    ...weighScreens().map(({ id, script, scriptFiles, style }) =>
      [id.replace("routes/", ""), script, scriptFiles, style].map(String),
    ),
  ]);
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

async function printMarks(origin: string, cookie: string, product: string): Promise<void> {
  const pages = [
    ["feed", FEED, cookie],
    ["product", product, cookie],
    ["home", "/home", cookie],
    ["login", "/auth", ""],
    ["public product", await findListed(origin, "products", "/p/"), ""],
    ["public shop", await findListed(origin, "shops", "/s/"), ""],
    ["public category", await findListed(origin, "pages", "/c/"), ""],
    ["public campus", await findListed(origin, "pages", "/campus/"), ""],
  ] as const;
  const marks = await markPages(pages.map(([name, path, as]) => [name, `${origin}${path}`, as] as const));
  for (const {
    page,
    performance: speed,
    access,
    practices,
    search,
    largestPaint,
    blocked,
    shift,
    faults,
    machine,
  } of marks) {
    console.log(
      `Lighthouse, ${page}: performance ${speed}, accessibility ${access}, best practices ${practices}, search ${search}; largest paint ${largestPaint.toFixed(0)} ms, blocked ${blocked.toFixed(0)} ms, shift ${shift.toFixed(3)}, machine ${machine.toFixed(0)}${faults.length > 0 ? `; ${faults.join(", ")}` : ""}`,
    );
  }
  if (marks.some(({ machine }) => machine < MACHINE_LEAST))
    console.log(
      `This machine was slower than ${MACHINE_LEAST}: performance is not a phone's. Try again when it has nothing else to do.`,
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

function printTable(rows: Row[]): void {
  printLines([COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row)))]);
}

/** Prints cells in columns. */
function printLines(lines: string[][]): void {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  for (const cells of lines) console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("   "));
}

/** The live channel with its own data, and payments with those of a size. */
async function measureWhatArrives(products: number, milliseconds: number): Promise<void> {
  printLive(await measureLive(milliseconds));
  await prepare(products);
  printPayments(await measurePayments(signIn));
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "1000,10000,100000" },
      ledger: { type: "string", default: "10000" },
      seconds: { type: "string", default: "5" },
      lighthouse: { type: "boolean", default: false },
      "first-visit": { type: "boolean", default: false },
      previews: { type: "boolean", default: false },
      live: { type: "boolean", default: false },
      weights: { type: "boolean", default: false },
      world: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      peer: { type: "string" },
      "peer-cookie": { type: "string", default: "" },
      "peer-pid": { type: "string" },
      hydrogen: { type: "string" },
      page: { type: "string", default: FEED },
      costs: { type: "boolean", default: false },
    },
  });
  const sizes = readSizes(values.sizes, "sizes");
  const ledgers = readSizes(values.ledger, "ledger");
  const wish = {
    milliseconds: Math.min(60, Math.max(1, Number(values.seconds) || 5)) * 1000,
    lighthouse: values.lighthouse,
    firstVisitOnly: values["first-visit"],
  };
  const named = values.peer === undefined ? null : readPeer(values.peer);
  if (values.growth) {
    await prepare(1000);
    // A copy in memory, so that the next run starts from the same data, and no disk counts.
    const copy = makeTemporaryFolder();
    cpSync(stateFolder(), copy, { recursive: true });
    process.env.CHUONI_STATE = copy;
    printGrowth(await measureGrowth());
    process.exit(0);
  }
  ensureSecrets();
  await ensureLocalBuild(() => console.log("Building …"));
  console.log(`workerd on ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? "an unknown processor"}\n`);
  if (values.live) {
    await measureWhatArrives(sizes[0] ?? 1000, wish.milliseconds);
    process.exit(0);
  }
  if (values.weights) {
    printWeights();
    process.exit(0);
  }
  if (values.previews) {
    printPreviews(await measurePreviews());
    process.exit(0);
  }
  if (values.world) {
    await measureFromCities();
    process.exit(0);
  }
  const peer = values.hydrogen === undefined ? named : await serveHydrogen(values.hydrogen);
  if (peer) {
    const pid = Number(values["peer-pid"]) || findListener(Number(peer.port) || 80);
    await prepare(sizes[0] ?? 1000);
    await measureBeside({ url: peer, cookie: values["peer-cookie"], pid }, values.page, wish.milliseconds);
    process.exit(0);
  }
  if (values.costs) {
    await prepare(sizes[0] ?? 1000);
    printCosts(await measureCosts());
    process.exit(0);
  }
  const all: Row[] = [];
  for (const size of sizes) all.push(...(await measure(size, wish)));
  if (wish.firstVisitOnly) process.exit(0);
  if (all.length > 0) printTable(all);
  printLive(await measureLive(wish.milliseconds));
  await prepare(sizes[0] ?? 1000);
  printOrders(await measureOrders());
  printPayments(await measurePayments(signIn));
  printBooks(await measureLedgers(ledgers));
  process.exit(0);
});
