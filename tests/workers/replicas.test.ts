/** Read replicas: who answers what while a replica is behind by five seconds. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { newMeter } from "#app/db/meter.ts";
import { endSession } from "#app/accounts/sign-in.server.ts";
import { FLOOR_AGE_MAX_MS } from "#app/db/read-floor.ts";
import { createBookmarkCookie } from "#app/platform/bookmark-cookie.server.ts";
import { BROWSING } from "#app/platform/browsing.ts";
import { isPublicPage, publicProductPath, publicShopPath, shortIdOf } from "#app/platform/public-links.ts";
import type { Services } from "#app/request/services.ts";
import type { Env } from "#workers/env.ts";
import { createServices } from "#workers/services.ts";
import { ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import { through } from "#tests/support/faults.ts";
import { makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { LAG_MS, type ReplicaStandIn, startReplica } from "#tests/support/replica.ts";
import { visit } from "#tests/support/visit.ts";

const FEED = "/studentmarketplace";

let replica: ReplicaStandIn;
let bindings: Partial<Env>;
let student: string;
let seller: string;
let productId: string;

/** The services of a request or job that asks the primary. */
function services(offsetMs = 0): Services {
  return createServices(
    { ...env, ...bindings },
    { waitUntil: () => {}, requestId: "test", meter: newMeter() },
    () => Date.now() + offsetMs,
  );
}

beforeEach(async () => {
  student ??= await makeUser({ name: "Achieng Wafula" });
  seller ??= await makeUser({ name: "Brian Mwangi" });
  productId ??= await makeProduct(seller, { name: "Desk lamp" });
  replica = await startReplica();
  // A namespace of its own has no floor in the worker's memory.
  bindings = { DB: replica.database, SESSIONS: through(env.SESSIONS, (call) => call()) };
  await services().replicas.raiseFloor();
  replica.forget();
});

type Options = NonNullable<Parameters<typeof visit>[1]>;

/** A browser with its cookies. All its tabs share them. */
async function openBrowser(userId?: string) {
  const jar = new Map<string, string>();
  const keep = (pair: string) => jar.set(pair.split("=")[0] ?? "", pair);
  if (userId) keep(await sessionCookie(userId));
  return {
    jar,
    async go(path: string, options: Options = {}): Promise<Response> {
      const headers = { Cookie: [...jar.values()].join("; "), ...options.headers };
      const answer = await visit(path, { ...options, headers, bindings: { ...bindings, ...options.bindings } });
      for (const line of answer.headers.getSetCookie()) keep(line.split(";")[0] ?? "");
      return answer;
    },
    async see(path: string): Promise<string> {
      return (await this.go(path)).text();
    },
  };
}

const bookmarkOf = (answer: Response) => answer.headers.getSetCookie().find((line) => line.startsWith("bookmark="));

async function postListing(browser: Awaited<ReturnType<typeof openBrowser>>, name: string): Promise<string> {
  const id = crypto.randomUUID();
  const form = {
    productId: id,
    name,
    price: "900",
    description: "Works well",
    category: "stationery",
    condition: "new",
  };
  const answer = await browser.go("/add-product", { form: { ...form, madeToOrder: "on" } });
  expect(answer.status).toBe(302);
  expect(bookmarkOf(answer)).toMatch(/; Max-Age=600; .*HttpOnly; SameSite=Lax/);
  return id;
}

/** What the shell knows of the viewer. */
const SHELL = "/home.data?_routes=root";

