/** How public pages are served: plain documents, kept in the data centre's cache for less than a minute. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { publicProductPath, shortProductPath } from "#app/public-links.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import type { Env } from "#workers/env.ts";
import { createHttpApp } from "#workers/http.ts";
import { ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import { makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { release } from "#tests/support/worker.ts";

/** A page of the app, rendered as a public page. */
async function renderPublic(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const { pages } = await import("#tests/support/pages.ts");
  const info = { id: "test", nonce: "n1", address: null, publicPage: true, plain: false };
  return pages(new Request(`${ORIGIN}${path}`, { headers }), servicesAt(), info);
}

test("a public page has no script but the theme's, and shows nothing that a cookie says", async () => {
  const cookie = (await servicesAt().flash.write({ kind: "info", text: "Welcome back" })).split(";")[0];
  const [plain, withCookies] = [
    await renderPublic("/terms"),
    await renderPublic("/terms", { Cookie: `theme=dark; ${cookie}` }),
  ];
  const html = await plain.text();
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/nonce|modulepreload/);
  expect(html).toMatch(/<html[^>]*class="light"[^]*<\/html>$/);
  expect(await withCookies.text()).toBe(html);
  for (const answer of [plain, withCookies]) expect(answer.headers.get("Set-Cookie")).toBeNull();
});

test("a public page that doesn't exist is not found, and never a login form", async () => {
  const answer = await visit("/campus/main/nothing-here");
  expect(answer.status).toBe(404);
  expect(answer.headers.get("Content-Security-Policy")).toMatch(/; script-src 'sha256-[^' ]+'; /);
  expect(answer.headers.get("Set-Cookie")).toBeNull();
});

/** An app whose public pages show a price from the database. */
const priced = new Map<string, number>();
const rendered: Request[] = [];
let next: (() => Response) | null = null;

const shop = createHttpApp(
  async (request, services) => {
    rendered.push(request);
    await services.db.run(sql`SELECT 1`);
    const { pathname } = new URL(request.url);
    const saver = request.headers.get("Save-Data") === "on" ? ", small pictures" : "";
    return (
      next?.() ?? new Response(`KES ${priced.get(pathname)}${saver}`, { headers: { "Content-Type": "text/html" } })
    );
  },
  async () => ({ ...release, version: build }),
);
let build = "1";

