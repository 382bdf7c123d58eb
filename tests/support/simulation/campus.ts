/** A small campus for the simulation: buyers who pay, sellers who deliver and pay for plans, the job, and an admin. */
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { runBatch } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { sql } from "drizzle-orm";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { applyCallback, type CallbackKind, storeCallback } from "#app/payments/callbacks.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { startPayout } from "#app/payments/payment-api.server.ts";
import { retryPayout } from "#app/payments/payouts.server.ts";
import { requestOrderPayment, requestPlanPayment } from "#app/payments/request-payment.server.ts";
import { createDarajaGateway } from "#workers/daraja/client.ts";
import { createTokenHolder } from "#workers/daraja/token-holder.ts";
import { deleteAccount } from "#app/accounts/delete-account.server.ts";
import { retryParkedPayout } from "#app/admin/money-moves.server.ts";
import { restoreUser, suspendUser } from "#app/admin/suspensions.server.ts";
import { blockUser } from "#app/messaging/safety.server.ts";
import { abandonPayment } from "#app/payments/abandon-payment.server.ts";
import { reconcilePayments } from "#app/payments/reconciliation.server.ts";
import { PLAN_IDS, PLAN_REMINDER_MS } from "#app/shops/plan-rules.ts";
import { advancePlans } from "#app/shops/subscriptions.server.ts";
import { Chance } from "./chance.ts";
import { MPesa, type Weather, weatherOf } from "./m-pesa.ts";
import { Stage, type Worker } from "./stage.ts";
import { stepwiseDatabase } from "./stepwise-database.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 20, 30);
/** Until here people trade and things go wrong. Afterwards everything works, and time runs out. */
const TRADING_MS = 30 * MINUTE;
const END_MS = 4 * 24 * HOUR;
/** The most runs of the job after the trading. */
const LATE_RUNS = 70;

/** The starting state, and what follows from it. */
const KEPT_TABLES = /^(sqlite_|_cf_|d1_migrations|products_(name_)?fts|product_search|campus_locations$|categories$)/;

const SEGMENTS: Record<string, CallbackKind> = {
  s: "push",
  o: "payout",
  q: "payout_timeout",
  l: "lookup",
  t: "lookup_timeout",
};

/** Amounts: some too small to pay out, ordinary ones, and the most that M-Pesa takes. */
const PRICES = [5, 10, 250, 1_900, 4_300, 250_000];

interface Person {
  id: string;
  phone: string | null;
}

/** The range of how many people and orders there are. */
interface Size {
  sellers: readonly [number, number];
  buyers: readonly [number, number];
  orders: readonly [number, number];
}
/** With few people, conflicts are most frequent. */
const FEW: Size = { sellers: [1, 2], buyers: [1, 2], orders: [1, 3] };
const CROWD: Size = { sellers: [3, 5], buyers: [4, 8], orders: [8, 14] };

export interface Campus {
  stage: Stage;
  size: Size;
  weather: Weather;
  mPesa: MPesa;
  sellers: Person[];
  buyers: Person[];
  /** The admin's id. */
  admin: string;
  /** The ids of people who cannot log in now: their account is deleted or suspended. */
  away: Set<string>;
}

/** Plays one seed from its first order to the end. */
export async function playCampus(seed: number): Promise<Campus> {
  const chance = new Chance(seed);
  const spies = [
    vi.spyOn(crypto, "randomUUID").mockImplementation(() => chance.uuid()),
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
      if (array instanceof Uint8Array) chance.bytes(array);
      return array;
    }),
    // Real time doesn't pass for the workers, so no time limit of a request is reached.
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal),
  ];
  try {
    await clearHouse();
    const stage = new Stage(START, chance);
    const weather = weatherOf(chance);
    const size = chance.happens(0.02) ? CROWD : FEW;
    const campus: Campus = {
      stage,
      size,
      weather,
      mPesa: new MPesa(stage, weather, (url, body) => receive(campus, url, body)),
      sellers: people(chance, chance.between(...size.sellers), "0110"),
      buyers: people(chance, chance.between(...size.buyers), "0722"),
      admin: chance.uuid(),
      away: new Set(),
    };
    const bad = Object.entries(weather).flatMap(([kind, share]) =>
      share ? [`${kind} ${typeof share === "number" ? Number(share.toFixed(2)) : ""}`.trim()] : [],
    );
    if (size === CROWD) bad.push("a crowd");
    stage.note(`weather: ${bad.join(", ") || "fair"}`);
    await settleIn(campus);
    await trade(campus);
    await letPlansEnd(campus);
    return campus;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

interface SchemaRow {
  type: string;
  name: string;
  sql: string;
}
let knownSchema: Promise<D1Result<SchemaRow>> | undefined;

/** Empties the database. The triggers that forbid it are restored at once. */
async function clearHouse(): Promise<void> {
  knownSchema ??= env.DB.prepare(
    "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'trigger')",
  ).all<SchemaRow>();
  const { results: schema } = await knownSchema;
  const tables = schema.filter(({ type, name }) => type === "table" && !KEPT_TABLES.test(name));
  const guards = schema.filter(({ type, name }) => type === "trigger" && name.endsWith("_no_delete"));
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = on"),
    ...guards.map(({ name }) => env.DB.prepare(`DROP TRIGGER ${name}`)),
    ...tables.map(({ name }) => env.DB.prepare(`DELETE FROM ${name}`)),
    ...guards.map(({ sql: guard }) => env.DB.prepare(guard)),
  ]);
}