describe("everybody reads what they wrote", () => {
  test("a listing that was just posted is in every tab of its seller, and with others after the lag", async () => {
    const [own, other] = [await openBrowser(seller), await openBrowser(student)];
    const id = await postListing(own, "Drawing board");
    expect(await own.see(FEED)).toContain(id);
    expect(await own.see(`${FEED}.data`)).toContain(id);
    replica.forget();
    expect(await other.see(FEED)).not.toContain(id);
    expect(new Set(replica.answeredBy)).toEqual(new Set(["replica"]));
    replica.advance(LAG_MS);
    expect(await other.see(FEED)).toContain(id);
    replica.forget();
    expect(await own.see(FEED)).toContain(id);
    expect(replica.answeredBy).not.toContain("primary");
  });

  test("the cart's count is right at once, after a form and after an answer without one", async () => {
    const browser = await openBrowser(student);
    expect(await browser.see(SHELL)).not.toContain(productId);
    const answer = await browser.go("/?index", { form: { intent: "add-to-cart", productId, quantity: "1" } });
    expect(bookmarkOf(answer)).toBeDefined();
    expect(await browser.see(SHELL)).toContain(productId);
  });

  test("the API's answers carry the bookmark, too; a callback of Safaricom's and a page that wrote nothing don't", async () => {
    const browser = await openBrowser(student);
    const form = { about: `product:${productId}`, text: "Is it still there?", key: crypto.randomUUID() };
    expect(bookmarkOf(await browser.go("/api/messages", { form }))).toBeDefined();
    for (const path of ["/cart", FEED, `/p/${shortIdOf(productId)}`, "/api/health"])
      expect(bookmarkOf(await browser.go(path)), `${path}`).toBeUndefined();
    const hook = await browser.go("/hooks/pay/stk/none", {
      body: "{}",
      headers: { "Content-Type": "application/json" },
    });
    expect(bookmarkOf(hook)).toBeUndefined();
  });

  test("an answer that wrote earlier never takes back the newer bookmark that the browser sent", async () => {
    const cookie = createBookmarkCookie({ secrets: ["test-session-secret"], secure: false });
    const newer = `ffffffff${replica.position().slice(8)}`;
    const browser = await openBrowser(student);
    const sent = (await cookie.write(newer)).split(";")[0] ?? "";
    browser.jar.set("bookmark", sent);
    await browser.go("/?index", { form: { intent: "add-to-wishlist", productId } });
    const request = new Request(ORIGIN, { headers: { Cookie: browser.jar.get("bookmark") ?? "" } });
    expect(await cookie.read(request)).toBe(newer);
  });
});

describe("bookmarks that are none", () => {
  const cookie = () => createBookmarkCookie({ secrets: ["test-session-secret"], secure: false });

  test("a forged one is ignored: the replica answers from the floor on", async () => {
    const browser = await openBrowser(student);
    const [name, value] = (await cookie().write(`ffffffff${replica.position().slice(8)}`)).split(";")[0]!.split("=");
    browser.jar.set("bookmark", `${name}=${value?.slice(0, -8)}AAAAAAA%3D`);
    expect((await browser.go(FEED)).status).toBe(200);
    expect(new Set(replica.answeredBy)).toEqual(new Set(["replica"]));
  });

  test("one that D1 refuses costs a second query and no error", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const browser = await openBrowser(student);
    browser.jar.set("bookmark", (await cookie().write("ffffffff-ffffffff-ffffffff")).split(";")[0] ?? "");
    expect((await browser.go(FEED)).status).toBe(200);
    expect(new Set(replica.answeredBy)).toEqual(new Set(["primary"]));
    expect(countEvents(logged, "replica_failed")).toBe(1);
    logged.mockRestore();
  });

  test("an old one counts for less than the floor", async () => {
    const browser = await openBrowser(student);
    browser.jar.set(
      "bookmark",
      (await cookie().write(`00000000-00000000-00000000-${"0".repeat(32)}`)).split(";")[0] ?? "",
    );
    expect((await browser.go(FEED)).status).toBe(200);
    expect(replica.answeredBy).not.toContain("primary");
  });
});

function countEvents(logged: { mock: { calls: unknown[][] } }, event: string): number {
  return logged.mock.calls.filter(([line]) => JSON.stringify(line).includes(event)).length;
}

test("the primary takes over from a replica that is down, which is logged once for a request", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const browser = await openBrowser(student);
  replica.down = true;
  expect(await browser.see(FEED)).toContain(productId);
  expect(new Set(replica.answeredBy)).toEqual(new Set(["primary"]));
  expect(countEvents(logged, "replica_failed")).toBe(1);
  logged.mockRestore();
});

