/**
 * `npm run bench -- --peer URL`: a page of ours beside a page of any other server on this machine, in one run.
 *
 *     npm run bench -- --peer http://localhost:9180/collections/all --page /studentmarketplace
 *
 * The servers are asked in turn, so that whatever else the machine does slows each of them alike. Compare the ratios;
 * the times are this machine's.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { Agent } from "node:http";
import { gzipSync } from "node:zlib";
import { CommandError } from "#scripts/command.ts";
import { fetchPage, loadPage, percentile } from "./load.ts";
import { BUYER, logIn } from "./people.ts";

/** A page that is measured, and the process that renders it. */
interface MeasuredPage {
  name: string;
  url: string;
  cookie: string;
  /** The process whose CPU is counted; null where it is not known. */
  pid: number | null;
}

export interface PeerFigures {
  name: string;
  /** One request at a time, in ms. */
  p50: number;
  p99: number;
  /** CPU of the process in ms a request, one request at a time; null where it is not known. */
  cpu: number | null;
  /** Eight connections, in ms. */
  busyP50: number;
  busyP99: number;
  requestsPerSecond: number;
  /** The page's HTML in bytes, as it is and by gzip. */
  html: number;
  gzip: number;
}

const CONNECTIONS = 8;
const WARM_UP = 100;
const SINGLE_REQUESTS = 300;
const SLOTS = 5;
const MOST_IN_A_SLOT = 2000;

/**
 * The address of the other server.
 * @throws CommandError unless it is on this machine: a network between would be measured too, and nobody asked that
 * server's owner
 */
export function readPeer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "http:")
    throw new CommandError("--peer takes the address of a page, as http://localhost:9180/shop.");
  if (!["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))
    throw new CommandError("--peer takes a server on this machine, at localhost. Run the other server here.");
  return url;
}

/** The other server's page, and what is needed to ask for it. */
export interface Peer {
  url: URL;
  cookie: string;
  pid: number | null;
}

/** Measures a page of ours beside the peer's. */
export async function measureBeside(
  origin: string,
  peer: Peer,
  path: string,
  milliseconds: number,
): Promise<PeerFigures[]> {
  const url = `${origin}${path}`;
  const pid = findListener(Number(new URL(origin).port));
  const cookie = await logIn(origin, BUYER);
  return measurePeers(
    [
      { name: "ours", url, cookie, pid },
      { name: "peer", url: peer.url.href, cookie: peer.cookie, pid: peer.pid },
    ],
    milliseconds,
  );
}

/**
 * Measures each in turn: single requests, then eight connections for a slot each.
 * @param slot how long a slot lasts, in ms
 */
async function measurePeers(measuredPages: MeasuredPage[], slot: number): Promise<PeerFigures[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const runs = measuredPages.map((each) => ({
    ...each,
    times: [] as number[],
    cpu: 0,
    busy: { p50: [] as number[], p99: [] as number[], requests: 0, seconds: 0 },
    body: "",
  }));
  for (let number = -WARM_UP; number < SINGLE_REQUESTS; number += 1) {
    for (const run of runs) {
      const before = readCpu(run.pid);
      const sent = performance.now();
      const { status, body } = await fetchPage(run.url, run.cookie, agent);
      const took = performance.now() - sent;
      if (status !== 200) throw new CommandError(`${run.url} answered ${status}: ${body.slice(0, 300)}`);
      run.body = body;
      if (number < 0) continue;
      run.times.push(took);
      run.cpu += readCpu(run.pid) - before;
    }
  }
  agent.destroy();
  for (let number = 0; number < SLOTS; number += 1) {
    for (const { url, cookie, busy } of runs) {
      const load = await loadPage({
        url,
        cookie,
        connections: CONNECTIONS,
        milliseconds: slot,
        requests: MOST_IN_A_SLOT,
      });
      busy.p50.push(load.p50);
      busy.p99.push(load.p99);
      busy.requests += load.requests;
      busy.seconds += load.requests / load.requestsPerSecond;
    }
  }
  return runs.map(({ name, pid, times, cpu, busy, body }) => ({
    name,
    p50: median(times),
    p99: percentile(sorted(times), 0.99),
    cpu: pid === null ? null : cpu / times.length,
    busyP50: median(busy.p50),
    busyP99: median(busy.p99),
    requestsPerSecond: busy.requests / busy.seconds,
    html: Buffer.byteLength(body),
    gzip: gzipSync(body).length,
  }));
}

const COLUMNS: [title: string, number: (row: PeerFigures) => number | null, digits: number][] = [
  ["p50 ms", ({ p50 }) => p50, 1],
  ["p99 ms", ({ p99 }) => p99, 1],
  ["CPU ms", ({ cpu }) => cpu, 1],
  ["p50 at 8", ({ busyP50 }) => busyP50, 1],
  ["p99 at 8", ({ busyP99 }) => busyP99, 1],
  ["requests/s at 8", ({ requestsPerSecond }) => requestsPerSecond, 1],
  ["HTML kB", ({ html }) => html / 1000, 1],
  ["gzip kB", ({ gzip }) => gzip / 1000, 1],
];

/** The lines of the table: each page's figures, then each of ours divided by the last, which is the peer. */
export function comparePeers(rows: PeerFigures[]): string[][] {
  const peer = rows.at(-1);
  const cells = (row: PeerFigures) => COLUMNS.map(([, number, digits]) => number(row)?.toFixed(digits) ?? "–");
  const ratios = (row: PeerFigures) =>
    COLUMNS.map(([, number]) => {
      const [ours, theirs] = [number(row), peer && number(peer)];
      return ours === null || !theirs ? "–" : (ours / theirs).toFixed(2);
    });
  return [
    ["", ...COLUMNS.map(([title]) => title)],
    ...rows.map((row) => [row.name, ...cells(row)]),
    ...rows.slice(0, -1).map((row) => [`${row.name} / peer`, ...ratios(row)]),
  ];
}

function sorted(numbers: number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

function median(numbers: number[]): number {
  return percentile(sorted(numbers), 0.5);
}

/** Linux counts a process's CPU time in hundredths of a second. */
const TICK_MS = 10;

/** The CPU time of a process with all its threads, in ms. */
function readCpu(pid: number | null): number {
  if (pid === null) return 0;
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The process that listens on a port of this machine; null where Linux's /proc doesn't tell. */
export function findListener(port: number): number | null {
  try {
    const sockets = ["tcp", "tcp6"].flatMap((table) => listListening(readFileSync(`/proc/net/${table}`, "utf8"), port));
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return Number(pids.find((pid) => listFiles(pid).some((file) => sockets.includes(file))) ?? Number.NaN) || null;
  } catch {
    return null;
  }
}

/** The sockets that listen on a port, as /proc/PID/fd names them, from the text of /proc/net/tcp. */
function listListening(table: string, port: number): string[] {
  const address = port.toString(16).toUpperCase().padStart(4, "0");
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${address}`) && state === "0A")
    .map((fields) => `socket:[${fields[9]}]`);
}

/** What a process has open. Nothing where it is somebody else's. */
function listFiles(pid: string): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((file) => {
      try {
        return readlinkSync(`${folder}/${file}`);
      } catch {
        return "";
      }
    });
  } catch {
    return [];
  }
}