function people(chance: Chance, count: number, prefix: string): Person[] {
  return Array.from({ length: count }, (_, n) => ({ id: chance.uuid(), phone: `254${prefix.slice(1)}0000${20 + n}` }));
}

/** People and listings. Some sellers have no phone. */
async function settleIn({ stage, sellers, buyers, admin }: Campus): Promise<void> {
  const { chance } = stage;
  if (chance.happens(0.15)) sellers[0]!.phone = null;
  const statements = [...sellers, ...buyers, { id: admin, phone: null }].flatMap(({ id, phone }) => [
    sql`INSERT INTO credentials (id, email, session_epoch, created_at, updated_at) VALUES (${id}, ${`${id}@campus.test`}, 1, ${START}, ${START})`,
    sql`INSERT INTO profiles (id, email, full_name, phone, created_at, updated_at) VALUES (${id}, ${`${id}@campus.test`}, 'Wanjiku', ${phone}, ${START}, ${START})`,
  ]);
  await runBatch(openDatabase(env.DB), [...statements, sql`UPDATE profiles SET is_admin = 1 WHERE id = ${admin}`]);
}

/** The services of one worker: the real ones, except that every access to the outside is a step. */
function servicesOf({ stage, mPesa, weather }: Campus, worker: Worker): DealServices {
  const d1 = stepwiseDatabase(env.DB, worker);
  const now = () => stage.now;
  const wait = (ms: number) => worker.pause(ms);
  const log = () => {};
  const exchange = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await worker.step(async () => mPesa.answer(url, init));
    const takes = stage.chance.happens(0.3) ? stage.chance.between(0, 25 * SECOND) : 400;
    await worker.pause(takes);
    // What the client reads of an answer.
    return { status: answer.status, text: async () => answer.text } as Response;
  };
  return {
    db: openDatabase(d1),
    now,
    log,
    pause: wait,
    notifier: { notify: async () => {}, endSessions: async () => {} },
    deals: { inspectionHours: 0, codeKey: "simulation" },
    payments: { mode: "production", querySpacingMs: weather.spikeArrest ? 12 * SECOND : 0 },
    gateway: createDarajaGateway(
      {
        mode: "production",
        baseUrl: "https://daraja.test",
        shortcode: env.DARAJA_SHORTCODE,
        kind: "paybill",
        till: "",
        payoutShortcode: env.DARAJA_PAYOUT_SHORTCODE,
        initiator: env.DARAJA_INITIATOR,
        consumerKey: env.DARAJA_CONSUMER_KEY,
        consumerSecret: env.DARAJA_CONSUMER_SECRET,
        passkey: env.DARAJA_PASSKEY,
        securityCredential: env.DARAJA_SECURITY_CREDENTIAL,
        callbackOrigin: "https://chuoni.test",
      },
      { fetch: exchange, tokens: createTokenHolder(d1, { now, wait }), now, log, wait },
    ),
  };
}

/** One invocation of the app. With faults on, it may be stopped anywhere. */
function invoke(campus: Campus, name: string, work: (services: DealServices) => Promise<unknown>): void {
  const risk = campus.stage.now - START < TRADING_MS ? campus.weather.stops : 0;
  campus.stage.start(name, (worker) => work(servicesOf(campus, worker)), risk);
}

