/**
 * The database goes away at each of its calls, from the prompt to the payout or the refund, for 5, 30 and 90 s: it
 * refuses, or does its work and loses the answer, or the worker is stopped as well. M-Pesa takes and sends the money
 * once, the books balance, and nobody waits longer than minutes. Time is played: a pause moves the clock.
 */
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { write } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { isAway, JOB_PATIENCE, PAGE_PATIENCE } from "#app/db/patience.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { booksBalance, readBooks } from "#app/payments/books/ledger.server.ts";
import type { CallbackKind } from "#app/payments/answers/callbacks.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import { gatewayTo } from "#tests/support/daraja-gateway.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { Chance } from "#tests/support/simulation/chance.ts";
import { NO_FAULTS, SeededFaults } from "#tests/support/simulation/faults.ts";
import { readCallbackUrl, responseOf } from "#tests/support/simulation/invocation.ts";
import { inObject } from "#tests/support/simulation/object-database.ts";
import { Stage } from "#tests/support/simulation/stage.ts";
import { hasMoved, StagedMPesa } from "#tests/support/simulation/staged-m-pesa.ts";
import { createTokenHolder } from "#workers/daraja/token-holder.ts";
import { runDealsJob, runPaymentsJob } from "#workers/jobs/payments.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 10, 21, 20, 30);
const AMOUNT = 1_900;
/** Until then all must be done. Our own look-ups and queries of a lost answer take a few minutes. */
const LATEST_MINUTE = 20;

/** What happens to the money in the end. */
const ENDINGS = ["paid out", "paid out after a look-up", "refunded", "shared"] as const;
type Ending = (typeof ENDINGS)[number];
const KINDS = ["refused", "lost", "stopped before", "stopped after"] as const;
const LENGTHS = [5, 30, 90].map((seconds) => seconds * SECOND);

interface Stall {
  /** The call at which the database goes away; Infinity for never. */
  atCall: number;
  kind: (typeof KINDS)[number];
  lengthMs: number;
}

/** The end of a worker. Everything that it still tries fails. */
class Stopped extends Error {}