describe("a session that ended is refused at once by everything but browsing, and there by the next floor", () => {
  const ENDINGS: Record<string, (cookie: string) => Promise<unknown>> = {
    "a suspended account": () => services().db.run(sql`UPDATE credentials SET suspended_at = 1 WHERE id = ${student}`),
    "a changed password": () =>
      services().db.run(sql`UPDATE credentials SET session_epoch = session_epoch + 1 WHERE id = ${student}`),
    "a logout that KV hasn't heard of": async (cookie) => {
      const session = await services().sessions.read(new Request(ORIGIN, { headers: { Cookie: cookie } }));
      if (session) await endSession(services(), session.identity);
    },
  };

  test.for(Object.entries(ENDINGS))("%s", async ([, end]) => {
    student = await makeUser();
    replica = await startReplica();
    bindings = { ...bindings, DB: replica.database };
    await services().replicas.raiseFloor();
    const browser = await openBrowser(student);
    expect((await browser.go(FEED)).status).toBe(200);
    await end(browser.jar.get("session") ?? "");
    for (const path of ["/cart", "/profile", "/settings", "/myshop/money.data", `/checkout/${productId}`])
      expect((await browser.go(path)).status, `${path}`).not.toBe(200);
    expect((await browser.go("/api/messages/unread")).status).toBe(401);
    const add = await browser.go("/?index", { form: { intent: "add-to-cart", productId, quantity: "1" } });
    expect(add.status).not.toBe(200);
    const { n } = await services().db.get<{ n: number }>(
      sql`SELECT COUNT(*) AS n FROM cart_items WHERE user_id = ${student}`,
    );
    expect(n).toBe(0);
    browser.jar.delete("bookmark");
    // The replica doesn't know it yet. Until the next floor, the feed and the account's own name and counts still show.
    expect((await browser.go(FEED)).status).toBe(200);
    await services().replicas.raiseFloor();
    expect((await browser.go(FEED)).status).toBe(302);
    student = await makeUser();
  });
});

describe("a replica may say yes late, but never no", () => {
  test("the first page after signing up, in a browser that kept no bookmark", async () => {
    const id = await makeUser();
    const browser = await openBrowser(id);
    expect((await browser.go("/home")).status).toBe(200);
    expect(await browser.see(`/seller/${seller}`)).toContain("/profile");
  });

  test("a listing that is shared a second after it was posted, and one that isn't there", async () => {
    const id = await postListing(await openBrowser(seller), "Kettle with a lid");
    const visitor = await openBrowser();
    const page = await visitor.go(publicProductPath({ id, name: "Kettle with a lid" }));
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(await (await openBrowser(student)).see(`/product/${id}`)).toContain("Kettle with a lid");
    replica.forget();
    expect((await visitor.go("/p/zzzzzzzzzz/kettle")).status).toBe(404);
    expect(replica.answeredBy.at(0)).toBe("replica");
    expect(replica.answeredBy.at(-1)).toBe("primary");
  });
});

describe("what the primary is asked again", () => {
  test("for a page that isn't there, no error is logged", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const browser = await openBrowser(student);
    replica.forget();
    expect((await browser.go("/product/none")).status).toBe(404);
    expect(replica.answeredBy).toContain("replica");
    expect(logged.mock.calls).toEqual([]);
    logged.mockRestore();
  });

  test("a screen that cannot be read says so within the shell, also to somebody whom the replica doesn't know", async () => {
    const index = await env.DB.prepare("SELECT sql FROM sqlite_master WHERE name = 'categories_browsed'").first<string>(
      "sql",
    );
    const browser = await openBrowser(await makeUser());
    await env.DB.prepare("DROP INDEX categories_browsed").run();
    const answer = await browser.go(FEED);
    await env.DB.prepare(index ?? "").run();
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('href="/wishlist"');
  });

  test("a session is renewed once, with a page that is there, and the page comes also when KV refuses", async () => {
    const later = { headers: { "X-Days-Ahead": "20" } };
    let puts = 0;
    let refuses = false;
    const put: KVNamespace["put"] = async (...sent: Parameters<KVNamespace["put"]>) => {
      puts += 1;
      if (refuses) throw new Error("KV PUT failed: 429 Too Many Requests");
      return env.SESSIONS.put(...sent);
    };
    bindings.SESSIONS = new Proxy(env.SESSIONS, {
      get: (target, name) => {
        const value: unknown = name === "put" ? put : Reflect.get(target, name);
        return typeof value === "function" && name !== "put" ? value.bind(target) : value;
      },
    });
    await services(20 * 24 * 60 * 60_000).replicas.raiseFloor();
    puts = 0;
    const browser = await openBrowser(student);
    replica.forget();
    expect((await browser.go("/product/none", later)).status).toBe(404);
    expect(replica.answeredBy).toContain("replica");
    expect(puts).toBe(0);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    refuses = true;
    expect((await browser.go(FEED, later)).status).toBe(200);
    expect(countEvents(logged, "session_renewal_failed")).toBe(1);
    logged.mockRestore();
    refuses = false;
    puts = 0;
    for (let page = 0; page < 2; page += 1) expect((await browser.go(FEED, later)).status).toBe(200);
    expect(puts).toBe(1);
  });

  test("a pressed button is read from the primary, because it takes effect once", async () => {
    const browser = await openBrowser(student);
    replica.forget();
    expect((await browser.go(`/product/${productId}?pressed=${crypto.randomUUID()}`)).status).toBe(200);
    expect(replica.answeredBy).not.toContain("replica");
  });
});

