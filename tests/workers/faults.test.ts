/**
 * While a part of the app is down or slow, pages say so calmly, nothing is lost, and nobody has to repair anything
 * afterwards.
 */
import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { gt } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { giveUpLease, takeLease } from "#app/db/leases.ts";
import { leases } from "#app/db/tables.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { VERSION } from "#app/platform/version.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  booksOff,
  db,
  makeDeal,
  makeUser,
  readAttempts,
  readOrder,
  runSandbox,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { http } from "#tests/support/worker.ts";
import type { Env } from "#workers/env.ts";
import { runSchedule } from "#workers/jobs/schedule.ts";

/** The binding, with every call failing. */
function broken<Binding extends object>(binding: Binding): Binding {
  return new Proxy(binding, {
    get: () => () => {
      throw new Error("D1_ERROR: the network is gone (secret detail)");
    },
  });
}

const DOWN: Record<string, Partial<Env>> = {
  database: { DB: broken(env.DB) },
  sessions: { SESSIONS: broken(env.SESSIONS) },
  pictures: { MEDIA: broken(env.MEDIA) },
  documents: { DOCUMENTS: broken(env.DOCUMENTS) },
};

/** The health of a worker of its own, because a worker repeats its answer for a while. */
async function health(bindings: Partial<Env> = {}) {
  const answer = await visit("/api/health", { bindings });
  return { status: answer.status, ...(await answer.json<{ ok: boolean; why: string[] }>()) };
}

test("the health check is well when all is, and names the part that is not", async () => {
  await runSchedule(servicesAt());
  expect(await health()).toEqual({
    status: 200,
    ok: true,
    version: VERSION,
    parts: { database: true, sessions: true, pictures: true, documents: true, live: true },
    why: [],
  });
  for (const [part, bindings] of Object.entries(DOWN)) {
    const answer = await visit("/api/health", { bindings });
    expect([part, answer.status]).toEqual([part, 503]);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ ok: false, parts: { [part]: false } });
    expect(text).not.toContain("secret");
  }
});

test("the health check is 503 where the job is silent, or M-Pesa's settings can't work, and says why", async () => {
  await db.delete(leases);
  expect(await health({})).toMatchObject({ status: 503, ok: false, why: ["The scheduled job has stopped"] });
  await runSchedule(servicesAt(-4 * 60_000));
  expect(await health({})).toMatchObject({ status: 200, why: [] });
  await runSchedule(servicesAt(-6 * 60_000));
  expect(await health({})).toMatchObject({ status: 503, why: ["The scheduled job has stopped"] });
  await runSchedule(servicesAt());
  expect(await health({ DARAJA_MODE: "production" })).toMatchObject({ status: 503, why: ["M-Pesa is not configured"] });
});

test("a run that outlasted its lease leaves the next run's lease alone", async () => {
  const [first, later] = [servicesAt(), servicesAt(60_000)];
  const until = await takeLease(first, "long_run", 55_000);
  const next = await takeLease(later, "long_run", 55_000);
  await giveUpLease(first, "long_run", until!);
  expect(await takeLease(later, "long_run", 55_000)).toBeNull();
  await giveUpLease(later, "long_run", next!);
  expect(await takeLease(later, "long_run", 55_000)).not.toBeNull();
});

