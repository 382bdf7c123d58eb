/** The files of an installed app: the manifest, the service worker, and the offline page. */
import { env } from "cloudflare:workers";
import { createExecutionContext } from "cloudflare:test";
import { expect, test } from "vitest";
import { createHttpApp } from "#workers/http.ts";
import { makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { release } from "#tests/support/worker.ts";

test("the manifest and the worker are what browsers take them for, and the worker is asked for anew each time", async () => {
  const manifest = await visit("/manifest.webmanifest");
  expect(manifest.headers.get("Content-Type")).toBe("application/manifest+json");
  expect(await manifest.json()).toMatchObject({ start_url: "/home", display: "standalone" });
  const worker = await visit("/service-worker.js");
  expect(worker.headers.get("Content-Type")).toMatch(/^text\/javascript/);
  expect(worker.headers.get("Cache-Control")).toBe("no-cache");
  expect((await visit("/home")).headers.get("Content-Security-Policy")).toMatch(
    /default-src 'self'.* worker-src 'self'/,
  );
});

test("the offline page is the same for everybody, and its scripts run under its own policy", async () => {
  const user = await makeUser({ name: "Wanjiru Kamau" });
  const [one, other] = await Promise.all([
    visit("/offline", { as: user, headers: { Cookie: "theme=dark" } }),
    visit("/offline"),
  ]);
  const html = await one.text();
  expect(withoutNonce(html)).toBe(withoutNonce(await other.text()));
  expect(html).toContain("No connection");
  expect(html).toContain('href="/assets/shell-1.css"');
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(one.headers.get("Content-Security-Policy") ?? "")?.[1];
  const scripts = html.match(/<script[^>]*>/g) ?? [];
  expect(scripts).toHaveLength(2);
  for (const script of scripts) expect(script).toBe(`<script nonce="${nonce}">`);
  expect(one.headers.get("Set-Cookie")).toBeNull();
});

function withoutNonce(html: string): string {
  return html.replaceAll(/nonce="[^"]*"/g, "");
}

interface Kept {
  name: string;
  version: string;
  shell: string[];
}

async function workerOf(changed: object): Promise<{ text: string; kept: Kept }> {
  const http = createHttpApp(
    async () => new Response(),
    async () => ({ ...release, ...changed }),
  );
  const text = await (
    await http.fetch(new Request("http://localhost:8787/service-worker.js"), env, createExecutionContext())
  ).text();
  return { text, kept: JSON.parse(/^const release = (.*);$/m.exec(text)?.[1] ?? "") as Kept };
}

test("each release is a worker of its own, which keeps the shell and no page but one", async () => {
  const [first, again, next] = await Promise.all([workerOf({}), workerOf({}), workerOf({ version: "next" })]);
  expect(again.text).toBe(first.text);
  expect(next.kept.version).not.toBe(first.kept.version);
  expect(first.kept.shell).toEqual(
    expect.arrayContaining([
      "/assets/entry-1.js",
      "/assets/shell-1.css",
      "/favicon.svg",
      "/fonts/bricolage-grotesque-700.woff2",
    ]),
  );
  for (const path of first.kept.shell) expect(path).toMatch(/^\/(assets|fonts)\/[^?]+$|^\/favicon\.svg$/);
});