async function open(path: string, headers: Record<string, string> = {}, init: RequestInit = {}, bindings: Env = env) {
  const context = createExecutionContext();
  const request = new Request(`${ORIGIN}${path}`, {
    headers: { Origin: ORIGIN, ...headers },
    redirect: "manual",
    ...init,
  });
  const response = await shop.fetch(request, bindings, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  const trips = Number(/trips=(\d+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1]);
  return { status: response.status, headers: response.headers, text, trips };
}

/** A product's page that nobody has opened yet. */
function newPage(price = 1500): string {
  const path = publicProductPath({ id: crypto.randomUUID(), name: "Casio" });
  priced.set(path, price);
  return path;
}

/** The header with which a request is answered as it will be after these seconds. */
function later(seconds: number) {
  return { "X-Days-Ahead": String(seconds / (24 * 60 * 60)) };
}

beforeEach(() => {
  rendered.length = 0;
  next = null;
});

test("the second visitor gets the first one's page without the database, and may keep it to ask again", async () => {
  const path = newPage();
  const first = await open(path);
  const second = await open(path);
  expect([first.trips, second.trips, rendered.length]).toEqual([1, 0, 1]);
  expect(second.text).toBe("KES 1500");
  expect(second.headers.get("Content-Type")).toBe("text/html");
  for (const { headers } of [first, second]) {
    expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    expect(headers.get("Vary")).toBe("Cookie, Save-Data");
    expect(headers.get("Set-Cookie")).toBeNull();
    expect(headers.get("X-Made-At")).toBeNull();
    expect(headers.get("Content-Security-Policy")).toContain("'sha256-");
  }
  const tag = first.headers.get("ETag") ?? "";
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(second.headers.get("ETag")).toBe(tag);
});

test("a browser that has the page gets it again only when it has changed", async () => {
  const path = newPage();
  const tag = (await open(path)).headers.get("ETag") ?? "";
  for (const tags of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const had = await open(path, { "If-None-Match": tags });
    expect([had.status, had.text, had.headers.get("ETag"), had.headers.get("Cache-Control")]).toEqual([
      304,
      "",
      tag,
      "public, max-age=0, must-revalidate",
    ]);
  }
  priced.set(path, 1200);
  const changed = await open(path, { "If-None-Match": tag, ...later(51) });
  expect([changed.status, changed.text]).toEqual([200, "KES 1200"]);
});

test("a new price, a sale and a removal show within a minute", async () => {
  const path = newPage(1500);
  await open(path);
  priced.set(path, 1200);
  expect((await open(path, later(49))).text).toBe("KES 1500");
  expect((await open(path, later(51))).text).toBe("KES 1200");
  next = () => new Response("It's no longer here", { status: 410 });
  expect((await open(path, later(102))).status).toBe(410);
  expect((await open(path, later(103))).trips).toBe(0);
});

test("a copy from a clock that is ahead is not shown", async () => {
  const path = newPage(1500);
  await open(path, later(3600));
  priced.set(path, 1200);
  expect((await open(path)).text).toBe("KES 1200");
});

test("the app learns nothing about the visitor, and what a chat adds to the address changes nothing", async () => {
  const path = newPage();
  await open(`${path}?fbclid=1`, {
    Cookie: "theme=dark; flash=x",
    "User-Agent": "WhatsApp/2.0",
    "Accept-Language": "sw",
  });
  expect((await open(`${path}?utm_source=whatsapp`)).trips).toBe(0);
  expect(rendered.map(({ url, headers }) => [url, [...headers]])).toEqual([[`${ORIGIN}${path}`, []]]);
});

test("Data saver and each release have pages of their own", async () => {
  const path = newPage();
  await open(path);
  const small = await open(path, { "Save-Data": "on" });
  expect([small.text, small.trips]).toEqual(["KES 1500, small pictures", 1]);
  expect((await open(path, { "Save-Data": "on" })).trips).toBe(0);
  expect((await open(path, { Cookie: "data_saver=on" })).text).toBe(small.text);
  expect((await open(path, { Cookie: "data_saver=off", "Save-Data": "on" })).text).toBe("KES 1500");
  expect((await open(path)).text).toBe("KES 1500");
  build = "2";
  expect((await open(path)).trips).toBe(1);
});

test("whoever is logged in gets an answer of their own, which nobody else sees", async () => {
  const path = newPage();
  const Cookie = await sessionCookie(await makeUser());
  next = () => new Response("Hello Wanjiru", { headers: { "Cache-Control": "public, max-age=600" } });
  for (const _ of [1, 2]) {
    const own = await open(`${path}?from=share`, { Cookie });
    expect([own.text, own.headers.get("Cache-Control"), own.trips]).toEqual(["Hello Wanjiru", "private, no-store", 1]);
  }
  expect(rendered[0]?.headers.get("Cookie")).toBe(Cookie);
  next = null;
  const visitor = await open(path);
  expect([visitor.text, visitor.trips]).toEqual(["KES 1500", 1]);
  // A cookie that isn't ours, or is empty, is a visitor's.
  for (const cookie of ["session=forged", "session=", "session=; theme=dark"])
    expect([cookie, (await open(path, { Cookie: cookie })).trips]).toEqual([cookie, 0]);
});

test.each([
  ["an error", () => new Response("Sorry", { status: 500 })],
  ["a redirect for now", () => new Response(null, { status: 302, headers: { Location: "/auth" } })],
  ["an answer with a cookie", () => new Response("Hello", { headers: { "Set-Cookie": "a=b" } })],
])("%s is not kept", async (_what, answer) => {
  const path = newPage();
  next = answer;
  expect((await open(path)).headers.get("Cache-Control")).toBe("private, no-store");
  next = null;
  expect((await open(path)).text).toBe("KES 1500");
});

test.each([404, 410])("an answer with status %i is kept", async (status) => {
  const path = newPage();
  next = () => new Response(null, { status });
  const [first, second] = [await open(path), await open(path)];
  expect([first.status, second.status, second.trips]).toEqual([status, status, 0]);
  expect(second.headers.get("ETag")).toBeNull();
});

test("a name that is changed and changed back never leads in a circle", async () => {
  const id = shortIdOf(crypto.randomUUID());
  const [one, two] = [`/p/${id}/one`, `/p/${id}/two`];
  const leadTo = (path: string) => () => new Response(null, { status: 301, headers: { Location: path } });
  next = leadTo(two);
  expect((await open(one)).headers.get("Location")).toBe(two);
  next = leadTo(one);
  expect((await open(two)).headers.get("Location")).toBe(one);
  next = null;
  expect((await open(one)).status).toBe(200);
});

test("a short address leads many people from a poster to the page for one rendering", async () => {
  const id = crypto.randomUUID();
  next = () => new Response(null, { status: 301, headers: { Location: "/p/x/name" } });
  for (const trips of [1, 0]) {
    const answer = await open(shortProductPath(id));
    expect([answer.status, answer.headers.get("Location"), answer.trips]).toEqual([301, "/p/x/name", trips]);
  }
});

test("made-up addresses cost one rendering together, and the router's data is only for people with a session", async () => {
  next = () => new Response("We can't find this item", { status: 404 });
  const answers = [];
  for (const path of ["/p/short", "/P/UPPER/x", "/p/%F0%9F%A6%84/y?z=1", "/p/zzzzzzzzzz/x"])
    answers.push(await open(path));
  expect(answers.map(({ status, trips }) => [status, trips])).toEqual([
    [404, 1],
    [404, 0],
    [404, 0],
    [404, 0],
  ]);
  next = null;
  const path = `${newPage()}.data`;
  expect(await open(path)).toMatchObject({ status: 404, trips: 0 });
  expect(await open(path, { Cookie: await sessionCookie(await makeUser()) })).toMatchObject({ status: 200, trips: 1 });
});

test("a network that opens too many unknown pages waits, and still opens those that are kept", async () => {
  const path = newPage();
  await open(path);
  const asked: string[] = [];
  const full = {
    limit: async ({ key }: { key: string }) => {
      asked.push(key);
      return { success: false };
    },
  };
  const bindings = { ...env, LIMIT_ADDRESS: full };
  const headers = { "CF-Connecting-IP": "41.90.1.2" };
  expect(await open(path, headers, {}, bindings)).toMatchObject({ status: 200, trips: 0 });
  const refused = await open(newPage(), headers, {}, bindings);
  expect([refused.status, refused.trips, refused.headers.get("Retry-After")]).toEqual([429, 0, "60"]);
  const Cookie = await sessionCookie(await makeUser());
  expect((await open(newPage(), { ...headers, Cookie }, {}, bindings)).status).toBe(200);
  expect(asked).toEqual(["public-page:41.90.1.2"]);
});

test("HEAD answers as GET does, without the page", async () => {
  const path = newPage();
  const head = await open(path, {}, { method: "HEAD" });
  const page = await open(path);
  expect([head.status, head.text, page.text, page.trips]).toEqual([200, "", "KES 1500", 0]);
  expect(head.headers.get("ETag")).toBe(page.headers.get("ETag"));
  const had = await open(path, { "If-None-Match": page.headers.get("ETag") ?? "" }, { method: "HEAD" });
  expect(had.status).toBe(304);
});

test("a form goes to the app as it is", async () => {
  const path = newPage();
  await open(path);
  next = () => new Response(null, { status: 302, headers: { Location: "/auth", "Set-Cookie": "pending_action=x" } });
  const sent = await open(path, {}, { method: "POST", body: new URLSearchParams({ action: "buy" }) });
  expect([sent.status, sent.headers.get("Set-Cookie"), sent.headers.get("Cache-Control")]).toEqual([
    302,
    "pending_action=x",
    "private, no-store",
  ]);
});

test("pages, pictures and sitemaps open when the cache fails", async () => {
  const path = newPage();
  const key = `img/${"c".repeat(32)}/320.webp`;
  await env.MEDIA.put(key, "picture");
  const fail = async () => {
    throw new Error("no cache today");
  };
  const match = vi.spyOn(Cache.prototype, "match").mockImplementation(fail);
  const put = vi.spyOn(Cache.prototype, "put").mockImplementation(fail);
  try {
    for (const _ of [1, 2]) expect((await open(path)).text).toBe("KES 1500");
    expect((await open(`/files/${key}`)).text).toBe("picture");
    expect((await open("/sitemaps/pages-1.xml")).text).toContain("<loc>");
    expect(match).toHaveBeenCalledTimes(4);
    expect(put).toHaveBeenCalledTimes(4);
  } finally {
    match.mockRestore();
    put.mockRestore();
  }
});

test("a picture is read from R2 once, and answered from the cache with its validator", async () => {
  const key = `img/${"d".repeat(32)}/320.webp`;
  await env.MEDIA.put(key, "picture", { httpMetadata: { contentType: "image/webp" } });
  const first = await open(`/files/${key}`, {}, { method: "HEAD" });
  await env.MEDIA.delete(key);
  const second = await open(`/files/${key}`);
  expect([second.text, second.headers.get("Content-Type")]).toEqual(["picture", "image/webp"]);
  expect(second.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  const tag = first.headers.get("ETag") ?? "";
  expect(second.headers.get("ETag")).toBe(tag);
  expect((await open(`/files/${key}`, { "If-None-Match": tag })).status).toBe(304);
  // Whoever deletes a picture wants it gone.
  expect((await open(`/files/${key}`, later(3601))).status).toBe(404);
});