test("asked again and again, the health check looks once in five seconds", async () => {
  let looks = 0;
  const counting = new Proxy(env.SESSIONS, {
    get(target, name) {
      if (name === "get") looks += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  const house = { ...env, SESSIONS: counting };
  const ask = async (daysAhead = "0") => {
    const context = createExecutionContext();
    const answer = await http.fetch(
      new Request(`${ORIGIN}/api/health`, { headers: { "X-Days-Ahead": daysAhead } }),
      house,
      context,
    );
    await waitOnExecutionContext(context);
    return answer.status;
  };
  for (let n = 0; n < 10; n += 1) expect(await ask()).toBe(200);
  expect(looks).toBe(1);
  await ask("1");
  expect(looks).toBe(2);
});

test.each(["database", "sessions"])(
  "without the %s a page says calmly that something went wrong, tells nothing more, and is back with it",
  async (part) => {
    const user = await makeUser();
    for (const path of ["/home", "/cart", "/api/messages/unread"]) {
      const failed = await visit(path, { as: user, bindings: DOWN[part] });
      const text = await failed.text();
      expect([path, failed.status]).toEqual([path, 500]);
      expect(text).toMatch(/Something went wrong|Server error\. Please try again later\./);
      expect(text).not.toMatch(/secret|D1_ERROR|\bat \w+ \(/);
      expect((await visit(path, { as: user })).status).toBe(200);
    }
  },
);

test("no line of the log has what somebody typed, whichever statement fails", async () => {
  const lines: string[] = [];
  const spies = (["log", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(String(line))),
  );
  /** The database, from its `nth` call on with a fault that no repeat mends. */
  const failing = (nth: number) => {
    let calls = 0;
    const DB = databaseThrough(env.DB, (work) => {
      calls += 1;
      return calls > nth ? Promise.reject(new Error("D1_ERROR: no such table")) : work();
    });
    return { DB };
  };
  const email = "typed.by.amina@mail.test";
  const as = await makeUser();
  await Promise.all(
    [0, 1, 2, 3].flatMap((nth) => [
      visit("/auth", { form: { email, password: "typed-password" }, bindings: failing(nth) }),
      visit("/auth/forgot", { form: { email }, bindings: failing(nth) }),
      visit("/admin/money/explain?q=typed-receipt", { as, bindings: failing(nth) }),
    ]),
  );
  for (const spy of spies) spy.mockRestore();
  expect(lines.filter((line) => line.includes("Failed query")).length).toBeGreaterThan(2);
  expect(lines.filter((line) => /typed|params/.test(line))).toEqual([]);
});

test("who has no session reads no session: the way in stays open while they are down", async () => {
  expect((await visit("/auth", { bindings: DOWN.sessions })).status).toBe(200);
});

test("without the buckets pages still come, and a picture is an error of its own", async () => {
  const user = await makeUser();
  expect(
    (await visit("/studentmarketplace", { as: user, bindings: { ...DOWN.pictures, ...DOWN.documents } })).status,
  ).toBe(200);
  const picture = await visit("/files/img/0123456789abcdef/480.webp", { bindings: DOWN.pictures });
  expect(picture.status).toBe(500);
  expect(await picture.text()).not.toContain("secret");
});

test.each([
  // The private bucket keeps what the database does not take.
  { down: DOWN.database, status: 200 },
  // Asking finds out.
  { down: { ...DOWN.database, ...DOWN.documents }, status: 503 },
])("a payment whose callback met a database that was down is found all the same: $status", async ({ down, status }) => {
  const deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("05") });
  const [attempt] = await readAttempts(deal.orderId);
  const lost = await visit(`/hooks/pay/s/${attempt?.callbackToken}`, {
    body: "{}",
    headers: { "Content-Type": "application/json" },
    bindings: down,
  });
  expect(lost.status).toBe(status);
  await runSandbox();
  await advancePayments(servicesAt(90_000));
  await eventually(async () => expect((await readOrder(deal.orderId)).paymentStatus).toBe("completed"));
  expect(await booksOff()).toEqual({});
});

test("a scheduled job that fails keeps none from running, and the run counts as failed", async () => {
  await db.delete(leases);
  const services = servicesAt();
  const failing = {
    ...services,
    drainOutbox() {
      throw new Error("the queue is gone");
    },
  };
  await expect(runSchedule(failing)).rejects.toThrow(AggregateError);
  // The sweep comes last.
  const held = await db.select().from(leases).where(gt(leases.until, Date.now()));
  expect(held.map(({ name }) => name)).toContain("sweep");
  expect(held.map(({ name }) => name)).not.toContain("schedule");
});