describe("the floor", () => {
  test("without one, and with one that is too old or from the future, the primary answers", async () => {
    const browser = await openBrowser(student);
    await services(-FLOOR_AGE_MAX_MS).replicas.raiseFloor();
    replica.forget();
    expect((await browser.go(FEED)).status).toBe(200);
    expect(replica.answeredBy).not.toContain("replica");
    // By a clock that was wrong.
    await services(FLOOR_AGE_MAX_MS + 60_000).replicas.raiseFloor();
    replica.forget();
    expect((await browser.go(FEED)).status).toBe(200);
    expect(replica.answeredBy).not.toContain("replica");
    await env.SESSIONS.delete("read-floor");
    bindings = { ...bindings, SESSIONS: through(env.SESSIONS, (call) => call()) };
    replica.forget();
    expect((await browser.go(FEED)).status).toBe(200);
    expect(replica.answeredBy).not.toContain("replica");
  });

  test("a page that was told of a change asks the primary", async () => {
    const browser = await openBrowser(student);
    browser.jar.set("newest", "newest=1");
    expect((await browser.go(FEED)).status).toBe(200);
    expect(replica.answeredBy).not.toContain("replica");
  });
});

test("browsing asks nothing of the primary, and so writes nothing", async () => {
  const browser = await openBrowser(student);
  const ids: Record<string, string> = {
    ":productId": productId,
    ":sellerId": seller,
    ":userId": seller,
    ":categoryName": "stationery",
    ":category": "stationery",
    ":campus": "main-campus",
  };
  const visitor = await openBrowser();
  // Other tests' copies of public pages would ask nobody.
  const cache = vi.spyOn(Cache.prototype, "match").mockResolvedValue(undefined);
  onTestFinished(() => cache.mockRestore());
  for (const pattern of BROWSING) {
    const path = pattern
      .replace("/p/:shortId/:slug?", publicProductPath({ id: productId, name: "Desk lamp" }))
      .replace("/s/:shortId/:slug?", publicShopPath({ id: seller, title: "Brian" }))
      .replace(":file", "pages-1.xml")
      .replace("/suggestions", "/suggestions?q=lamp")
      .replace("/campus/search", "/campus/search?q=lamp")
      .replaceAll(/:\w+/g, (name) => ids[name] ?? name);
    const asking = isPublicPage(path) ? visitor : browser;
    replica.forget();
    let answer = await asking.go(path);
    // An address may lead to one with the name as people read it.
    if (answer.status === 301) {
      replica.forget();
      answer = await asking.go(answer.headers.get("Location") ?? "");
    }
    expect(answer.status, `${path}`).toBe(200);
    // A product's first public page also makes the picture that chats show for it.
    const answeredBy = path.startsWith("/p/") ? replica.answeredBy.slice(0, 1) : replica.answeredBy;
    expect({ path, answeredBy: [...new Set(answeredBy)] }).toEqual({ path, answeredBy: ["replica"] });
  }
});
