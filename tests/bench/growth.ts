/**
 * Measures how fast the database fills up, and how many calls each action makes. It runs the real use cases on a copy of
 * the demo campus, with an M-Pesa that answers at once.
 */
import { DatabaseSync } from "node:sqlite";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { browseFeed } from "#app/catalogue/browse.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { meterDatabase, newMeter } from "#app/db/meter.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { enterCode, handoverCode } from "#app/deals/handover-code.server.ts";
import { findInbox } from "#app/messaging/conversations.server.ts";
import { sendMessage } from "#app/messaging/send-message.server.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import { reconcilePayments } from "#app/payments/reconciliation.server.ts";
import { requestOrderPayment } from "#app/payments/request-payment.server.ts";
import { writeReview } from "#app/reviews/write-review.server.ts";
import { CommandError } from "#scripts/command.ts";
import { withLocalDatabase } from "#scripts/database.ts";
import { stateFolder } from "#scripts/folders.ts";
import { gateway, nextReceipt, NO_OBJECTS, payoutBody, pushBody } from "./growth-mpesa.ts";

const PEOPLE = 1000;
const PRODUCTS = 1000;
const ORDERS = 60;
const MESSAGES = 300;
/** Messages of a conversation. */
const MESSAGES_PER_CONVERSATION = 20;
const PAGES = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CODE_KEY = "bench";

/** What the database grows by. */
export type Kind = "user" | "product" | "message" | "order" | "callback" | "review" | "email";

/** What is counted in calls to D1. */
export type Action = "page" | "inbox" | "message" | "order";

export interface GrowthMeasures {
  /** Bytes of one, with its indexes and what triggers write. */
  bytes: Record<Kind, number>;
  /** Where the most of it is: bytes by table. */
  tables: Record<Kind, [table: string, bytes: number][]>;
  /** Calls to D1 of one. An order's go from placing it to the payout, with those of the job. */
  trips: Record<Action, number>;
}

type Database = Parameters<Parameters<typeof withLocalDatabase>[0]>[0];

/**
 * Bytes of each table of the data folder with its indexes, counted in pages. No server may be using it. `isPacked`: the
 * database is written anew first, without gaps.
 */
function readSizes(isPacked = false): Map<string, number> {
  const [file] = globSync("v3/d1/*/*.sqlite", { cwd: stateFolder() }).filter((name) => !name.includes("metadata"));
  if (!file || !existsSync(join(stateFolder(), file))) throw new CommandError("The data folder has no database.");
  const database = new DatabaseSync(join(stateFolder(), file));
  try {
    if (isPacked) database.exec("VACUUM");
    const rows = database
      .prepare(
        "SELECT m.tbl_name AS name, SUM(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_master m ON m.name = s.name GROUP BY 1",
      )
      .all() as { name: string; bytes: number }[];
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  } finally {
    database.close();
  }
}

