/**
 * Reported problems on real D1: what each side and our team can do, what happens to the money, and who sees the photos.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import { decideDeal } from "#app/admin/problems/decisions.server.ts";
import { PROBLEM_LISTS, type ProblemListName } from "#app/admin/problems/problem-lists.ts";
import { findProblemDetails, listProblems, type ProblemSummary } from "#app/admin/problems/problems.server.ts";
import { variantSizes } from "#app/catalogue/photos/photo-rules.ts";
import { findPhotos } from "#app/catalogue/photos/photos.server.ts";
import { sweepDocuments } from "#app/accounts/sweep.server.ts";
import { dealTimers } from "#app/orders/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { payoutItems, refunds } from "#app/payments/tables.server.ts";
import { profiles, uploads } from "#app/accounts/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import {
  answerAsBuyer,
  contestProblem,
  offerPart,
  refundProblem,
  reportProblem,
} from "#app/deals/problems/problems.server.ts";
import { findProblem } from "#app/deals/problems/problem-page.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import { booksOff, type Deal, db, makeUser, readItem, servicesAt } from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { webp } from "#tests/support/pictures.ts";
import { makeAdmin } from "#tests/support/visit.ts";

const HOUR = 60 * 60_000;
const PRICE = 1_900;

let deal: Deal;
let admin: Admin;

beforeEach(async () => {
  await db.delete(dealTimers);
  deal = await deliveredDeal();
  admin = await makeAdmin();
});

/** The app with an inspection of 48 hours, `hours` from now. */
function at(hours = 0): DealServices {
  return { ...servicesAt(hours * HOUR), deals: { inspectionHours: 48, codeKey: "test-key" } };
}

async function deliveredDeal(price = PRICE, buyerId?: string): Promise<Deal> {
  const made = await payDeal({ price, ...(buyerId !== undefined && { buyerId }) });
  await agreeOn(made);
  await shipItem(at(), { itemId: made.itemId, sellerId: made.sellerId });
  await deliverItem(at(), { itemId: made.itemId, sellerId: made.sellerId });
  return made;
}

const REPORT = { kind: "damaged", description: "The screen is cracked.", photoKeys: [] as string[] } as const;

function report(services = at(), photoKeys: readonly string[] = []) {
  return reportProblem(services, { itemId: deal.itemId, buyerId: deal.buyerId, ...REPORT, photoKeys });
}

function offer(amount: number, sellerId = deal.sellerId) {
  return offerPart(at(), { itemId: deal.itemId, sellerId, amount, note: "Sorry. Is this fair?" });
}

function answer(choice: "accept" | "withdraw" | "review", buyerId = deal.buyerId) {
  return answerAsBuyer(at(), { itemId: deal.itemId, buyerId, answer: choice, note: null });
}

function refundAll(sellerId = deal.sellerId) {
  return refundProblem(at(), { itemId: deal.itemId, sellerId });
}

function decide(decision: "refund" | "split" | "release", amount = 0, by = admin) {
  return decideDeal(at(), by, { itemId: deal.itemId, decision, amount, reasons: "The photos show the crack." });
}

async function problemOf() {
  const [row] = await db.select().from(problems).where(eq(problems.orderItemId, deal.itemId));
  return row;
}

/** Where the item's money is, in KES. The books are right each time that a test asks. */
async function money() {
  const released = await db.select().from(payoutItems).where(eq(payoutItems.orderItemId, deal.itemId));
  const refunded = await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId));
  expect(await booksOff()).toEqual({});
  const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
  return { released: sum(released), refunded: sum(refunded) };
}

const HELD = { released: 0, refunded: 0 };