/** Like the hooks: stores and answers, and applies afterwards, perhaps in another invocation. */
function receive(campus: Campus, url: string, body: string): void {
  const [, , , segment = "", token = ""] = new URL(url).pathname.split("/");
  const kind = SEGMENTS[segment];
  if (!kind) throw new Error(`M-PESA calls ${url}`);
  campus.stage.note(`callback ${kind} ${token.slice(0, 6)}`);
  invoke(campus, `callback ${token.slice(0, 6)}`, async (services) => {
    const id = await storeCallback(services, { kind, token, body, sourceAddress: null, requestId: "simulation" });
    await applyCallback(services, id);
  });
}

/** People trade, then things calm down, then the job alone finishes what is open. */
async function trade(campus: Campus): Promise<void> {
  const { stage, size, mPesa } = campus;
  const orders = stage.chance.between(...size.orders);
  for (let n = 0; n < orders; n += 1)
    stage.later(stage.chance.between(0, 180) * SECOND, () =>
      stage.chance.happens(0.3) ? orderCart(campus, n) : void order(campus, n),
    );
  const plans = stage.chance.happens(0.4) ? stage.chance.between(1, 2) : 0;
  for (let n = 0; n < plans; n += 1) stage.later(stage.chance.between(0, 180) * SECOND, () => subscribe(campus));
  const changes = stage.chance.happens(0.5) ? stage.chance.between(1, 3) : 0;
  for (let n = 0; n < changes; n += 1) stage.later(stage.chance.between(0, 1_500) * SECOND, () => changePeople(campus));
  for (const minute of [1, 2, 3, 5, 6, 8, 11, 13, 16, 19, 22, 26]) stage.later(minute * MINUTE, () => runJob(campus));
  for (const minute of [4, 10, 17]) stage.later(minute * MINUTE, () => deliverAll(campus));
  await stage.play(START + TRADING_MS);
  mPesa.calmDown();
  for (const seller of campus.sellers) {
    if (seller.phone) continue;
    seller.phone = "254110000029";
    await env.DB.prepare("UPDATE profiles SET phone = ? WHERE id = ?").bind(seller.phone, seller.id).run();
  }
  if (stage.chance.happens(0.7)) stage.later(MINUTE, () => retryParked(campus));
  await runOut(campus);
}

async function runOut(campus: Campus): Promise<void> {
  const { stage } = campus;
  deliverAll(campus);
  for (let run = 0; run < LATE_RUNS && stage.now < START + END_MS; run += 1) {
    runJob(campus);
    const step = run * run * 3 * SECOND;
    await stage.play(stage.now + MINUTE);
    const next = Math.min(stage.nextAt() ?? Number.POSITIVE_INFINITY, await nextDue(stage.now));
    await stage.play(Math.min(Math.max(next, stage.now + step), START + END_MS));
    if (run % 8 === 3) deliverAll(campus);
  }
  deliverAll(campus);
  for (let last = 0; last < 3; last += 1) {
    await stage.play(stage.now + MINUTE);
    runJob(campus);
  }
  await stage.play(stage.now + MINUTE);
  invoke(campus, "deals", advanceDeals);
  await stage.play(stage.now + MINUTE);
}

/**
 * Long after the trading, every plan is reminded of and ends, by jobs that may be stopped or run twice, and finally by
 * one that isn't.
 */
async function letPlansEnd(campus: Campus): Promise<void> {
  const { stage } = campus;
  const { results } = await env.DB.prepare(
    "SELECT DISTINCT ends_at AS at FROM subscriptions WHERE ends_at IS NOT NULL ORDER BY at",
  ).all<{ at: number }>();
  for (const { at } of results) {
    for (const time of [at - PLAN_REMINDER_MS, at]) {
      await stage.play(Math.max(stage.now, time + stage.chance.between(0, 60) * SECOND));
      const presses = stage.chance.between(1, 2);
      for (let n = 1; n <= presses; n += 1)
        stage.start(`plans ${n}`, (worker) => advancePlans(servicesOf(campus, worker)), 0.4);
      await stage.play(stage.now + MINUTE);
    }
  }
  if (results.length === 0) return;
  invoke(campus, "plans", advancePlans);
  await stage.play(stage.now + MINUTE);
}

/** When the job next has something to do, in ms. */
async function nextDue(now: number): Promise<number> {
  const row = await env.DB.prepare(
    `SELECT MIN(at) AS at FROM (
      SELECT MIN(next_query_at) AS at FROM payment_attempts
      UNION ALL SELECT MIN(next_action_at) FROM payouts
      UNION ALL SELECT MIN(created_at) + 300000 FROM payment_attempts WHERE state IN ('created', 'pushed', 'unknown')
      UNION ALL SELECT MIN(created_at) + 86400000 FROM orders WHERE order_status = 'pending_payment' AND payment_status <> 'processing'
    ) WHERE at IS NOT NULL`,
  ).first<{ at: number | null }>();
  return Math.max(now, row?.at ?? Number.POSITIVE_INFINITY);
}

