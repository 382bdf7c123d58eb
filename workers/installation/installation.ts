/** Serves what makes the app installable: the manifest, the service worker and the offline page. */
import { Hono } from "hono";
import { sha256Hex } from "#app/platform/sha256.ts";
import { brand } from "#app/ui/page/brand.ts";
import { endpoint } from "#workers/api/endpoint.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { manifest } from "./manifest.ts";
import type { Release } from "./release.ts";
import script from "./service-worker.js?raw";

/** Browsers revalidate each time, and get a 304 where nothing has changed. */
const ALWAYS_ASK = "no-cache";

export function installation(release: () => Promise<Release>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get(
    "/manifest.webmanifest",
    endpoint({
      id: "readManifest",
      tag: "Installed app",
      summary: "The web app manifest",
      answers: { 200: "application/manifest+json" },
    }),
    (c) =>
      c.body(JSON.stringify(manifest), 200, {
        "Content-Type": "application/manifest+json",
        "Cache-Control": "public, max-age=86400",
      }),
  );
  app.get(
    "/offline",
    endpoint({
      id: "readOfflinePage",
      tag: "Installed app",
      summary: "The page to show without a connection",
      answers: { 200: "text/html" },
    }),
    async (c) => c.html(await drawFor(await release(), c.get("info").nonce), 200, { "Cache-Control": ALWAYS_ASK }),
  );
  app.get(
    "/service-worker.js",
    endpoint({
      id: "readServiceWorker",
      tag: "Installed app",
      summary: "The service worker",
      answers: { 200: "text/javascript" },
    }),
    async (c) =>
      c.body(await writeWorker(await release()), 200, {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": ALWAYS_ASK,
      }),
  );
  return app;
}

async function drawFor({ styles }: Release, nonce: string): Promise<string> {
  const { drawOfflinePage } = await import("./offline-page.tsx");
  return drawOfflinePage({ styles, nonce });
}

/** Identifies a release: it changes with the shell, the offline page or the service worker. */
async function writeWorker(release: Release): Promise<string> {
  const page = await drawFor(release, "");
  const drawnWith = [...page.matchAll(/"(\/(?:assets|fonts)\/[^"#]+|\/favicon\.svg)/g)].map(([, path]) => path ?? "");
  const shell = [...new Set([...release.scripts, ...drawnWith])];
  const version = (await sha256Hex(release.version + page)).slice(0, 12);
  return `const release = ${JSON.stringify({ name: brand.name.toLowerCase(), version, shell })};\n${script}`;
}