describe("a reported problem", () => {
  test("freezes the money, and can be reported once", async () => {
    expect(await report()).toMatchObject({ ok: true, status: "problem_reported" });
    expect(await report()).toMatchObject({ ok: false, code: "wrong_state" });
    expect(await problemOf()).toMatchObject({
      kind: "damaged",
      description: "The screen is cracked.",
      refunded: null,
    });
    await advanceDeals(at(47));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "problem_reported" });
    expect(await money()).toEqual(HELD);
  });

  test("can be refunded by the seller", async () => {
    await report();
    expect(await refundAll(deal.buyerId)).toMatchObject({ code: "not_found" });
    expect(await refundAll()).toMatchObject({ ok: true, status: "refunded" });
    expect(await problemOf()).toMatchObject({ refunded: PRICE, settledAt: expect.any(Number) });
    expect(await money()).toEqual({ released: 0, refunded: PRICE });
  });

  test("can be settled by a part that the seller offers and the buyer accepts", async () => {
    await report();
    expect(await offer(PRICE)).toMatchObject({ code: "amount" });
    expect(await offer(300, deal.buyerId)).toMatchObject({ code: "not_found" });
    expect(await offer(300)).toMatchObject({ ok: true, status: "offered" });
    expect(await offer(20)).toMatchObject({ ok: false, code: "wrong_state" });
    expect(await money()).toEqual(HELD);
    expect(await answer("accept", deal.sellerId)).toMatchObject({ code: "not_found" });
    expect(await answer("accept")).toMatchObject({ ok: true, status: "completed" });
    expect(await problemOf()).toMatchObject({ offeredRefund: 300, refunded: 300 });
    expect(await money()).toEqual({ released: PRICE - 300, refunded: 300 });
  });

  test("goes to our team with the words of a seller who doesn't agree", async () => {
    const note = "It worked when I handed it over.";
    const contest = (sellerId = deal.sellerId) => contestProblem(at(), { itemId: deal.itemId, sellerId, note });
    expect(await contest()).toMatchObject({ ok: false, code: "wrong_state" });
    await report();
    expect(await contest(deal.buyerId)).toMatchObject({ code: "not_found" });
    expect(await contest()).toMatchObject({ ok: true, status: "in_review" });
    for (const late of [contest, () => offer(300), refundAll])
      expect(await late()).toMatchObject({ ok: false, code: "wrong_state" });
    const read = [await findProblem(db, deal.itemId, deal.buyerId), await findProblemDetails(db, deal.itemId)];
    for (const page of read)
      expect(page?.history.at(-1)).toMatchObject({ words: "The seller didn't agree, so our team decides", note });
    expect(await money()).toEqual(HELD);
  });

  test("ends with the payout when the buyer says that it is solved", async () => {
    await report();
    expect(await answer("accept")).toMatchObject({ ok: false, code: "wrong_state" });
    expect(await answer("withdraw")).toMatchObject({ ok: true, status: "completed" });
    expect(await problemOf()).toMatchObject({ refunded: 0 });
    expect(await money()).toEqual({ released: PRICE, refunded: 0 });
  });

  test.each([
    ["the seller is silent for two days", async () => {}, 49],
    ["the sides don't agree in five days", () => offer(300), 121],
  ])("goes to our team when %s", async (_case, prepare, hours) => {
    await report();
    await prepare();
    await advanceDeals(at(hours - 2));
    expect(await readItem(deal.itemId)).not.toMatchObject({ status: "in_review" });
    await advanceDeals(at(hours));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "in_review" });
    expect(await money()).toEqual(HELD);
  });
});