/** The job. Sometimes two at once, as cron may run them. */
function runJob(campus: Campus): void {
  const runs = campus.stage.chance.happens(0.15) ? 2 : 1;
  for (let n = 1; n <= runs; n += 1) invoke(campus, `job ${n}`, reconcilePayments);
}

// ---------------------------------------------------------------- customers

async function order(campus: Campus, n: number): Promise<void> {
  const { stage } = campus;
  const { chance } = stage;
  const buyer = chance.pick(campus.buyers);
  const seller = chance.pick(campus.sellers);
  const price = chance.pick(PRICES);
  const productId = chance.uuid();
  // A used thing exists once.
  const isUsed = chance.happens(0.4);
  // Sometimes the same products are ordered once more: by the same buyer in other quantities, while the old tab stays
  // open and pays, or by somebody else.
  const again = chance.happens(0.4) ? chance.between(1, 2) : 0;
  for (let more = 1; more <= again; more += 1) {
    const who = chance.happens(0.5) ? buyer : chance.pick(campus.buyers);
    stage.later(chance.between(0, 600) * SECOND, () =>
      buy(campus, {
        key: `order-${n}-${more}`,
        buyer: who,
        productId,
        price,
        quantity: isUsed || price >= 5_000 ? 1 : more + 2,
      }),
    );
  }
  const quantity = !isUsed && price < 5_000 && chance.happens(0.2) ? 2 : 1;
  invoke(campus, `listing ${n}`, async (services) => {
    if (campus.away.has(seller.id)) return;
    await services.db.run(
      sql`INSERT INTO products (id, name, description, price, condition, location, seller_id, status, created_at, updated_at)
        SELECT ${productId}, 'Casio', '-', ${price}, ${isUsed ? "good" : "new"}, 'Main', id, 'active', ${services.now()}, ${services.now()}
        FROM credentials WHERE id = ${seller.id} AND suspended_at IS NULL`,
    );
    buy(campus, { key: `order-${n}`, buyer, productId, price, quantity });
  });
}

/** A buyer puts products of several sellers into their cart and orders it, sometimes twice. */
function orderCart(campus: Campus, n: number): void {
  const { chance } = campus.stage;
  const buyer = chance.pick(campus.buyers);
  const lines = Array.from({ length: chance.between(2, 3) }, () => {
    const isUsed = chance.happens(0.4);
    return {
      productId: chance.uuid(),
      price: chance.pick(PRICES.filter((price) => price < 5_000)),
      quantity: isUsed ? 1 : chance.between(1, 2),
      condition: isUsed ? "good" : "new",
      seller: chance.pick(campus.sellers),
    };
  });
  const again = chance.happens(0.3) ? chance.between(1, 600) * SECOND : null;
  invoke(campus, `cart ${n}`, async (services) => {
    const now = services.now();
    await runBatch(
      services.db,
      lines.flatMap(({ productId, price, quantity, condition, seller }) => [
        sql`INSERT INTO products (id, name, description, price, condition, location, seller_id, status, created_at, updated_at)
          SELECT ${productId}, 'Casio', '-', ${price}, ${condition}, 'Main', id, 'active', ${now}, ${now} FROM credentials WHERE id = ${seller.id} AND suspended_at IS NULL`,
        sql`INSERT INTO cart_items (id, user_id, product_id, quantity, price_when_added, created_at, updated_at)
          SELECT ${`cart ${productId}`}, c.id, p.id, ${quantity}, ${price}, ${now}, ${now} FROM credentials c JOIN products p ON p.id = ${productId}
          WHERE c.id = ${buyer.id} AND c.suspended_at IS NULL`,
      ]),
    );
    buyCart(campus, `cart-${n}`, buyer);
  });
  if (again !== null) campus.stage.later(again, () => buyCart(campus, `cart-${n}-again`, buyer));
}

function buyCart(campus: Campus, key: string, buyer: Person): void {
  invoke(campus, key, async (services) => {
    const [cart] = await services.db.all<{ amount: number | null }>(
      sql`SELECT SUM(p.price * c.quantity) AS amount FROM cart_items c JOIN products p ON p.id = c.product_id WHERE c.user_id = ${buyer.id}`,
    );
    if (cart?.amount) await place(campus, services, { key, buyer, amount: cart.amount, from: { cart: true } });
  });
}

