/**
 * `npm run bench -- --world`: what a page costs people in several cities. The server's time is measured in workerd, with
 * the database as far away as assumed; the visitor's own round trip is added. Nothing here measures a real network.
 */
import { CommandError } from "#scripts/command.ts";
import { listPaths, searchFor } from "./catalogue.ts";
import { fetchPage } from "./load.ts";
import { BUYER, FEED, logIn } from "./people.ts";

/** Round trips in ms, assumed. docs/decisions/read-replicas.md says where they come from. */
interface City {
  name: string;
  /** From a phone to Cloudflare's nearest data centre. */
  toEdge: number;
  /** From that data centre to the primary in Western Europe. */
  toPrimary: number;
  /** From that data centre to the nearest region in which D1 keeps a replica. */
  toReplica: number;
}

const CITIES: City[] = [
  { name: "Nairobi", toEdge: 30, toPrimary: 150, toReplica: 150 },
  { name: "Mombasa", toEdge: 30, toPrimary: 140, toReplica: 140 },
  { name: "Kampala", toEdge: 35, toPrimary: 165, toReplica: 165 },
  { name: "London", toEdge: 20, toPrimary: 10, toReplica: 10 },
  { name: "Sydney", toEdge: 20, toPrimary: 280, toReplica: 15 },
];

/** The round trip between a worker and a database in the same place, in ms. */
const NEARBY_MS = 1;

/** How often each page is asked for. The fastest answer counts, because the distances are the same in all. */
const RUNS = 5;

interface WorldPages {
  feed: string;
  product: string;
  search: string;
  cart: string;
  /** Different public pages. Each is asked for again only after its cached copy has become too old. */
  listed: string[];
  /** Fields of a form that orders the product, without its key. */
  order: Record<string, string>;
}

interface Asking {
  path: string;
  cookie: string;
  form?: Record<string, string>;
}

const KINDS = ["feed", "product", "search", "cart", "order", "public, uncached", "public, cached"] as const;
type Kind = (typeof KINDS)[number];

interface Measured {
  /** The server's time, ms. */
  ms: number;
  /** Trips to D1; null where the answer doesn't say. */
  trips: number | null;
}

interface Line {
  city: string;
  arrangement: string;
  times: Record<Kind, number>;
}

export interface WorldMeasure {
  trips: Record<Kind, number | null>;
  lines: Line[];
}

/** Pages of all kinds, as people in several cities wait for them. */
export async function measureFromCities(origin: string): Promise<WorldMeasure> {
  const { cookie } = await logIn({ origin }, BUYER);
  const [product, order] = await findOrderable(origin, cookie);
  // A product's first public page also makes its preview, which would be measured as well.
  const listed = [
    ...(await listPaths(origin, "shops", "/s/")),
    ...(await listPaths(origin, "pages", "/c/")),
    ...(await listPaths(origin, "pages", "/campus/")),
  ];
  const pages = { feed: FEED, product, search: searchFor("lot"), cart: "/cart", listed, order };
  return measureWorld(origin, cookie, pages);
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
  throw new CommandError("The feed shows nothing that can be ordered.");
}

async function measureWorld(origin: string, cookie: string, pages: WorldPages): Promise<WorldMeasure> {
  // Replicas answer from the floor on, which the job of every minute raises.
  await fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
  let listed = 0;
  let orders = 0;

  async function ask({ path, cookie: as, form }: Asking, distance: string): Promise<Measured> {
    const startedAt = performance.now();
    if (!form) {
      const { status, headers } = await fetchPage(`${origin}${path}`, as, undefined, { "x-distance": distance });
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      return { ms: performance.now() - startedAt, trips: tripsIn(String(headers["server-timing"])) };
    }
    const answer = await fetch(`${origin}${path}`, {
      method: "POST",
      // On different days, because students may order only so often a day.
      headers: { origin, cookie: as, "x-distance": distance, "x-days-ahead": String(1 + (orders++ % 10)) },
      body: new URLSearchParams({ ...form, orderKey: crypto.randomUUID() }),
      redirect: "manual",
    });
    await answer.arrayBuffer();
    if (answer.status !== 302) throw new Error(`${path} answered ${answer.status}`);
    return { ms: performance.now() - startedAt, trips: tripsIn(answer.headers.get("server-timing") ?? "") };
  }

  function askingFor(kind: Kind): Asking {
    const { feed, product, search, cart, order } = pages;
    const uncached = () => pages.listed[listed++ % pages.listed.length] ?? "";
    switch (kind) {
      case "feed":
        return { path: feed, cookie };
      case "product":
        return { path: product, cookie };
      case "search":
        return { path: search, cookie };
      case "cart":
        return { path: cart, cookie };
      case "order":
        return { path: product, cookie, form: order };
      case "public, uncached":
        return { path: uncached(), cookie: "" };
      case "public, cached":
        return { path: pages.listed[0] ?? "", cookie: "" };
    }
  }

  async function measureAll(toPrimary: number, toReplica: number): Promise<Record<Kind, Measured>> {
    const distance = `${toPrimary},${toReplica}`;
    const measured: Partial<Record<Kind, Measured>> = {};
    for (const kind of KINDS) {
      const runs: Measured[] = [];
      // This one isn't measured: it loads the code and fills the caches.
      await ask(askingFor(kind), `${NEARBY_MS},${NEARBY_MS}`);
      for (let run = 0; run < RUNS; run += 1) runs.push(await ask(askingFor(kind), distance));
      measured[kind] = { ms: Math.min(...runs.map((run) => run.ms)), trips: runs[0]?.trips ?? null };
    }
    return measured as Record<Kind, Measured>;
  }

  const beside = await measureAll(NEARBY_MS, NEARBY_MS);
  const lines: Line[] = [];
  for (const { name: city, toEdge, toPrimary, toReplica } of CITIES) {
    const line = (arrangement: string, times: Record<Kind, Measured>, way: number) =>
      lines.push({ city, arrangement, times: mapKinds((kind) => times[kind].ms + way) });
    line("worker near, primary only", await measureAll(toPrimary, toPrimary), toEdge);
    if (toReplica !== toPrimary) line("worker near, replicas", await measureAll(toPrimary, toReplica), toEdge);
    line("worker beside the database", beside, toEdge + toPrimary);
  }
  return { trips: mapKinds((kind) => beside[kind].trips), lines };
}

function mapKinds<Value>(of: (kind: Kind) => Value): Record<Kind, Value> {
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, Value>;
}

function tripsIn(timing: string): number | null {
  const [, trips] = /trips=(\d+)/.exec(timing) ?? [];
  return trips === undefined ? null : Number(trips);
}

export function printWorld({ trips, lines }: WorldMeasure): void {
  console.log("Page times in ms: the visitor's round trip and the server's time. All distances are assumed:");
  for (const { name, toEdge, toPrimary, toReplica } of CITIES)
    console.log(
      `  ${name}: ${toEdge} to the data centre, from there ${toPrimary} to the primary, ${toReplica} to a replica`,
    );
  const rows = [
    ["city", "arrangement", ...KINDS],
    ["", "trips to the database", ...KINDS.map((kind) => String(trips[kind] ?? "–"))],
    ...lines.map(({ city, arrangement, times }) => [city, arrangement, ...KINDS.map((kind) => times[kind].toFixed(0))]),
  ];
  console.log(
    `\n${rows
      .map((cells) => `| ${cells.join(" | ")} |`)
      .join("\n")
      .replace("\n", `\n|${"---|".repeat(KINDS.length + 2)}\n`)}`,
  );
}
