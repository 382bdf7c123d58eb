/** A small campus for the simulation: buyers who pay, sellers who deliver and pay for plans, the job, and an admin. */
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { insertListings } from "#app/catalogue/write-listings.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { type Statement, write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { openDatabase } from "#app/db/client.ts";
import { sql } from "drizzle-orm";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { takeLease } from "#app/db/leases.ts";
import { pullPayments } from "#app/payments/books/pull.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment, requestPlanPayment } from "#app/payments/collect/request-payment.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { restoreUser, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { saveCheckoutMeeting } from "#app/meetings/checkout-meeting.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { abandonPayment } from "#app/payments/collect/abandon-payment.server.ts";
import { advanceOffers } from "#app/offers/offer-timers.server.ts";
import { PLAN_IDS, PLAN_REMINDER_MS } from "#app/shops/plan-rules.ts";
import { advancePlans } from "#app/shops/subscriptions.server.ts";
import { runBooksJob } from "#workers/jobs/payments.ts";
import { Chance } from "./chance.ts";
import { type Campus, invoke, readCallbackUrl, servicesOf, type Size } from "./invocation.ts";
import { drawFaultRates, SeededFaults } from "./faults.ts";
import { Stage } from "./stage.ts";
import { StagedMPesa } from "./staged-m-pesa.ts";
import { oneAdmin, visitProposals } from "./admins.ts";
import { Stalls } from "./stalls.ts";
import { blockCheck } from "./blocks.ts";
import { decideDeals, reportCheck, visitDeals } from "./deals.ts";
import { effectCheck } from "./effects.ts";
import { answerOffers, makeOffers } from "./offers.ts";
import { isCalm, lookAtFigures, playOutage } from "./outages.ts";
import { type Person, personStatements } from "./people.ts";
import { listingCheck } from "./audit-listings.ts";
import { changeStock, editListings, importStock, piecesFor, stockCheck } from "./stock.ts";
import { exposeSellers, steal } from "./thieves.ts";
import { reserveTransfer, retryTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { asPayout, asRefund, retryBySeller } from "#tests/support/transfers.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 20, 30);
/** How long people order and pay, from the start. */
const TRADING_MS = 30 * MINUTE;
/**
 * How long they act on what they ordered or sold, from the start. Faults end at the first or the second of these times.
 */
const DEALS_MS = 11 * 24 * HOUR;
/** How long all deadlines then have to pass. */
const END_MS = 30 * 24 * HOUR;
/** The most runs of the job in that time. */
const LATE_RUNS = 110;

/** The share of campuses that have the day of an outage, after everything else. */
const OUTAGES_SHARE = 0.3;

/**
 * Amounts: the least that M-Pesa pays out, ordinary ones, one of which no admin moves two alone, and the most that
 * M-Pesa takes.
 */
const PRICES = [10, 40, 250, 1_900, 4_300, 42_000, 250_000];

/** With few people, conflicts are most frequent. */
const FEW: Size = { sellers: [1, 2], buyers: [1, 2], orders: [1, 3] };
const MANY: Size = { sellers: [3, 5], buyers: [4, 8], orders: [8, 12] };

/** Plays one seed in the new database `d1`, from its first order to the end. `storage`: M-Pesa's own. */
export async function playCampus(seed: number, d1: D1Database, storage: DurableObjectStorage): Promise<Campus> {
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
    const stage = new Stage(START, chance);
    const faultRates = drawFaultRates(chance);
    const size = chance.happens(0.02) ? MANY : FEW;
    const campus: Campus = {
      d1,
      kept: new Map(),
      stalls: Stalls.draw(stage, START + 10 * SECOND, TRADING_MS),
      stage,
      size,
      faultRates,
      mPesa: new StagedMPesa(stage, storage, new SeededFaults(stage, faultRates), (url, body) =>
        receive(campus, url, body),
      ),
      sellers: people(chance, chance.between(...size.sellers), "0110"),
      buyers: people(chance, chance.between(...size.buyers), "0722"),
      admin: chance.uuid(),
      secondAdmin: chance.uuid(),
      away: new Set(),
      inspectionHours: chance.happens(0.75) ? 48 : 0,
      // In every second seed, so that the others still play as they were chosen for.
      isPulled: seed % 2 === 1,
      hasQuarrel: seed % 4 === 2,
      // In seeds of their own, too. What a thief may be paid is in `auditThieves`.
      hasThieves: seed % 16 === 15,
      thefts: [],
      faultsEndAt: START + chance.pick([TRADING_MS, DEALS_MS]),
      areFaultsOver: false,
      outage: null,
    };
    const bad = Object.entries(faultRates).flatMap(([kind, share]) =>
      share ? [`${kind} ${typeof share === "number" ? Number(share.toFixed(2)) : ""}`.trim()] : [],
    );
    if (size === MANY) bad.push("a crowd");
    campus.mPesa.object.change({ spikeArrest: faultRates.spikeArrest });
    const checks = [stockCheck(d1), listingCheck(d1), reportCheck(d1), blockCheck(d1), effectCheck(d1)];
    const writes = d1.prepare("SELECT total_changes() AS total");
    let last: number | null = null;
    stage.afterStep = async (worker) => {
      // Most steps only read, and change nothing.
      const total = await writes.first<number>("total");
      if (total === last) return;
      last = total;
      for (const check of checks) await check(worker);
    };
    stage.note(`conditions: ${bad.join(", ") || "no faults"}`);
    await addPeople(campus);
    await setFees(campus, seed);
    if (campus.hasThieves) await exposeSellers(campus);
    await trade(campus);
    await letPlansEnd(campus);
    if (chance.happens(OUTAGES_SHARE) && (await isCalm(d1)))
      campus.outage = await playOutage(campus, (services) => advance(campus, services));
    else await lookAtFigures(campus);
    return campus;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function people(chance: Chance, count: number, prefix: string): Person[] {
  return Array.from({ length: count }, (_, n) => ({ id: chance.uuid(), phone: `254${prefix.slice(1)}0000${20 + n}` }));
}

/**
 * A service fee, of sellers and of buyers in turn, that changes while people trade: in every third seed up to 1,000,
 * and in seeds of their own, because the entries of a fee shift what a seed plays, and others are chosen for that.
 */
async function setFees({ d1, admin, secondAdmin }: Campus, seed: number): Promise<void> {
  if (seed < SEEDS_WITH_FEES && !(seed <= 1_000 && seed % 3 === 0)) return;
  const payers = seed % 2 === 0 ? ["seller", "buyer"] : ["buyer", "seller"];
  const fees = payers.flatMap((payer, n) => [
    { payer, share: 100 + (seed % 13) * 100, smallest: (seed % 4) * 5, largest: 20 + (seed % 7) * 60, after: n * 80 },
    { payer, share: 0, smallest: 0, largest: 0, after: n * 80 + 60 },
  ]);
  for (const { payer, share, smallest, largest, after } of fees)
    await d1
      .prepare(
        `INSERT INTO service_fees (id, payer, share, smallest, largest, starts_at, set_by, created_at, confirmed_by,
          confirmed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(`fee-${after}`, payer, share, smallest, largest, START + after * SECOND, admin, START, secondAdmin, START)
      .run();
}

const SEEDS_WITH_FEES = 2000;

/** People and listings. Some sellers have no phone. */
async function addPeople({ d1, stage, sellers, buyers, admin, secondAdmin }: Campus): Promise<void> {
  const { chance } = stage;
  if (chance.happens(0.15)) sellers[0]!.phone = null;
  const statements = [...sellers, ...buyers, { id: admin, phone: null }, { id: secondAdmin, phone: null }].flatMap(
    (person) => personStatements(person, START),
  );
  await write(openDatabase(d1), [
    ...statements,
    sql`UPDATE profiles SET admin_role = 'owner' WHERE id IN (${admin}, ${secondAdmin})`,
    // A seller brought the buyers, and the first of these another seller.
    ...[
      ...buyers.map(({ id }) => [id, sellers[0]?.id]),
      ...sellers.slice(1, 2).map(({ id }) => [id, buyers[0]?.id]),
    ].map(
      ([invited, inviter]) =>
        sql`INSERT INTO invitations (invited_id, inviter_id, created_at) VALUES (${invited}, ${inviter}, ${START})`,
    ),
  ]);
}

/** Like the hooks: stores and answers, and applies afterwards, perhaps in another invocation. */
function receive(campus: Campus, url: string, body: string): void {
  const { kind, token } = readCallbackUrl(url);
  campus.stage.note(`callback ${kind} ${token.slice(0, 6)}`);
  invoke(campus, `callback ${token.slice(0, 6)}`, async (services) => {
    await receiveCallback(services, { kind, token, body });
  });
}

/** People trade, then days pass, then the faults end, and the job alone finishes what is open. */
async function trade(campus: Campus): Promise<void> {
  const { stage, size } = campus;
  const { chance } = stage;
  const orders = chance.between(...size.orders);
  for (let n = 0; n < orders; n += 1)
    stage.later(chance.between(0, 180) * SECOND, () =>
      chance.happens(0.3) ? orderCart(campus, n) : void order(campus, n),
    );
  if (campus.hasQuarrel)
    for (const second of [chance.between(0, 200), chance.between(200, 1_000)])
      stage.later(second * SECOND, () => quarrel(campus));
  if (campus.hasThieves)
    for (let hour = 1; hour < 12 * 24; hour += chance.between(2, 8)) stage.later(hour * HOUR, () => steal(campus));
  const plans = chance.happens(0.4) ? chance.between(1, 2) : 0;
  for (let n = 0; n < plans; n += 1) stage.later(chance.between(0, 180) * SECOND, () => subscribe(campus));
  const changes = chance.happens(0.5) ? chance.between(1, 3) : 0;
  for (let n = 0; n < changes; n += 1) {
    const within = chance.happens(0.6) ? 1_500 : DEALS_MS / SECOND;
    stage.later(chance.between(0, within) * SECOND, () => changePeople(campus));
  }
  for (const minute of [1, 2, 3, 5, 6, 8, 11, 13, 16, 19, 22, 26]) stage.later(minute * MINUTE, () => runJob(campus));
  for (const minute of [4, 10, 17]) stage.later(minute * MINUTE, () => visitDeals(campus, 0.6));
  for (const second of [70, 150, 320, 700]) stage.later(second * SECOND, () => changeStock(campus, 0.4));
  for (const second of [110, 400]) stage.later(second * SECOND, () => importStock(campus, 0.15));
  for (const second of [90, 380]) stage.later(second * SECOND, () => editListings(campus, 0.2));
  for (const second of [40, 200, 500]) stage.later(second * SECOND, () => makeOffers(campus, 0.5));
  for (const second of [60, 220, 300, 420, 540, 800]) stage.later(second * SECOND, () => answerOffers(campus, 0.6));
  await stage.play(START + TRADING_MS);
  if (campus.faultsEndAt <= stage.now) await endFaults(campus);
  await letDaysPass(campus);
  if (!campus.areFaultsOver) await endFaults(campus);
  await letDeadlinesPass(campus);
}

async function endFaults(campus: Campus): Promise<void> {
  const { d1, stage, mPesa, sellers } = campus;
  mPesa.faults.end();
  campus.areFaultsOver = true;
  for (const seller of sellers) {
    if (seller.phone) continue;
    seller.phone = "254110000029";
    await d1.prepare("UPDATE profiles SET phone = ? WHERE id = ?").bind(seller.phone, seller.id).run();
  }
  if (stage.chance.happens(0.7)) stage.later(MINUTE, () => retryParked(campus));
}

/** Days pass. People come back now and then, and often just when a clock runs out. */
async function letDaysPass(campus: Campus): Promise<void> {
  const { stage } = campus;
  const { chance } = stage;
  // Some people are quick, some let most clocks run out.
  const share = chance.pick([0.1, 0.4, 0.8]);
  let visit = stage.now + chance.between(1, 12) * HOUR;
  let pause = 10 * MINUTE;
  while (stage.now < START + DEALS_MS) {
    let due = await nextDue(campus);
    // The job may have been stopped, or leaves alone what is due, for days. It tries again less and less often.
    pause = due <= stage.now ? Math.min(pause * 1.5, 4 * HOUR) : 10 * MINUTE;
    if (due <= stage.now) due += pause;
    const next = Math.min(visit, stage.nextAt() ?? Number.POSITIVE_INFINITY, due);
    await stage.play(Math.max(next, stage.now + 10 * MINUTE));
    runJob(campus);
    if (stage.now >= visit || chance.happens(0.2)) visitDeals(campus, share);
    if (chance.happens(0.1)) decideDeals(campus, 0.7);
    if (chance.happens(0.6)) visitProposals(campus, 0.6);
    if (chance.happens(0.1)) changeStock(campus, 0.4);
    if (chance.happens(0.05)) makeOffers(campus, 0.4);
    if (chance.happens(0.2)) answerOffers(campus, 0.5);
    if (chance.happens(0.03)) retryParked(campus);
    if (stage.now >= visit) visit = stage.now + chance.between(2, 20) * HOUR;
    await stage.play(stage.now + MINUTE);
  }
}

/** Nobody acts any more, and every deadline passes. Our team decides about most of what waits for it. */
async function letDeadlinesPass(campus: Campus): Promise<void> {
  const { stage } = campus;
  const end = stage.now + END_MS;
  for (let run = 0; run < LATE_RUNS && stage.now < end; run += 1) {
    runJob(campus);
    const step = run * run * 3 * SECOND;
    await stage.play(stage.now + MINUTE);
    const next = Math.min(stage.nextAt() ?? Number.POSITIVE_INFINITY, await nextDue(campus));
    if (run % 8 === 3) decideDeals(campus, 0.8);
    if (run % 2 === 1) visitProposals(campus, 0.9);
    await stage.play(Math.min(Math.max(next, stage.now + step), end));
  }
  for (let last = 0; last < 3; last += 1) {
    decideDeals(campus, 0.8);
    await stage.play(stage.now + MINUTE);
    runJob(campus);
  }
  await stage.play(stage.now + MINUTE);
}

/**
 * Long after the trading, every plan is reminded of and ends, by jobs that may be stopped or run twice, and finally by
 * one that isn't.
 */
async function letPlansEnd(campus: Campus): Promise<void> {
  const { stage } = campus;
  const { results } = await campus.d1
    .prepare("SELECT DISTINCT ends_at AS at FROM subscriptions WHERE ends_at IS NOT NULL ORDER BY at")
    .all<{ at: number }>();
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

/** When the job has something to do, of each kind. */
const DUE = [
  "SELECT MIN(next_query_at) AS at FROM payment_attempts",
  "SELECT MIN(next_action_at) AS at FROM payouts",
  "SELECT MIN(next_action_at) AS at FROM refunds",
  "SELECT MIN(due_at) AS at FROM deal_timers",
  "SELECT MIN(expires_at) AS at FROM offers WHERE state IN ('open', 'countered', 'accepted')",
  "SELECT MIN(received_at) + 5001 AS at FROM payment_callbacks WHERE applied_at IS NULL",
  "SELECT MIN(created_at) + 300000 AS at FROM payment_attempts WHERE state IN ('created', 'pushed', 'unknown')",
  `SELECT MIN(created_at) + 86400000 AS at FROM orders
    WHERE order_status = 'pending_payment' AND payment_status <> 'processing'`,
];

/** When the job next has something to do, in ms; Infinity when it hasn't. */
async function nextDue({ d1, kept, stage }: Campus): Promise<number> {
  if (kept.size > 0) return stage.now;
  const answers = await d1.batch<{ at: number | null }>(DUE.map((query) => d1.prepare(query)));
  return Math.max(stage.now, Math.min(...answers.map(({ results: [row] }) => row?.at ?? Number.POSITIVE_INFINITY)));
}

/** The job. Sometimes two at once, as cron may run them. Its checks of the books are costly, so most runs have none. */
function runJob(campus: Campus): void {
  const { chance } = campus.stage;
  const runs = chance.happens(0.15) ? 2 : 1;
  const withBooks = chance.happens(0.1);
  for (let n = 1; n <= runs; n += 1)
    invoke(campus, `job ${n}`, async (services) => {
      await advance(campus, services);
      if (withBooks) await runBooksJob(services);
      await advanceOffers(services);
    });
}

async function advance({ stage }: Campus, services: DealServices): Promise<void> {
  await advanceDeals(services);
  await advancePayments(services);
  if (services.payments.pullNumber === "" || !(await takeLease(services, "pull", 30 * MINUTE))) return;
  const pulled = await pullPayments(services);
  if (pulled.kind === "failed") stage.note("M-Pesa's list doesn't come");
  if (pulled.kind === "listed" && pulled.learned > 0) stage.note("a payment is learned of from M-Pesa's list");
  if (pulled.kind === "listed" && pulled.unmatched > 0) stage.note("a line of M-Pesa's list waits for a person");
}

// ---------------------------------------------------------------- customers

async function order(campus: Campus, n: number): Promise<void> {
  const { stage } = campus;
  const { chance } = stage;
  const buyer = chance.pick(campus.buyers);
  const seller = chance.pick(campus.sellers);
  const price = chance.pick(PRICES);
  const productId = chance.uuid();
  const stock = piecesFor(chance);
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
        quantity: stock === 1 || price >= 5_000 ? 1 : more + 2,
      }),
    );
  }
  const quantity = stock !== 1 && price < 5_000 && chance.happens(0.2) ? 2 : 1;
  invoke(campus, `listing ${n}`, async (services) => {
    if (campus.away.has(seller.id)) return;
    await write(services.db, listCasio({ productId, price, stock, seller }, services.now()));
    buy(campus, { key: `order-${n}`, buyer, productId, price, quantity });
  });
}

/** A seller who can log in lists something. */
function listCasio(
  { productId, price, stock, seller }: { productId: string; price: number; stock: number | null; seller: Person },
  now: number,
): Statement[] {
  return [
    insertListings(
      {
        id: productId,
        name: "Casio",
        description: "-",
        price,
        condition: stock === 1 ? "good" : "new",
        stock,
        location: "Main",
        category: "Books",
        sellerId: seller.id,
        takesOffers: true,
        createdAt: now,
        updatedAt: now,
      },
      sql`FROM credentials WHERE id = ${seller.id} AND suspended_at IS NULL`,
    ),
    ...afterListingsChanged(idList(productId), now),
  ];
}

/** A buyer puts products of several sellers into their cart and orders it, sometimes twice. */
function orderCart(campus: Campus, n: number): void {
  const { chance } = campus.stage;
  const buyer = chance.pick(campus.buyers);
  const lines = Array.from({ length: chance.between(2, 3) }, () => {
    const stock = piecesFor(chance);
    return {
      productId: chance.uuid(),
      price: chance.pick(PRICES.filter((price) => price < 5_000)),
      quantity: stock === 1 ? 1 : chance.between(1, 2),
      stock,
      seller: chance.pick(campus.sellers),
    };
  });
  const again = chance.happens(0.3) ? chance.between(1, 600) * SECOND : null;
  invoke(campus, `cart ${n}`, async (services) => {
    const now = services.now();
    await write(
      services.db,
      lines.flatMap(({ productId, price, quantity, stock, seller }) => [
        ...listCasio({ productId, price, stock, seller }, now),
        sql`INSERT INTO cart_items (id, user_id, product_id, quantity, price_when_added, created_at, updated_at)
          SELECT ${`cart ${productId}`}, c.id, p.id, ${quantity}, ${price}, ${now}, ${now} FROM credentials c
            JOIN products p ON p.id = ${productId}
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
      sql`SELECT SUM(p.price * c.quantity) AS amount FROM cart_items c JOIN products p ON p.id = c.product_id
        WHERE c.user_id = ${buyer.id}`,
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
    place(campus, services, { key, buyer, amount: price * quantity, from: { productId, quantity, revision: 0 } }),
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
  // Sold in the meantime, across a block, or its seller was stopped before listing it; or it is paid, so the cart has
  // changed.
  if (
    !placed.ok &&
    (placed.code === "unavailable" ||
      placed.code === "blocked" ||
      placed.code === "over_limit" ||
      // With a fee on top.
      placed.code === "too_large" ||
      ("cart" in from && placed.code !== "paying"))
  )
    return;
  if (!placed.ok && placed.code !== "paying") throw new Error(`order refused: ${placed.code}`);
  stage.note(
    placed.ok ? `order ${placed.orderId.slice(0, 8)} of KES ${amount}` : `led to order ${placed.orderId.slice(0, 8)}`,
  );
  // Not a step of the worker, so that it moves nothing else. Some pay only after the time of the meeting.
  const suggestion = { pointId: null, place: "The gate", startsAt: stage.now + 10 * MINUTE };
  const outside = { db: openDatabase(campus.d1), now: () => stage.now };
  await saveCheckoutMeeting(outside, { orderId: placed.orderId, userId: buyer.id, suggestion });
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

/** A buyer blocks a seller, or a seller a buyer, while they trade. */
function quarrel(campus: Campus): void {
  const { stage, buyers, sellers } = campus;
  const { chance } = stage;
  const pair = [chance.pick(buyers).id, chance.pick(sellers).id];
  const [userId = "", blockedId = ""] = chance.happens(0.5) ? pair : pair.toReversed();
  invoke(campus, "a block", async (services) => {
    if (await blockUser(services, { userId, blockedId })) stage.note("a buyer and a seller part");
  });
}

/**
 * Somebody deletes their account, is suspended (and perhaps restored later), or blocks somebody, whatever money is on
 * its way.
 */
function changePeople(campus: Campus): void {
  const { stage, away } = campus;
  const { chance } = stage;
  const everybody = [...campus.buyers, ...campus.sellers];
  const { id } = chance.pick(everybody);
  const admin = oneAdmin(campus);
  const restoredAfter = chance.happens(0.5) ? chance.between(60, 1_200) * SECOND : null;
  const other = chance.pick(everybody).id;
  const change = chance.pick(["deleted", "suspended", "blocked"] as const);
  invoke(campus, `somebody is ${change}`, async (services) => {
    if (away.has(id)) return;
    if (change === "blocked") {
      await blockUser(services, { userId: id, blockedId: other });
      stage.note("somebody blocks somebody");
    } else if (change === "deleted") {
      const deleted = await deleteAccount(
        { ...services, documents: env.DOCUMENTS, passwordPepper: env.PASSWORD_PEPPER },
        id,
      );
      stage.note(`an account is deleted: ${deleted.ok ? "done" : deleted.code}`);
      if (deleted.ok) away.add(id);
    } else {
      const suspended = await suspendUser({ ...services, media: env.MEDIA }, admin, id, "Reported by several buyers");
      stage.note(`an account is suspended: ${suspended.ok}`);
      if (suspended.ok && suspended.waits) stage.note("the deals of a suspended account wait for a second admin");
      if (!suspended.ok) return;
      away.add(id);
      if (restoredAfter === null) return;
      stage.later(restoredAfter, () =>
        invoke(campus, "somebody is restored", async (own) => {
          if ((await restoreUser({ ...own, media: env.MEDIA }, admin, id)).ok) away.delete(id);
          stage.note("an account is restored");
        }),
      );
    }
  });
}

// ------------------------------------------------------------------ sellers

/**
 * Every parked payout is tried again, by its seller, by the admin, or by both at once; and every parked refund. Or the
 * admin begins to send a payout by hand while its seller tries again, and later takes that back.
 */
function retryParked(campus: Campus): void {
  invoke(campus, "admin", async (services) => {
    const refunds = await services.db.all<{ id: string }>(
      sql`SELECT id FROM refunds WHERE state = 'parked' ORDER BY rowid`,
    );
    for (const { id } of refunds) {
      campus.stage.note("a parked refund is tried again");
      invoke(campus, "admin tries a refund again", (own) => retryTransfer(own, oneAdmin(campus), asRefund(id)));
    }
    const parked = await services.db.all<{ payoutId: string; itemId: string; sellerId: string }>(
      sql`SELECT id AS payoutId, order_item_id AS itemId, seller_id AS sellerId FROM payouts WHERE state = 'parked'
        ORDER BY rowid`,
    );
    for (const { payoutId, itemId, sellerId } of parked) {
      const admin = oneAdmin(campus);
      const who = campus.stage.chance.pick(["seller", "admin", "both", "by hand"] as const);
      campus.stage.note(`a parked payout is tried again: ${who}`);
      if (who !== "admin")
        invoke(campus, "seller tries again", (own) => retryBySeller(own, { orderItemId: itemId, sellerId }));
      if (who === "by hand") {
        invoke(campus, "admin sends it by hand", (own) => reserveTransfer(own, admin, asPayout(payoutId)));
        campus.stage.later(10 * MINUTE, () =>
          invoke(campus, "admin takes it back", async (own) => {
            const taken = await retryTransfer(own, admin, asPayout(payoutId), { reserved: true });
            if (taken && taken !== "proposed") campus.stage.note("a payout is no longer sent by hand");
          }),
        );
      } else if (who !== "seller")
        invoke(campus, "admin tries again", (own) => retryTransfer(own, admin, asPayout(payoutId)));
    }
  });
}