describe("a decision of our team", () => {
  beforeEach(async () => {
    await report();
    await answer("review");
  });

  test.each([
    ["refund", 0, { released: 0, refunded: PRICE }],
    ["split", 1_200, { released: 700, refunded: 1_200 }],
    ["release", 0, { released: PRICE, refunded: 0 }],
  ] as const)("%s moves the money as it says, once, and is in the audit log", async (decision, amount, expected) => {
    expect(await decide(decision, amount)).toMatchObject({ ok: true });
    expect(await decide("refund")).toEqual({ ok: false, code: "stale" });
    expect(await money()).toEqual(expected);
    expect(await problemOf()).toMatchObject({ refunded: expected.refunded });
    const { results } = await env.DB.prepare("SELECT actor_id, detail FROM audit_log WHERE subject = ?")
      .bind(`order_item:${deal.itemId}`)
      .all();
    expect(results).toEqual([{ actor_id: admin.id, detail: "The photos show the crack." }]);
  });

  test("needs an admin who is neither the buyer nor the seller", async () => {
    for (const id of [deal.buyerId, deal.sellerId]) {
      await db.update(profiles).set({ adminRole: "owner" }).where(eq(profiles.id, id));
      expect(await decide("release", 0, { id, email: "" })).toEqual({ ok: false, code: "own_money" });
    }
    expect(await decide("release", 0, { id: await makeUser(), email: "" })).toEqual({ ok: false, code: "stale" });
    expect(await money()).toEqual(HELD);
  });

  test("refuses a part that M-Pesa can't send", async () => {
    for (const amount of [0, 5, PRICE, PRICE - 5, 10.5])
      expect(await decide("split", amount)).toMatchObject({ ok: false, code: "amount" });
    expect(await money()).toEqual(HELD);
  });

  test("counts once when many are made at the same time", async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => decide(n % 2 === 0 ? "refund" : "split", 1_000)),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const { released, refunded } = await money();
    expect(released + refunded).toBe(PRICE);
  });
});

describe("a decision about more than KES 50,000", () => {
  const LARGE = 50_001;
  let second: Admin;

  beforeEach(async () => {
    deal = await deliveredDeal(LARGE);
    second = await makeAdmin();
    await report();
    await answer("review");
  });

  test("moves the money when a second admin decides the same", async () => {
    expect(await decide("split", 20_000)).toEqual({ ok: true, isDecided: false });
    expect(await decide("split", 20_000)).toEqual({ ok: true, isDecided: false });
    expect(await money()).toEqual(HELD);
    expect((await findProblemDetails(servicesAt().db, deal.itemId))?.proposal).toMatchObject({
      adminId: admin.id,
      amount: 20_000,
    });
    expect(await decide("split", 20_000, second)).toMatchObject({ ok: true, isDecided: true });
    expect(await money()).toEqual({ released: LARGE - 20_000, refunded: 20_000 });
    expect((await findProblemDetails(servicesAt().db, deal.itemId))?.proposal).toBeNull();
    const { results } = await env.DB.prepare(
      "SELECT actor_id, action FROM audit_log WHERE subject = ? ORDER BY created_at, rowid",
    )
      .bind(`order_item:${deal.itemId}`)
      .all();
    expect(results.map(({ actor_id, action }) => [actor_id, action])).toEqual([
      [admin.id, "act_proposed"],
      [admin.id, "act_proposed"],
      [second.id, "team_split"],
    ]);
  });

  test("stays open when the second admin decides something else", async () => {
    await decide("release");
    expect(await decide("refund", 0, second)).toEqual({ ok: true, isDecided: false });
    expect(await decide("release")).toEqual({ ok: true, isDecided: false });
    expect(await decide("split", 1_000, second)).toEqual({ ok: true, isDecided: false });
    expect(await money()).toEqual(HELD);
  });

  test("is never made by one admin, however often they press, and once by two who press together", async () => {
    await Promise.all(Array.from({ length: 8 }, () => decide("release")));
    expect(await money()).toEqual(HELD);
    await Promise.all(Array.from({ length: 8 }, (_, n) => decide("release", 0, n % 2 === 0 ? admin : second)));
    await decide("release", 0, second);
    expect(await money()).toEqual({ released: LARGE, refunded: 0 });
  });
});

const PROBLEM_LIST_NAMES = Object.keys(PROBLEM_LISTS) as ProblemListName[];

