/** Attacks on deals: guessing or reading a handover code, and moving somebody else's money. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { DEAL_EVENTS, type DealEvent, EVENT_ACTORS } from "#app/db/states/deal.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { offerPart, reportProblem } from "#app/deals/problems/problems.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import type { LiveEvent } from "#app/live/live-events.ts";
import { sessionCookie } from "#tests/support/accounts.ts";
import { booksOff, type Deal, makeUser, readItem, servicesAt } from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import type { ListedRoute } from "#tests/support/pages.ts";
import { visit } from "#tests/support/visit.ts";
import { http } from "#tests/support/worker.ts";

const HOUR = 60 * 60_000;

let deal: Deal;
let code: string;

beforeEach(async () => {
  deal = await payDeal();
  code = await handoverCode(env.HANDOVER_CODE_KEY, deal.itemId);
});

function at(hours = 0): DealServices {
  return { ...servicesAt(hours * HOUR), deals: { inspectionHours: 48, codeKey: env.HANDOVER_CODE_KEY } };
}

/** Different wrong codes of six digits. */
function wrongCodes(count: number): string[] {
  return Array.from({ length: count }, (_, n) => String((Number(code) + n + 1) % 1_000_000).padStart(6, "0"));
}

function enter(guess: string, sellerId = deal.sellerId) {
  return enterCode(at(), { itemId: deal.itemId, sellerId, code: guess });
}

describe("guessing a code", () => {
  test("thirty guesses at once are worth no more than five", async () => {
    const results = await Promise.all([...wrongCodes(29), code].map((guess) => enter(guess)));
    expect(results.filter(({ ok }) => ok)).toEqual([]);
    expect(await readItem(deal.itemId)).toMatchObject({ status: "processing", wrongCodes: 5 });
  });

  test("guesses for many items at once are worth no more than twenty a day", async () => {
    const deals = [deal, ...(await Promise.all(Array.from({ length: 9 }, payDeal)))];
    const ids = deals.map(({ itemId }) => itemId);
    await env.DB.prepare("UPDATE order_items SET seller_id = ? WHERE id IN (SELECT value FROM json_each(?))")
      .bind(deal.sellerId, JSON.stringify(ids))
      .run();
    const guesses = ids.flatMap((itemId) => wrongCodes(4).map((guess) => ({ itemId, guess })));
    await Promise.all(
      guesses.map(({ itemId, guess }) => enterCode(at(), { itemId, sellerId: deal.sellerId, code: guess })),
    );
    const items = await Promise.all(ids.map(readItem));
    expect(items.reduce((sum, { wrongCodes: wrong }) => sum + wrong, 0)).toBe(20);
    expect(await enter(code)).toMatchObject({ ok: false, code: "too_many" });
    const nextDay = { itemId: deal.itemId, sellerId: deal.sellerId, code };
    expect(await enterCode(at(25), nextDay)).toMatchObject({ ok: true });
  });

  test("other devices and addresses of the seller share the five tries", async () => {
    const devices = await Promise.all(
      wrongCodes(8).map(async (guess) => ({ guess, Cookie: await sessionCookie(deal.sellerId) })),
    );
    for (const [n, { guess, Cookie }] of devices.entries()) {
      const headers = { Cookie, "CF-Connecting-IP": `197.248.0.${n + 1}` };
      const answer = await visit(`/seller/orders/${deal.itemId}`, { form: { intent: "code", code: guess }, headers });
      await answer.text();
    }
    expect(await readItem(deal.itemId)).toMatchObject({ status: "processing", wrongCodes: 5 });
    expect(await enter(code)).toMatchObject({ ok: false, code: "code_closed" });
  });

  test("other accounts learn nothing, and cannot use up the seller's tries", async () => {
    const strangers = [(await payDeal()).sellerId, deal.buyerId, await makeUser()];
    const answers = await Promise.all(
      strangers.flatMap((stranger) => [code, ...wrongCodes(7)].map((guess) => enter(guess, stranger))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ ok: false, code: "not_found" })]),
    );
    expect(await readItem(deal.itemId)).toMatchObject({ status: "processing", wrongCodes: 0 });
    expect(await enter(code)).toMatchObject({ ok: true });
  });

  test("a code of one item opens no other", async () => {
    const first = code;
    const other = await payDeal();
    expect(await enterCode(at(), { itemId: other.itemId, sellerId: other.sellerId, code: first })).toMatchObject({
      code: "wrong_code",
    });
  });
});