/** `paidAtCall`: the number of calls before the payment was seen on the page. */
async function play(
  real: D1Database,
  storage: DurableObjectStorage,
  ending: Ending,
  stall: Stall,
): Promise<{ calls: number; paidAtCall: number; wrong: string[] }> {
  const clean = openDatabase(real);
  const stage = new Stage(START, new Chance(1));
  let calls = 0;
  let awayUntil = 0;
  let isStopped = false;
  const d1 = databaseThrough(real, async (call) => {
    calls += 1;
    if (isStopped) throw new Stopped();
    const isFirst = calls === stall.atCall;
    if (isFirst) awayUntil = stage.now + stall.lengthMs;
    if (stage.now >= awayUntil) return call();
    if (isFirst && (stall.kind === "lost" || stall.kind === "stopped after")) await call();
    if (isFirst && stall.kind.startsWith("stopped")) {
      isStopped = true;
      throw new Stopped();
    }
    throw new Error("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.");
  });
  /** The first answers to payouts are lost, with their results. Only a look-up tells. */
  const losesPayouts = ending === "paid out after a look-up";
  const callbacks: { kind: CallbackKind; token: string; body: string }[] = [];
  const faults = new SeededFaults(stage, NO_FAULTS);
  faults.day = { customers: "0", transfers: "work" };
  faults.end();
  const mPesa = new StagedMPesa(stage, storage, faults, (url, body) => {
    const callback = { ...readCallbackUrl(url), body };
    if (!losesPayouts || callback.kind !== "payout") callbacks.push(callback);
  });
  const exchange = async (url: string, init: RequestInit) => {
    const answer = mPesa.answer(url, init);
    if (losesPayouts && url.includes("b2c")) throw new TypeError("connection reset");
    return responseOf(answer);
  };
  const kept = new Map<string, string>();
  const now = () => stage.now;
  const wait = async (ms: number) => void (stage.now += ms);
  const servicesFor = (repeatForMs: number): DealServices => ({
    db: openDatabase(d1, { now, wait, repeatForMs, tryMs: Infinity }),
    now,
    log() {},
    pause: wait,
    notifier: { send: async () => {}, endSessions: async () => {} },
    deals: { inspectionHours: 48, codeKey: "stalls" },
    payments: { mode: "production", querySpacingMs: 0, pullNumber: "" },
    gateway: gatewayTo({ fetch: exchange, tokens: createTokenHolder(d1, { now, wait }), now, wait }),
    documents: bucketOf(kept),
  });
  const page = servicesFor(PAGE_PATIENCE.repeatForMs);
  const job = servicesFor(JOB_PATIENCE.repeatForMs);
  /** One invocation: it may fail because the database is away, or because it is stopped. */
  async function invoke(work: () => Promise<unknown>): Promise<void> {
    isStopped = false;
    try {
      await work();
    } catch (error) {
      if (!isStopped && !isAway(error)) throw error;
    }
    isStopped = false;
  }
  const read = async <Row>(query: ReturnType<typeof sql>) => (await clean.all<Row>(query))[0];

  const [buyer, seller, admin, productId] = Array.from({ length: 4 }, () => crypto.randomUUID()) as [
    string,
    string,
    string,
    string,
  ];
  await write(clean, [
    ...[buyer, seller, admin].flatMap((id, n) => [
      sql`INSERT INTO credentials (id, email, session_epoch, created_at, updated_at)
        VALUES (${id}, ${`${id}@campus.test`}, 1, ${START}, ${START})`,
      sql`INSERT INTO profiles (id, email, full_name, search_name, phone, created_at, updated_at)
        VALUES (${id}, ${`${id}@campus.test`}, 'Wanjiku', 'wanjiku', ${`25472200002${n}`}, ${START}, ${START})`,
    ]),
    sql`INSERT INTO products (id, name, description, price, condition, stock, location, seller_id, status, created_at,
      updated_at)
      VALUES (${productId}, 'Casio', '-', ${AMOUNT}, 'good', 1, 'Main', ${seller}, 'active', ${START}, ${START})`,
  ]);
  const placed = await placeOrder(
    { db: clean, now },
    { userId: buyer, idempotencyKey: "key", expectedAmount: AMOUNT, from: { productId, quantity: 1, revision: 0 } },
  );
  if (!placed.ok) throw new Error(placed.code);
  const { orderId } = placed;
  const itemId = (await read<{ id: string }>(sql`SELECT id FROM order_items WHERE order_id = ${orderId}`))?.id ?? "";

  /** What the buyer was told at the last press; null while they have no word, because the worker was stopped. */
  let told: { ok: boolean; code?: string } | null = null;
  let paidAtCall = 0;
  let isDone = false;
  while (!isDone && stage.now < START + LATEST_MINUTE * MINUTE) {
    const order = await read<{ status: string; payment: string }>(
      sql`SELECT order_status AS status, payment_status AS payment FROM orders WHERE id = ${orderId}`,
    );
    // The page shows when it may be paid. Who was told that nothing was sent presses again.
    if (order?.payment === "pending" || order?.payment === "failed")
      await invoke(async () => {
        told = null;
        told = await requestOrderPayment(page, { orderId, userId: buyer, phone: "254722000020" });
      });
    await hear();
    if (order?.payment === "completed") {
      paidAtCall ||= calls;
      await invoke(() => end(page));
    }
    await invoke(() => runDealsJob(job));
    await invoke(() => runPaymentsJob(job));
    await hear();
    isDone = await isOver();
  }

  /** A minute passes, in which M-Pesa calls back. */
  async function hear(): Promise<void> {
    await stage.play(stage.now + MINUTE);
    for (const callback of callbacks.splice(0)) await invoke(() => receiveCallback(page, callback));
  }

  /** What buyer, seller or our team do with the item. Repeated until it is done. */
  async function end(services: DealServices): Promise<void> {
    if (ending === "refunded") {
      await applyDealEvent(services, { itemId, event: "cancelled_by_buyer", by: buyer });
      return;
    }
    await clean.run(
      sql`UPDATE order_items SET status = ${ending === "shared" ? "in_review" : "shipped"}
        WHERE id = ${itemId} AND status = 'processing'`,
    );
    if (ending === "shared")
      await applyDealEvent(services, { itemId, event: "team_split", by: admin, refundAmount: 400 });
    else await applyDealEvent(services, { itemId, event: "accepted", by: buyer });
  }

  async function isOver(): Promise<boolean> {
    const row = await read<{ open: number }>(sql`SELECT
      (SELECT COUNT(*) FROM payouts WHERE state <> 'done') + (SELECT COUNT(*) FROM refunds WHERE state <> 'done')
      + (SELECT COUNT(*) FROM payment_callbacks WHERE applied_at IS NULL)
      + (SELECT COUNT(*) FROM payment_attempts WHERE state IN ('created', 'pushed', 'unknown'))
      + (SELECT COUNT(*) FROM payment_attempts WHERE state = 'succeeded' AND confirmed_at IS NULL)
      + (SELECT COUNT(*) FROM order_items WHERE status NOT IN ('completed', 'cancelled', 'refunded')) AS open`);
    return row?.open === 0 && kept.size === 0;
  }

  const wrong: string[] = [];
  const must = (holds: boolean, otherwise: string) => {
    if (!holds) wrong.push(otherwise);
  };
  const { results: discrepancies } = await real
    .prepare("SELECT kind, subject, detail FROM discrepancies WHERE resolved_at IS NULL")
    .all<{ kind: string; detail: string }>();
  // A worker that was stopped after claiming a payout may have sent it. M-Pesa knows of none, so a person looks.
  const byPerson =
    stall.kind.startsWith("stopped") && discrepancies.some(({ kind }) => /^(payout|refund)_parked$/.test(kind));
  must(isDone || byPerson, `not over after ${LATEST_MINUTE} minutes; told ${JSON.stringify(told)}`);
  must(byPerson || discrepancies.length === 0, `a person was told: ${JSON.stringify(discrepancies)}`);
  const sum = (list: readonly { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
  const { prompts, payouts, reversals } = mPesa.records();
  const paid = prompts.filter(hasMoved);
  const back = paid.filter(({ receipt }) =>
    reversals.some((reversal) => reversal.original_receipt === receipt && hasMoved(reversal)),
  );
  const sentTo = (phone: string) => sum([...payouts.filter(hasMoved), ...back].filter((sent) => sent.phone === phone));
  must(sum(paid) === AMOUNT, `M-Pesa took ${sum(paid)}`);
  const toBuyer = { "paid out": 0, "paid out after a look-up": 0, refunded: AMOUNT, shared: 400 }[ending];
  if (!byPerson) {
    must(sentTo("254722000020") === toBuyer, `the buyer got ${sentTo("254722000020")}`);
    must(sentTo("254722000021") === AMOUNT - toBuyer, `the seller got ${sentTo("254722000021")}`);
  }
  const books = await readBooks(clean);
  must(booksBalance(books), `the books are off: ${JSON.stringify(books)}`);
  must(kept.size === 0, "something is still kept");
  return { calls, paidAtCall, wrong };
}

test.each(ENDINGS)("a database that is away at any call loses nothing: %s", { timeout: 300_000 }, async (ending) => {
  const wrong = await inObject(async (inNewDatabase) => {
    const never: Stall = { atCall: Infinity, kind: "refused", lengthMs: 0 };
    const clean = await inNewDatabase((d1, storage) => play(d1, storage, ending, never));
    expect(clean.wrong).toEqual([]);
    const found: string[] = [];
    // All endings begin with the same prompt.
    const from = ending === "paid out" ? 1 : clean.paidAtCall;
    for (let atCall = from; atCall <= clean.calls; atCall += 1) {
      const turn = atCall + ENDINGS.indexOf(ending);
      // Each call before the payment meets a fault that the worker outlives and one that it doesn't. The endings share
      // most calls after it, so that each of these meets one in each ending, of another kind and length.
      const outlived = turn % 2;
      const ended = 2 + ((turn >> 1) % 2);
      for (const n of atCall <= clean.paidAtCall ? [outlived, ended] : [turn % 4]) {
        const kind = KINDS[n] ?? "refused";
        const lengthMs = LENGTHS[(turn + n) % LENGTHS.length] ?? 0;
        const { wrong: faults } = await inNewDatabase((d1, storage) =>
          play(d1, storage, ending, { atCall, kind, lengthMs }),
        );
        found.push(...faults.map((fault) => `call ${atCall}, ${kind}, ${lengthMs / SECOND} s: ${fault}`));
      }
    }
    return found;
  });
  expect(wrong).toEqual([]);
});

function bucketOf(objects: Map<string, string>): R2Bucket {
  return {
    put: async (key: string, text: string) => void objects.set(key, text),
    delete: async (key: string) => void objects.delete(key),
    get: async (key: string) => (objects.has(key) ? { text: async () => objects.get(key) } : null),
    list: async ({ prefix }: { prefix: string }) => ({
      objects: [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
    }),
  } as unknown as R2Bucket; // nothing else is asked of it
}