/** Copies of people and listings of the campus, so that their texts are as long as those. `n` is a copy's number. */
const copyPeople = [
  `INSERT INTO credentials (id, email, password_hash, email_confirmed_at, metadata, created_at, updated_at)
    SELECT 'grow-' || value || '-88aa-4bbb-9ccc-7f0d1e2a3b4c', 'student' || value || '@students.campus.test', c.password_hash, 1, c.metadata, 1700000000000, 1700000000000
    FROM json_each(?1), credentials c WHERE c.email = 'buyer@campus.test'`,
  `INSERT INTO profiles (id, full_name, email, phone, campus_location, campus_location_id, onboarding_completed, profile_completed_at, created_at, updated_at)
    SELECT 'grow-' || value || '-88aa-4bbb-9ccc-7f0d1e2a3b4c', 'Wanjiku Otieno', 'student' || value || '@students.campus.test', '2547' || substr('00000000' || value, -8), p.campus_location, p.campus_location_id, 1, 1, 1700000000000, 1700000000000
    FROM json_each(?1), profiles p WHERE p.email = 'buyer@campus.test'`,
];
const copyProducts = [
  `INSERT INTO products (id, name, description, price, original_price, image_url, images, condition, location, category, seller_id, stock, created_at, updated_at)
    SELECT 'grow-' || value || '-77aa-4bbb-9ccc-7f0d1e2a3b4c', p.name, p.description, p.price, p.original_price, p.image_url, p.images, p.condition, p.location, p.category, p.seller_id, 9999, p.created_at + value, p.updated_at
    FROM json_each(?1) JOIN products p ON p.rowid = 1 + value % (SELECT COUNT(*) FROM products)`,
  `INSERT INTO uploads (key, owner_id, bucket, image, attached_at, created_at)
    SELECT 'p/' || value || '7f0d1e2a3b4c5d6e7f0d1e2a3b4c', p.seller_id, 'media', p.images ->> '$[0]', 1700000000000, 1700000000000
    FROM json_each(?1) JOIN products p ON p.id = 'grow-' || value || '-77aa-4bbb-9ccc-7f0d1e2a3b4c' WHERE p.images <> '[]'`,
  `INSERT INTO uploads (key, owner_id, bucket, image, created_at, attached_at)
    SELECT 'og/' || value || '7f0d1e2a3b4c5d6e7f0d1e2a3b4c', p.seller_id, 'media', p.images ->> '$[0]', 1700000000000, 1700000000000
    FROM json_each(?1) JOIN products p ON p.id = 'grow-' || value || '-77aa-4bbb-9ccc-7f0d1e2a3b4c'`,
  `UPDATE product_previews SET due_at = NULL, key = 'og/' || substr(product_id, 6, instr(product_id, '-77') - 6) || '7f0d1e2a3b4c5d6e7f0d1e2a3b4c' WHERE product_id LIKE 'grow-%' AND ?1 <> ''`,
];

const WORDS = [
  "Hi, is it still available?",
  "Yes it is. When can you meet?",
  "After my 2 pm class, at the library gate?",
  "OK, see you there",
];

/** The database while it grows: its sizes, its calls and its clock. */
class Growth {
  readonly measures = { bytes: {}, tables: {}, trips: {} } as GrowthMeasures;
  now = Date.now();
  #before = readSizes();