/** A buyer orders one product with Buy Now. */
function buy(
  campus: Campus,
  {
    key,
    buyer,
    productId,
    price,
    quantity,
  }: { key: string; buyer: Person; productId: string; price: number; quantity: number },
): void {
  invoke(campus, key, (services) =>
    place(campus, services, { key, buyer, amount: price * quantity, from: { productId, quantity } }),
  );
}

interface Basket {
  key: string;
  buyer: Person;
  amount: number;
  from: Parameters<typeof placeOrder>[1]["from"];
}

/** A buyer orders, and pays for the order that they are led to: the new one, or one that is being paid for already. */
async function place(campus: Campus, services: DealServices, { key, buyer, amount, from }: Basket): Promise<void> {
  const { stage } = campus;
  if (campus.away.has(buyer.id)) return;
  const placed = await placeOrder(services, { userId: buyer.id, idempotencyKey: key, expectedAmount: amount, from });
  // Sold in the meantime, or its seller was stopped before listing it; or it is paid, so the cart has changed.
  if (!placed.ok && (placed.code === "unavailable" || ("cart" in from && placed.code !== "paying"))) return;
  if (!placed.ok && placed.code !== "paying") throw new Error(`order refused: ${placed.code}`);
  stage.note(
    placed.ok ? `order ${placed.orderId.slice(0, 8)} of KES ${amount}` : `led to order ${placed.orderId.slice(0, 8)}`,
  );
  stage.later(stage.chance.between(0, 30) * SECOND, () => pay(campus, orderPurchase(placed.orderId, buyer), 1));
}

/** Which order a buyer pays for, how they request it, and whether they see that it is paid. */
interface Purchase {
  name: string;
  payer: Person;
  ask(services: DealServices, phone: string): Promise<{ ok: boolean; kind?: string; code?: string }>;
  /** Stops waiting for the phone. */
  abandon?(services: DealServices, phone: string): Promise<boolean>;
  isPaid(services: DealServices): Promise<boolean>;
}

function orderPurchase(orderId: string, payer: Person): Purchase {
  return {
    name: orderId.slice(0, 8),
    payer,
    ask: (services, phone) => requestOrderPayment(services, { orderId, userId: payer.id, phone }),
    abandon: (services, phone) => abandonPayment(services, { orderId, userId: payer.id, phone }),
    isPaid: async (services) => {
      const [row] = await services.db.all<{ status: string }>(
        sql`SELECT payment_status AS status FROM orders WHERE id = ${orderId}`,
      );
      return row?.status === "completed";
    },
  };
}

/** A seller pays for a plan. If asked again after it was paid, they pay for another period. */
function subscribe(campus: Campus): void {
  const { chance } = campus.stage;
  const payer = chance.pick(campus.sellers);
  const plan = chance.pick(PLAN_IDS);
  const start = campus.stage.now;
  pay(
    campus,
    {
      name: plan,
      payer,
      ask: (services, phone) => requestPlanPayment(services, { userId: payer.id, plan, phone }),
      isPaid: async (services) => {
        const rows = await services.db.all(
          sql`SELECT id FROM subscriptions WHERE user_id = ${payer.id} AND plan = ${plan} AND starts_at >= ${start}`,
        );
        return rows.length > 0;
      },
    },
    1,
  );
}

/** A buyer presses Pay, sometimes twice, and returns until it is paid or they give up. */
function pay(campus: Campus, purchase: Purchase, tries: number): void {
  const { stage } = campus;
  const { chance } = stage;
  const phone =
    tries > 1 && chance.happens(0.3) ? `25471100000${chance.between(0, 3)}` : (purchase.payer.phone ?? "254722000020");
  const presses = chance.happens(0.2) ? 2 : 1;
  for (let press = 1; press <= presses; press += 1) {
    invoke(campus, `pay ${purchase.name} try ${tries} press ${press}`, async (services) => {
      if (campus.away.has(purchase.payer.id)) return;
      const result = await purchase.ask(services, phone);
      stage.note(`asked to pay ${purchase.name}: ${result.kind ?? result.code}`);
    });
  }
  if (tries >= 4) return;
  if (purchase.abandon && chance.happens(0.15)) {
    stage.later(chance.between(2, 60) * SECOND, () => {
      invoke(campus, `different number ${purchase.name}`, async (services) => {
        if (!(await purchase.abandon?.(services, phone))) return;
        stage.note("a buyer uses a different number");
        pay(campus, purchase, tries + 1);
      });
    });
  }
  const patience = chance.pick([20 * SECOND, 70 * SECOND, 4 * MINUTE, 6 * MINUTE]);
  stage.later(patience, () => {
    invoke(campus, `look ${purchase.name}`, async (services) => {
      // A tab that was left open requests payment again without checking.
      if (!(await purchase.isPaid(services)) || chance.happens(0.05)) pay(campus, purchase, tries + 1);
    });
  });
}

