import { Agent, get } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Load {
  /** Milliseconds, from the request to the last byte. */
  p50: number;
  p99: number;
  requestsPerSecond: number;
  requests: number;
  /** The most trips to D1 and rows read that any answer reported; null where none did. */
  trips: number | null;
  rows: number | null;
}

export interface LoadOptions {
  url: string;
  cookie: string;
  /** More headers of the request with this number, from 0. */
  headers?: (number: number) => Record<string, string>;
  /** The status of a good answer. Default: 200. */
  status?: number;
  connections: number;
  /** Stops after this many ms or requests, whichever comes first. */
  milliseconds: number;
  requests: number;
}

/** Loads one page over a kept-alive connection. */
export function fetchPage(
  url: string,
  cookie: string,
  agent?: Agent,
  more: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((done, fail) => {
    const request = get(
      url,
      {
        headers: { cookie, accept: "text/html", "user-agent": "Mozilla/5.0 (bench)", ...more },
        ...(agent ? { agent } : {}),
        timeout: 30_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString("utf8"),
          }),
        );
        response.on("error", fail);
      },
    );
    request.on("timeout", () => request.destroy(new Error(`No answer from ${url} within 30 s`)));
    request.on("error", fail);
  });
}

/**
 * Loads one page again and again. Each connection waits for its answer before it asks again.
 * @throws if an answer has another status, because a benchmark of error pages says nothing
 */
export async function loadPage({
  url,
  cookie,
  headers,
  status = 200,
  connections,
  milliseconds,
  requests,
}: LoadOptions): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let trips: number | null = null;
  let rows: number | null = null;
  const start = performance.now();
  let asked = 0;
  async function connection(): Promise<void> {
    while (asked < requests && performance.now() - start < milliseconds) {
      const more = headers?.(asked);
      asked += 1;
      const sent = performance.now();
      const answer = await fetchPage(url, cookie, agent, more);
      times.push(performance.now() - sent);
      if (answer.status !== status) throw new Error(`${url} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      const reported = readServerTiming(answer.headers["server-timing"]);
      trips = highest(trips, reported.trips);
      rows = highest(rows, reported.rows);
    }
  }
  await Promise.all(Array.from({ length: connections }, connection));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  return {
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    requestsPerSecond: times.length / seconds,
    requests: times.length,
    trips,
    rows,
  };
}

/** The nearest-rank percentile of sorted numbers. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function highest(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}

/** Reads `d1;desc="trips=2 rows=57 …"`, which the app sends in the local environment. */
function readServerTiming(header: string | string[] | undefined): { trips: number | null; rows: number | null } {
  const found = /d1;desc="trips=(\d+) rows=(\d+)/.exec(String(header ?? ""));
  return found ? { trips: Number(found[1]), rows: Number(found[2]) } : { trips: null, rows: null };
}