  /** Runs the work on the database, and returns by how many bytes each table has grown. */
  async grow(run: (database: Database) => Promise<void>): Promise<Map<string, number>> {
    await withLocalDatabase(run);
    const after = readSizes();
    const grown = new Map([...after].map(([name, size]) => [name, size - (this.#before.get(name) ?? 0)]));
    this.#before = after;
    return grown;
  }

  record(kind: Kind, count: number, grown: Map<string, number>): void {
    const parts = [...grown].map(([name, size]): [string, number] => [name, size / count]);
    this.measures.bytes[kind] = parts.reduce((sum, [, size]) => sum + size, 0);
    this.measures.tables[kind] = parts.toSorted(([, a], [, b]) => b - a).slice(0, 4);
  }

  /** The services of the use cases, and a function that notes the calls since the last one as those of an action. */
  open(database: Database) {
    const meter = newMeter();
    const services = {
      db: openDatabase(meterDatabase(database as unknown as D1Database, meter)), // Miniflare has types of its own.
      gateway,
      now: () => this.now,
      log: () => {},
      pause: async () => {},
      defer: () => {},
      origin: "https://chuoni.test",
      notifier: { notify: async () => {}, endSessions: async () => {} },
      documents: NO_OBJECTS,
      payments: { mode: "sandbox", querySpacingMs: 0 },
      deals: { inspectionHours: 0, codeKey: CODE_KEY },
    } as const;
    const finish = (action: Action, count: number) => {
      this.measures.trips[action] = meter.trips / count;
      meter.trips = 0;
    };
    return { services, finish, meter };
  }
}

type GrowthServices = ReturnType<Growth["open"]>["services"];

/** Measures in the data folder, which must be seeded and is not to be used again. */
export async function measureGrowth(): Promise<GrowthMeasures> {
  const growth = new Growth();
  growth.record("user", PEOPLE, await growth.grow(insert(copyPeople, PEOPLE)));
  growth.record("product", PRODUCTS, await growth.grow(insert(copyProducts, PRODUCTS)));
  await growMessages(growth);
  const sales = await growOrders(growth);
  await growReviews(growth, sales);
  await countPages(growth);
  return growth.measures;
}

function insert(statements: string[], count: number) {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, n) => n));
  return async (database: Database) => {
    await database.batch(statements.map((sql) => database.prepare(sql).bind(numbers)));
  };
}

/** Takes the growth of these tables out of `grown`, and what comes and goes. */
function take(grown: Map<string, number>, names: string[]): Map<string, number> {
  const taken = new Map([...grown].filter(([name]) => names.includes(name)));
  for (const name of [...names, "rate_counters", "leases"]) grown.delete(name);
  return taken;
}

function personOf(n: number): string {
  return `grow-${n % PEOPLE}-88aa-4bbb-9ccc-7f0d1e2a3b4c`;
}

function productOf(n: number): string {
  return `grow-${n % PRODUCTS}-77aa-4bbb-9ccc-7f0d1e2a3b4c`;
}

async function growMessages(growth: Growth): Promise<void> {
  const talked = await growth.grow(async (database) => {
    const { services, finish } = growth.open(database);
    const { results: listings } = await database
      .prepare(
        "SELECT id, seller_id AS sellerId FROM products WHERE id LIKE 'grow-%' AND status = 'active' ORDER BY rowid LIMIT ?",
      )
      .bind(MESSAGES / MESSAGES_PER_CONVERSATION)
      .all<{ id: string; sellerId: string }>();
    for (const [pair, { id, sellerId }] of listings.entries()) {
      for (let n = 0; n < MESSAGES_PER_CONVERSATION; n += 1) {
        growth.now += 5 * MINUTE_MS;
        const [senderId, recipientId] = n % 2 === 0 ? [personOf(pair), sellerId] : [sellerId, personOf(pair)];
        const about = n === 0 ? ({ kind: "product", id } as const) : null;
        const text = WORDS[n % WORDS.length] ?? "";
        const sent = await sendMessage(services, { senderId, recipientId, about, text, key: crypto.randomUUID() });
        if (!sent.ok) throw new CommandError(`A message was refused: ${sent.code}`);
      }
    }
    finish("message", MESSAGES);
  });
  take(talked, ["outbox"]);
  growth.record("message", MESSAGES, talked);
}

interface Sale {
  itemId: string;
  buyerId: string;
  sellerId: string;
}

async function growOrders(growth: Growth): Promise<Sale[]> {
  let emails = 0;
  let callbacks = 0;
  const sales: Sale[] = [];
  const sold = await growth.grow(async (database) => {
    const { services, finish } = growth.open(database);
    const count = async (table: "outbox" | "payment_callbacks") =>
      (await database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).first<number>("n")) ?? 0;
    const earlier = await count("outbox");
    let paid = 0;
    for (let n = 0; n < ORDERS; n += 1) {
      const sale = await sell(growth, database, services, n);
      if (!sale) continue;
      sales.push(sale);
      if (await payOut(database, services, sale)) paid += 1;
    }
    finish("order", sales.length);
    emails = (await count("outbox")) - earlier;
    callbacks = await count("payment_callbacks");
    if (paid < sales.length / 2) throw new CommandError(`Only ${paid} of ${sales.length} sellers were paid.`);
  });
  growth.record("email", emails, take(sold, ["outbox"]));
  growth.record("callback", callbacks, take(sold, ["payment_callbacks"]));
  growth.record("order", sales.length, sold);
  return sales;
}

const SOURCE = { sourceAddress: "196.201.214.200" };