/** Somebody deletes their account, is suspended (and perhaps restored later), or blocks somebody, whatever money is on its way. */
function changePeople(campus: Campus): void {
  const { stage, away } = campus;
  const { chance } = stage;
  const everybody = [...campus.buyers, ...campus.sellers];
  const { id } = chance.pick(everybody);
  const admin = { id: campus.admin, email: "desk@campus.test" };
  const restoredAfter = chance.happens(0.5) ? chance.between(60, 1_200) * SECOND : null;
  const other = chance.pick(everybody).id;
  const change = chance.pick(["deleted", "suspended", "blocked"] as const);
  invoke(campus, `somebody is ${change}`, async (services) => {
    if (away.has(id)) return;
    if (change === "blocked") {
      await blockUser(services, { userId: id, blockedId: other });
      stage.note("somebody blocks somebody");
    } else if (change === "deleted") {
      const deleted = await deleteAccount({ ...services, documents: env.DOCUMENTS }, id);
      stage.note(`an account is deleted: ${deleted.ok ? "done" : deleted.code}`);
      if (deleted.ok) away.add(id);
    } else {
      const suspended = await suspendUser(services, admin, id, "Reported by several buyers");
      stage.note(`an account is suspended: ${suspended.ok}`);
      if (!suspended.ok) return;
      away.add(id);
      if (restoredAfter === null) return;
      stage.later(restoredAfter, () =>
        invoke(campus, "somebody is restored", async (own) => {
          if ((await restoreUser(own, admin, id)).ok) away.delete(id);
          stage.note("an account is restored");
        }),
      );
    }
  });
}

// ------------------------------------------------------------------ sellers

/** Sellers hand over paid items and mark them. Some press twice. */
function deliverAll(campus: Campus): void {
  const { stage } = campus;
  invoke(campus, "deliveries", async (services) => {
    const items = await services.db.all<{ id: string; sellerId: string }>(
      sql`UPDATE order_items SET buyer_contacted = 1, buyer_agreed = 1 WHERE status IN ('processing', 'shipped') RETURNING id, seller_id AS sellerId`,
    );
    // Item ids are made by the database and differ between replays.
    for (const { id: itemId, sellerId } of items) {
      if (campus.away.has(sellerId)) continue;
      // In an order with several items, some are delivered later.
      if (stage.now < START + TRADING_MS && stage.chance.happens(0.15)) continue;
      const presses = stage.chance.happens(0.2) ? 2 : 1;
      for (let press = 1; press <= presses; press += 1) {
        invoke(campus, `deliver press ${press}`, async (own) => {
          await shipItem(own, { itemId, sellerId });
          const delivered = await deliverItem(own, { itemId, sellerId });
          if (delivered.ok && delivered.payoutId) await startPayout(own, delivered.payoutId, itemId);
        });
      }
    }
  });
}

/** Every parked payout is tried again, by its seller, by the admin, or by both at once. */
function retryParked(campus: Campus): void {
  invoke(campus, "desk", async (services) => {
    const parked = await services.db.all<{ payoutId: string; itemId: string; sellerId: string }>(
      sql`SELECT id AS payoutId, order_item_id AS itemId, seller_id AS sellerId FROM payouts WHERE state = 'parked' ORDER BY rowid`,
    );
    for (const { payoutId, itemId, sellerId } of parked) {
      const who = campus.stage.chance.pick(["seller", "desk", "both"] as const);
      campus.stage.note(`a parked payout is tried again: ${who}`);
      if (who !== "desk")
        invoke(campus, "seller tries again", (own) => retryPayout(own, { orderItemId: itemId, sellerId }));
      if (who !== "seller")
        invoke(campus, "desk tries again", (own) =>
          retryParkedPayout(own, { id: campus.admin, email: "desk@campus.test" }, payoutId),
        );
    }
  });
}