describe("the pages of problems", () => {
  test("the admin page lists what our team must decide, with everything that a decision needs", async () => {
    const listed = async () => {
      const lists = await Promise.all(
        PROBLEM_LIST_NAMES.map(async (name) => ({ name, ...(await listProblems(servicesAt(), name, null)) })),
      );
      return lists.filter(({ rows }) => rows.some(({ id }) => id === deal.itemId)).map(({ name }) => name);
    };
    await report();
    expect(await listed()).toEqual(["talking"]);
    await offer(300);
    await answer("review");
    expect(await listed()).toEqual(["waiting", "items"]);
    const found = await findProblemDetails(servicesAt().db, deal.itemId);
    expect(found).toMatchObject({
      item: { id: deal.itemId, status: "in_review", subtotal: PRICE, payerPhone: expect.stringContaining("•") },
      buyer: { id: deal.buyerId, problemsAsBuyer: 1, problemsAsSeller: 0 },
      seller: { id: deal.sellerId, problemsAsSeller: 1, salesCompleted: 0 },
      problem: { description: "The screen is cracked.", offeredRefund: 300 },
      reports: [],
    });
    expect(found?.history.map(({ event }) => event)).toEqual([
      "paid",
      "buyer_contacted",
      "buyer_agreed",
      "shipped",
      "delivered",
      "problem_reported",
      "part_offered",
      "review_requested",
    ]);
    expect(JSON.stringify(found)).not.toMatch(/2547\d{8}/);
    expect((await listProblems(servicesAt(), "waiting", null)).counts.problems).toBeGreaterThan(0);
    await decide("refund");
    expect(await listed()).toEqual([]);
  });

  test("one list has what our team decides and what buyers reported, the longest waiting first, on pages that miss nothing", async () => {
    await report();
    await offer(300);
    await answer("review");
    const since = await env.DB.prepare("SELECT updated_at AS at FROM order_items WHERE id = ?")
      .bind(deal.itemId)
      .first<number>("at");
    if (since === null) throw new Error("no item");
    const reports = Array.from({ length: 70 }, (_, n) => ({ id: crypto.randomUUID(), createdAt: since + n - 35 }));
    await env.DB.batch(
      reports.map(({ id, createdAt }) =>
        env.DB.prepare(
          "INSERT INTO issue_reports (id, user_id, order_id, description, created_at) VALUES (?, ?, ?, 'Late', ?)",
        ).bind(id, deal.buyerId, deal.orderId, createdAt),
      ),
    );
    const found: ProblemSummary[] = [];
    let next: string | null = null;
    do {
      const page = await listProblems(servicesAt(), "waiting", next);
      found.push(...page.rows);
      next = page.next;
    } while (next !== null);
    const expected = [...reports, { id: deal.itemId, createdAt: since }].toSorted(
      (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
    );
    const own = new Set(expected.map(({ id }) => id));
    expect(found.map(({ id }) => id).filter((id) => own.has(id))).toEqual(expected.map(({ id }) => id));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const { counts } = await listProblems(servicesAt(), "waiting", null);
    expect(counts.problems).toBe(found.length);
  });

  test("an item that an open report stopped is listed too, and deciding leaves the report open", async () => {
    await env.DB.prepare(
      "INSERT INTO issue_reports (id, user_id, order_id, description, created_at) VALUES (?, ?, ?, 'It never came', 1)",
    )
      .bind(crypto.randomUUID(), deal.buyerId, deal.orderId)
      .run();
    await advanceDeals(at(97));
    const found = await findProblemDetails(servicesAt().db, deal.itemId);
    expect(found).toMatchObject({
      item: { status: "in_review" },
      problem: null,
      reports: [{ description: "It never came" }],
    });
    expect(found?.history.at(-1)?.event).toBe("report_open");
    expect(await decide("split", 900)).toMatchObject({ ok: true });
    expect(await money()).toEqual({ released: 1_000, refunded: 900 });
    expect(await findProblemDetails(servicesAt().db, deal.itemId)).toMatchObject({
      reports: [{ description: "It never came" }],
    });
  });

  test("both sides see the problem from their side, and nobody else sees it", async () => {
    await report();
    expect(await findProblem(db, deal.itemId, deal.buyerId)).toMatchObject({
      role: "buyer",
      until: expect.any(Number),
    });
    expect(await findProblem(db, deal.itemId, deal.sellerId)).toMatchObject({
      role: "seller",
      problem: { kind: "damaged", refunded: null },
    });
    for (const id of [admin.id, await makeUser()]) expect(await findProblem(db, deal.itemId, id)).toBeNull();
  });

  test("the seller's time to answer is shown, and then the time to agree", async () => {
    await report();
    const hoursLeft = async () =>
      Math.round((((await findProblem(db, deal.itemId, deal.buyerId))?.until ?? 0) - Date.now()) / HOUR);
    expect(await hoursLeft()).toBe(48);
    await offer(300);
    expect(await hoursLeft()).toBe(120);
  });
});

test("our team can't decide before both sides have had their time", async () => {
  await report();
  expect(await decide("release")).toEqual({ ok: false, code: "stale" });
  expect(await money()).toEqual(HELD);
});

/** Two actions, four times each at the same time. One of them counts, and the money goes one way or stays held. */
test.each<[string, () => Promise<unknown>, () => Promise<{ ok: boolean }>, () => Promise<{ ok: boolean }>]>([
  ["everything is OK against a report", async () => {}, () => accepted(), () => report()],
  ["accept the part against refund all", async () => (await report(), offer(300)), () => answer("accept"), refundAll],
  ["solved against refund all", () => report(), () => answer("withdraw"), () => refundAll()],
  ["offer against refund all", () => report(), () => offer(300), () => refundAll()],
])("%s, many times at once", async (name, prepare, one, other) => {
  await prepare();
  const results = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? one() : other())));
  // An offer may come first, and the refund of everything still follows it.
  const most = name.startsWith("offer") ? 2 : 1;
  const done = results.filter(({ ok }) => ok).length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThanOrEqual(most);
  const { released, refunded } = await money();
  const held = (await readItem(deal.itemId))?.status;
  expect(released + refunded).toBe(held === "problem_reported" || held === "offered" ? 0 : PRICE);
});