/** From placing an order to the run of the job that asks for the payout. Null where the product is free. */
async function sell(growth: Growth, database: Database, services: GrowthServices, n: number): Promise<Sale | null> {
  growth.now += 2 * HOUR_MS;
  const buyerId = personOf(n);
  const productId = productOf(n * 3);
  const product = await database
    .prepare("SELECT price, seller_id AS sellerId FROM products WHERE id = ?")
    .bind(productId)
    .first<{ price: number; sellerId: string }>();
  if (!product || product.price === 0) return null;
  const from = { productId, quantity: 1, revision: 0 };
  const placed = await placeOrder(services, {
    userId: buyerId,
    idempotencyKey: crypto.randomUUID(),
    expectedAmount: product.price,
    from,
  });
  if (!placed.ok) throw new CommandError(`An order was refused: ${placed.code}`);
  const { orderId } = placed;
  const asked = await requestOrderPayment(services, {
    orderId,
    userId: buyerId,
    phone: `2547${String(10_000_000 + n)}`,
  });
  if (!asked.ok) throw new CommandError(`A payment was refused: ${asked.code}`);
  const attempt = await database
    .prepare("SELECT callback_token AS token, checkout_request_id AS request FROM payment_attempts WHERE order_id = ?")
    .bind(orderId)
    .first<{ token: string; request: string }>();
  const itemId = await database
    .prepare("SELECT id FROM order_items WHERE order_id = ?")
    .bind(orderId)
    .first<string>("id");
  if (!attempt || !itemId) throw new CommandError("An order has no payment.");
  const push = {
    kind: "push",
    token: attempt.token,
    body: pushBody(attempt.request, nextReceipt(), product.price),
    ...SOURCE,
    requestId: crypto.randomUUID(),
  } as const;
  await receiveCallback(services, push);
  growth.now += HOUR_MS;
  await reconcilePayments(services);
  await applyDealEvent(services, { itemId, event: "shipped", by: product.sellerId });
  await enterCode(services, { itemId, sellerId: product.sellerId, code: await handoverCode(CODE_KEY, itemId) });
  growth.now += HOUR_MS;
  await reconcilePayments(services);
  return { itemId, buyerId, sellerId: product.sellerId };
}

/** M-Pesa's answer to the payout of a sale. Returns whether there was one. */
async function payOut(database: Database, services: GrowthServices, { itemId }: Sale): Promise<boolean> {
  const payout = await database
    .prepare(
      "SELECT callback_token AS token, conversation_id AS conversation FROM payouts WHERE state = 'sent' AND id = (SELECT payout_id FROM payout_items WHERE order_item_id = ?)",
    )
    .bind(itemId)
    .first<{ token: string; conversation: string }>();
  if (!payout) return false;
  const body = payoutBody(payout.conversation, nextReceipt());
  const callback = { kind: "payout", token: payout.token, body, ...SOURCE, requestId: crypto.randomUUID() } as const;
  await receiveCallback(services, callback);
  return true;
}

async function growReviews(growth: Growth, sales: Sale[]): Promise<void> {
  const reviewed = await growth.grow(async (database) => {
    const { services } = growth.open(database);
    const words = {
      rating: 5,
      tags: ["as_described"],
      text: "Just as described, and quick to answer.",
      photoKeys: [],
    } as const;
    for (const { itemId, buyerId } of sales) {
      const written = await writeReview(services, { itemId, authorId: buyerId, ...words });
      if (!written.ok) throw new CommandError(`A review was refused: ${written.code}`);
    }
  });
  take(reviewed, ["outbox"]);
  growth.record("review", sales.length, reviewed);
}

async function countPages(growth: Growth): Promise<void> {
  await withLocalDatabase(async (database) => {
    const { services, finish } = growth.open(database);
    for (let n = 0; n < PAGES; n += 1) await browseFeed(services, { viewerId: personOf(n), after: null });
    finish("page", PAGES);
    for (let n = 0; n < PAGES; n += 1) await findInbox(services, personOf(n), { withId: null, after: null });
    finish("inbox", PAGES);
  });
}
