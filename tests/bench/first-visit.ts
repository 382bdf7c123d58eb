import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import { ensureChromium } from "#scripts/chromium.ts";
import { connect, passedOn } from "./proxy.ts";

/** What a browser downloads, by the type of each answer. */
export const KINDS = ["page", "styles", "scripts", "fonts", "pictures", "other"] as const;
type Kind = (typeof KINDS)[number];

/** Bytes as they come over the network: headers and compressed bodies. */
export type Received = Record<Kind, number> & { requests: number };

interface Visit {
  /** The running app. */
  origin: string;
  /** The page's path. */
  path: string;
  /** The Cookie header; empty for a visitor. */
  cookie: string;
  /** Whether the browser sends `Save-Data: on`. */
  saveData: boolean;
}

/** The phone's screen in CSS px and its pixels for each. */
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
/** The network is quiet once it had nothing to do for this long, ms: the service worker starts 2 s after the page. */
const QUIET_MS = 4_000;

/**
 * Opens a page in a browser that has never been here, and waits until the network is quiet. Nobody scrolls. All
 * traffic goes through a proxy that counts it, so that the service worker's requests count as well.
 */
export async function measureFirstVisit({ origin, path, cookie, saveData }: Visit): Promise<Received> {
  const proxy = await countTraffic(origin);
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
  });
  try {
    const context = await browser.newContext({
      ...PHONE,
      ...(saveData && { extraHTTPHeaders: { "Save-Data": "on" } }),
    });
    const pairs = cookie.split("; ").filter((pair) => pair !== "");
    await context.addCookies(
      pairs.map((pair) => ({
        url: proxy.origin,
        name: pair.slice(0, pair.indexOf("=")),
        value: pair.slice(pair.indexOf("=") + 1),
      })),
    );
    const page = await context.newPage();
    await page.goto(`${proxy.origin}${path}`);
    await proxy.quiet();
    return proxy.received;
  } finally {
    await browser.close();
    proxy.stop();
  }
}

/** A proxy in front of the app that counts what the browser receives. */
async function countTraffic(target: string) {
  const received: Received = { page: 0, styles: 0, scripts: 0, fonts: 0, pictures: 0, other: 0, requests: 0 };
  const answers = { open: 0, lastAt: Date.now() };
  const server = createServer((incoming, outgoing) => {
    answers.open += 1;
    received.requests += 1;
    const answered = ask(target, passedOn(incoming, target), (answer) => {
      const kind = kindOf(answer.headers["content-type"] ?? "");
      received[kind] += answer.rawHeaders.reduce((bytes, text) => bytes + text.length + 2, 0);
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.on("data", (chunk: Buffer) => (received[kind] += chunk.length));
      answer.pipe(outgoing);
    });
    answered.on("error", () => outgoing.destroy());
    outgoing.on("close", () => {
      answers.open -= 1;
      answers.lastAt = Date.now();
    });
    incoming.pipe(answered);
  });
  server.on("upgrade", (incoming, socket) => connect(incoming, socket, target));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    received,
    async quiet() {
      while (answers.open > 0 || Date.now() - answers.lastAt < QUIET_MS)
        await new Promise((done) => setTimeout(done, 200));
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function kindOf(type: string): Kind {
  if (type.startsWith("text/html")) return "page";
  if (type.startsWith("text/css")) return "styles";
  if (type.includes("javascript")) return "scripts";
  if (type.startsWith("font/")) return "fonts";
  return type.startsWith("image/") ? "pictures" : "other";
}