function accepted() {
  return applyDealEvent(at(), { itemId: deal.itemId, event: "accepted", by: deal.buyerId });
}

test("a refund, a timer and decisions at the same time move the money one way", async () => {
  await report();
  await Promise.all([
    advanceDeals(at(49)),
    refundProblem(at(49), { itemId: deal.itemId, sellerId: deal.sellerId }),
    ...Array.from({ length: 6 }, () => decide("release")),
  ]);
  const status = (await readItem(deal.itemId))?.status;
  expect(["in_review", "refunded", "completed"]).toContain(status);
  const { released, refunded } = await money();
  expect([released, refunded]).toEqual(
    status === "in_review" ? [0, 0] : status === "refunded" ? [0, PRICE] : [PRICE, 0],
  );
});

describe("photos of a problem", () => {
  async function send(as: string, seed: string, path = "/api/photos/private"): Promise<ProductImage> {
    const form = new FormData();
    for (const size of variantSizes({ width: 1000, height: 800 }) ?? [])
      form.append("variant", new File([webp(size, seed)], "photo.webp", { type: "image/webp" }));
    const headers = { Origin: ORIGIN, Cookie: await sessionCookie(as) };
    const response = await env.APP.fetch(`${ORIGIN}${path}`, { method: "POST", body: form, headers });
    const sent = await response.json<{ data?: ProductImage }>();
    if (!sent.data) throw new Error(`refused: ${response.status}`);
    return sent.data;
  }

  async function see(image: ProductImage, as: string | null) {
    const headers = new Headers(as ? { Cookie: await sessionCookie(as) } : undefined);
    const response = await env.APP.fetch(`${ORIGIN}/files/${image.key}/${image.widths[0]}.webp`, { headers });
    await response.arrayBuffer();
    return response;
  }

  test("are seen by their uploader, and once reported by the seller and admins, and by nobody else", async () => {
    const image = await send(deal.buyerId, "private");
    expect(image.key).toMatch(/^private\/[0-9a-f]{32}$/);
    const statuses = async () =>
      Promise.all(
        [deal.buyerId, deal.sellerId, admin.id, await makeUser(), null].map(
          async (as) => (await see(image, as)).status,
        ),
      );
    expect(await statuses()).toEqual([200, 404, 404, 404, 404]);
    expect(await report(at(), [image.key])).toMatchObject({ ok: true });
    expect(await statuses()).toEqual([200, 200, 200, 404, 404]);
    const shown = await see(image, deal.sellerId);
    expect(shown.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await (await env.APP.fetch(`${ORIGIN}/files/${image.key}/1.webp`)).text()).toBe("Not found");
  });

  test("each is seen by the people of its own problem alone, whoever else may see another, and by none once it is removed", async () => {
    const other = await deliveredDeal(PRICE, deal.buyerId);
    const stranger = await makeUser();
    const [here, there, unused] = [
      await send(deal.buyerId, "here"),
      await send(deal.buyerId, "there"),
      await send(deal.buyerId, "unused"),
    ];
    const own = await send(stranger, "own");
    await report(at(), [here.key]);
    const { itemId, buyerId } = other;
    expect(await reportProblem(at(), { itemId, buyerId, ...REPORT, photoKeys: [there.key] })).toMatchObject({
      ok: true,
    });
    // A key that is somebody else's shows nothing, however it got here.
    await db
      .update(problems)
      .set({ photos: [there.key, own.key] })
      .where(eq(problems.orderItemId, itemId));
    const people = [deal.buyerId, deal.sellerId, other.sellerId, admin.id, stranger];
    const statuses = (image: ProductImage) =>
      Promise.all(people.map(async (as) => (await see(image, as)).status === 200));
    expect(await statuses(here)).toEqual([true, true, false, true, false]);
    expect(await statuses(there)).toEqual([true, false, true, true, false]);
    expect(await statuses(unused)).toEqual([true, false, false, false, false]);
    expect(await statuses(own)).toEqual([false, false, false, false, true]);
    await db.update(uploads).set({ removingAt: Date.now() }).where(eq(uploads.key, here.key));
    expect(await statuses(here)).toEqual([false, false, false, false, false]);
  });

  test("must be the buyer's own private ones", async () => {
    const others = await send(deal.sellerId, "someone else's");
    const open = await send(deal.buyerId, "public", "/api/photos");
    for (const { key } of [others, open]) expect(await report(at(), [key])).toEqual({ ok: false, code: "photos" });
    expect(await findPhotos(db, deal.buyerId, [(await send(deal.buyerId, "x")).key])).toBeNull();
    expect(await problemOf()).toBeUndefined();
  });

  test("are swept when nothing uses them, and kept when a problem does", async () => {
    const [used, unused] = [await send(deal.buyerId, "used"), await send(deal.buyerId, "unused")];
    await report(at(), [used.key]);
    const later = servicesAt(25 * HOUR);
    await sweepDocuments(later);
    // Even a photo that was detached by mistake, or by the deletion of an account, is kept.
    await db.update(uploads).set({ attachedAt: null }).where(eq(uploads.key, used.key));
    await sweepUnusedPhotos(later);
    expect((await see(used, deal.sellerId)).status).toBe(200);
    expect((await see(unused, deal.buyerId)).status).toBe(404);
    expect(await env.DOCUMENTS.head(`${unused.key}/${unused.widths[0]}.webp`)).toBeNull();
    expect(await env.DOCUMENTS.head(`${used.key}/${used.widths[0]}.webp`)).not.toBeNull();
  });
});
