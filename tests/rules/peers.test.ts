import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comparePeers, type PeerFigures, findListener, readPeer } from "#tests/bench/peer.ts";

const server = createServer((_, response) => response.end("hello"));
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => new Promise((done) => server.close(done)));

test("only a server on this machine can be a peer", () => {
  expect(readPeer("http://localhost:9180/shop?page=2").pathname).toBe("/shop");
  for (const text of ["http://example.com/", "https://localhost/", "localhost:9180", "shop"])
    expect(() => readPeer(text)).toThrow("--peer takes");
});

test("the table divides each of our pages by the peer's", () => {
  const row: PeerFigures = {
    name: "later visit",
    p50: 8,
    p99: 20,
    cpu: 9,
    busyP50: 50,
    busyP99: 90,
    requestsPerSecond: 150,
    html: 40_000,
    gzip: 10_000,
  };
  const lines = comparePeers([row, { ...row, name: "peer", p50: 10, cpu: null, requestsPerSecond: 100 }]);
  expect(lines.map(([name]) => name)).toEqual(["", "later visit", "peer", "later visit / peer"]);
  const ratios = Object.fromEntries(lines[0]!.map((title, column) => [title, lines[3]![column]]));
  expect(ratios).toMatchObject({ "p50 ms": "0.80", "CPU ms": "–", "requests/s at 8": "1.50", "gzip kB": "1.00" });
});

test.runIf(process.platform === "linux")("the process that listens on a port is found", () => {
  const { port } = server.address() as AddressInfo;
  expect(findListener(port)).toBe(process.pid);
});