describe("reading a code", () => {
  /** The digits of a code as a person could read them. Ids and keys are left out, which are longer. */
  function shows(text: string): boolean {
    const readable = text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}/g, "");
    return new RegExp(`(?<!\\d)${code.slice(0, 3)}[ -]?${code.slice(3)}(?!\\d)`).test(readable);
  }

  /**
   * Everything that the seller can request by an address. A page has all its data, so what its scripts ask for is in
   * it.
   */
  function sellersAddresses(): string[] {
    const ids: Record<string, string> = {
      itemId: deal.itemId,
      orderItemId: deal.itemId,
      orderId: deal.orderId,
      productId: deal.productId,
      sellerId: deal.sellerId,
      id: deal.itemId,
    };
    const fill = (path: string) => path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? "x");
    const screens = pathsOf(env.TEST_ROUTES).map(fill);
    const endpoints = http.routes.filter(({ method }) => method === "GET").map(({ path }) => fill(path));
    const queries = [
      "/myshop?tab=orders",
      "/profile?tab=orders",
      "/profile?tab=messages",
      "/profile?tab=notifications",
    ];
    return [...new Set([...screens, ...endpoints, ...queries])].filter((path) => !path.includes("*"));
  }

  function pathsOf(routes: ListedRoute[], parent = ""): string[] {
    return routes.flatMap(({ path, children }) => {
      const own = path ? `${parent}/${path}` : parent;
      return [...(path ? [own] : []), ...pathsOf(children ?? [], own)];
    });
  }

  test("is not possible for the seller: not on pages, in emails, live events, logs or the database", async () => {
    const told: LiveEvent[] = [];
    const notifier = {
      send: async (_to: string, event: LiveEvent) => void told.push(event),
      endSessions: async () => {},
    };
    const printed = ["log", "info", "warn", "error"].map((name) => vi.spyOn(console, name as "log"));
    const read: string[] = [];
    const look = async (addresses: string[]) => {
      for (const path of addresses) read.push(await (await visit(path, { as: deal.sellerId })).text());
    };
    const all = sellersAddresses();
    const ofDeal = all.filter((path) => path.includes("?tab=") || /[0-9a-f]{8}-/.test(path));
    const app = (hours = 0) => ({ ...at(hours), notifier });
    // Each step writes its emails, events and pages.
    await look(ofDeal);
    for (const guess of wrongCodes(2))
      await enterCode(app(), { itemId: deal.itemId, sellerId: deal.sellerId, code: guess });
    await advanceDeals(app(25));
    await agreeOn(deal);
    await shipItem(app(), { itemId: deal.itemId, sellerId: deal.sellerId });
    await deliverItem(app(), { itemId: deal.itemId, sellerId: deal.sellerId });
    await look(ofDeal);
    await advanceDeals(app(49));
    await reportProblem(app(), {
      itemId: deal.itemId,
      buyerId: deal.buyerId,
      kind: "damaged",
      description: "Cracked",
      photoKeys: [],
    });
    await offerPart(app(), { itemId: deal.itemId, sellerId: deal.sellerId, amount: 300, note: null });
    await look(all);

    expect(read.filter((text) => text.includes(deal.itemId)).length).toBeGreaterThan(2);
    expect(told.length).toBeGreaterThan(5);
    expect(read.filter(shows)).toEqual([]);
    expect(told.map((event) => JSON.stringify(event)).filter(shows)).toEqual([]);
    const lines = printed.flatMap(({ mock }) => mock.calls.map((call) => JSON.stringify(call)));
    expect(lines.filter(shows)).toEqual([]);
    for (const spy of printed) spy.mockRestore();
    expect(await tablesWith(shows)).toEqual([]);
  });

  /** The tables, with the outbox of emails among them, that hold a text of this kind. */
  async function tablesWith(holds: (text: string) => boolean): Promise<string[]> {
    const { results: tables } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    ).all<{ name: string }>();
    const found: string[] = [];
    for (const { name } of tables) {
      const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
      if (results.some((row) => holds(JSON.stringify(row)))) found.push(name);
    }
    return found;
  }
});

describe("somebody else's money", () => {
  const people = DEAL_EVENTS.filter((event) => event !== "paid" && ["buyer", "seller"].includes(EVENT_ACTORS[event]));

  test.each(people)("nobody but its own people can cause %s", async (event: DealEvent) => {
    const other = await payDeal();
    const wrongSide = EVENT_ACTORS[event] === "buyer" ? deal.sellerId : deal.buyerId;
    for (const by of [other.buyerId, other.sellerId, wrongSide, await makeUser()])
      expect(await applyDealEvent(at(), { itemId: deal.itemId, event, by, refundAmount: 300 })).toEqual({
        ok: false,
        code: "not_found",
      });
    expect(await readItem(deal.itemId)).toMatchObject({ status: "processing" });
    expect(await booksOff()).toEqual({});
  });
});
