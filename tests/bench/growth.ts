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
import { applyCallback, storeCallback } from "#app/payments/callbacks.server.ts";
import type { PaymentGateway } from "#app/payments/gateway.ts";
import { reconcilePayments } from "#app/payments/reconciliation.server.ts";
import { requestOrderPayment } from "#app/payments/request-payment.server.ts";
import { writeReview } from "#app/reviews/write-review.server.ts";
import { Trouble } from "#scripts/command.ts";
import { withLocalDatabase } from "#scripts/database.ts";
import { stateFolder } from "#scripts/places.ts";

/** D1 takes no more in one database. */
const LIMIT_BYTES = 10 * 1024 ** 3;
const PEOPLE = 1000;
const PRODUCTS = 1000;
const ORDERS = 60;
const MESSAGES = 300;
/** Messages of a conversation. */
const TALK = 20;
const PAGES = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CODE_KEY = "bench";

/** What a student adds in a month, by our assumption. */
const A_MONTH = { user: 0.1, product: 1.5, message: 60, order: 2, callback: 4, review: 1, email: 12 };
type Kind = keyof typeof A_MONTH;

/** How often a student does it on a day, by our assumption. */
const A_DAY = { page: 20, inbox: 4, message: 2, order: 2 / 30 };
type Action = keyof typeof A_DAY;

/** An order's requests are several; its own calls are the most of them. */
const SESSION_TRIPS: Record<Action, number> = { page: 1, inbox: 1, message: 1, order: 10 };

/** The busiest minute against the average of the day. */
const PEAK = 6;
/** The share of its time that a primary may be busy in that minute. */
const BUSY = 0.5;

export interface GrowthMeasures {
  /** Bytes of one, with its indexes and what triggers write. */
  bytes: Record<Kind, number>;
  /** Where the most of it is: bytes by table. */
  tables: Record<Kind, [table: string, bytes: number][]>;
  /** Calls to D1 of one. An order's go from placing it to the payout, with those of the job. */
  trips: Record<Action, number>;
}

type Database = Parameters<Parameters<typeof withLocalDatabase>[0]>[0];

/** Bytes of each table of the data folder with its indexes, counted in pages. No server may be using it. */
function readSizes(): Map<string, number> {
  const [file] = globSync("v3/d1/*/*.sqlite", { cwd: stateFolder() }).filter((name) => !name.includes("metadata"));
  if (!file || !existsSync(join(stateFolder(), file))) throw new Trouble("The data folder has no database.");
  const database = new DatabaseSync(join(stateFolder(), file));
  try {
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

/** What M-Pesa posts, as long as the real one. */
function pushBody(checkoutRequestId: string, receipt: string, amount: number): string {
  const Item = [
    { Name: "Amount", Value: amount },
    { Name: "MpesaReceiptNumber", Value: receipt },
    { Name: "TransactionDate", Value: 20260121101500 },
    { Name: "PhoneNumber", Value: 254708374149 },
  ];
  const stkCallback = {
    MerchantRequestID: "29115-34620561-1",
    CheckoutRequestID: checkoutRequestId,
    ResultCode: 0,
    ResultDesc: "The service request is processed successfully.",
    CallbackMetadata: { Item },
  };
  return JSON.stringify({ Body: { stkCallback } });
}

function payoutBody(conversationId: string, receipt: string): string {
  const ResultParameter = [
    { Key: "TransactionAmount", Value: 1900 },
    { Key: "TransactionReceipt", Value: receipt },
    { Key: "B2CRecipientIsRegisteredCustomer", Value: "Y" },
    { Key: "B2CChargesPaidAccountAvailableFunds", Value: 0 },
    { Key: "ReceiverPartyPublicName", Value: "254708374149 - Wanjiku Otieno" },
    { Key: "TransactionCompletedDateTime", Value: "21.1.2026 10:15:00" },
    { Key: "B2CUtilityAccountAvailableFunds", Value: 10116 },
    { Key: "B2CWorkingAccountAvailableFunds", Value: 900000 },
  ];
  return JSON.stringify({
    Result: {
      ResultType: 0,
      ResultCode: 0,
      ResultDesc: "The service request is processed successfully.",
      OriginatorConversationID: conversationId,
      ConversationID: `AG_20260121_${receipt}`,
      TransactionID: receipt,
      ResultParameters: { ResultParameter },
      ReferenceData: { ReferenceItem: { Key: "QueueTimeoutURL", Value: "https://internalsandbox.safaricom.co.ke" } },
    },
  });
}

let receipts = 0;
function nextReceipt(): string {
  receipts += 1;
  return `TGR${receipts.toString(36).toUpperCase().padStart(7, "0")}`;
}

const gateway = {
  push: async () => ({
    kind: "accepted",
    checkoutRequestId: `ws_CO_${crypto.randomUUID()}`,
    merchantRequestId: "29115-34620561-1",
  }),
  queryPush: async () => ({ kind: "done" }),
  payOut: async () => ({ kind: "accepted", providerConversationId: `AG_20260121_${crypto.randomUUID()}` }),
  readPushCallback: (body: string) => {
    const { stkCallback } = JSON.parse(body).Body;
    return {
      checkoutRequestId: stkCallback.CheckoutRequestID,
      merchantRequestId: stkCallback.MerchantRequestID,
      outcome: { kind: "done" },
      code: "0",
      message: stkCallback.ResultDesc,
      amountCents: stkCallback.CallbackMetadata.Item[0].Value * 100,
      receipt: stkCallback.CallbackMetadata.Item[1].Value,
      paidAt: null,
    };
  },
  readPayoutResult: (body: string) => {
    const { Result } = JSON.parse(body);
    const outcome = { kind: "done", receipt: Result.TransactionID };
    const { OriginatorConversationID: conversationId, TransactionID: receipt } = Result;
    return { conversationId, outcome, code: "0", message: Result.ResultDesc, amountCents: null, receipt };
  },
} as unknown as PaymentGateway; // Nothing else is asked of it.

/** Measures in the data folder, which must be seeded and is not to be used again. */
export async function measureGrowth(): Promise<GrowthMeasures> {
  const bytes = {} as GrowthMeasures["bytes"];
  const tables = {} as GrowthMeasures["tables"];
  const trips = {} as GrowthMeasures["trips"];
  let now = Date.now();
  let before = readSizes();

  /** Runs the work on the database, and returns by how many bytes each table has grown. */
  const grow = async (run: (database: Database) => Promise<void>): Promise<Map<string, number>> => {
    await withLocalDatabase(run);
    const after = readSizes();
    const grown = new Map([...after].map(([name, size]) => [name, size - (before.get(name) ?? 0)]));
    before = after;
    return grown;
  };
  const record = (kind: Kind, count: number, grown: Map<string, number>) => {
    const parts = [...grown].map(([name, size]): [string, number] => [name, size / count]);
    bytes[kind] = parts.reduce((sum, [, size]) => sum + size, 0);
    tables[kind] = parts.toSorted(([, a], [, b]) => b - a).slice(0, 4);
  };
  const range = (length: number) => JSON.stringify(Array.from({ length }, (_, n) => n));
  const insert = (statements: string[], count: number) => (database: Database) =>
    database.batch(statements.map((sql) => database.prepare(sql).bind(range(count)))).then(() => {});
  const take = (grown: Map<string, number>, names: string[]) => {
    const taken = new Map([...grown].filter(([name]) => names.includes(name)));
    for (const name of [...names, "rate_counters", "leases"]) grown.delete(name);
    return taken;
  };
  const personOf = (n: number) => `grow-${n % PEOPLE}-88aa-4bbb-9ccc-7f0d1e2a3b4c`;
  const productOf = (n: number) => `grow-${n % PRODUCTS}-77aa-4bbb-9ccc-7f0d1e2a3b4c`;

  record("user", PEOPLE, await grow(insert(copyPeople, PEOPLE)));
  record("product", PRODUCTS, await grow(insert(copyProducts, PRODUCTS)));

  const servicesOn = (database: Database) => {
    const meter = newMeter();
    const services = {
      db: openDatabase(meterDatabase(database as unknown as D1Database, meter)), // Miniflare has types of its own.
      gateway,
      now: () => now,
      log: () => {},
      pause: async () => {},
      defer: () => {},
      notifier: { notify: async () => {}, endSessions: async () => {} },
      payments: { mode: "sandbox", querySpacingMs: 0 },
      deals: { inspectionHours: 0, codeKey: CODE_KEY },
    } as const;
    const finish = (action: Action, count: number) => {
      trips[action] = meter.trips / count;
      meter.trips = 0;
    };
    return { services, finish };
  };

  const talked = await grow(async (database) => {
    const { services, finish } = servicesOn(database);
    const { results: listings } = await database
      .prepare(
        "SELECT id, seller_id AS sellerId FROM products WHERE id LIKE 'grow-%' AND status = 'active' ORDER BY rowid LIMIT ?",
      )
      .bind(MESSAGES / TALK)
      .all<{ id: string; sellerId: string }>();
    for (const [pair, { id, sellerId }] of listings.entries()) {
      for (let n = 0; n < TALK; n += 1) {
        now += 5 * MINUTE_MS;
        const [senderId, recipientId] = n % 2 === 0 ? [personOf(pair), sellerId] : [sellerId, personOf(pair)];
        const about = n === 0 ? ({ kind: "product", id } as const) : null;
        const text = WORDS[n % WORDS.length] ?? "";
        const sent = await sendMessage(services, { senderId, recipientId, about, text, key: crypto.randomUUID() });
        if (!sent.ok) throw new Trouble(`A message was refused: ${sent.code}`);
      }
    }
    finish("message", MESSAGES);
  });
  take(talked, ["outbox"]);
  record("message", MESSAGES, talked);

  let emails = 0;
  let callbacks = 0;
  let paid = 0;
  const items: { itemId: string; buyerId: string; sellerId: string }[] = [];
  const sold = await grow(async (database) => {
    const { services, finish } = servicesOn(database);
    const countEmails = async () =>
      (await database.prepare("SELECT COUNT(*) AS n FROM outbox").first<number>("n")) ?? 0;
    const earlier = await countEmails();
    for (let n = 0; n < ORDERS; n += 1) {
      now += 2 * HOUR_MS;
      const buyerId = personOf(n);
      const productId = productOf(n * 3);
      const product = await database
        .prepare("SELECT price, seller_id AS sellerId FROM products WHERE id = ?")
        .bind(productId)
        .first<{ price: number; sellerId: string }>();
      if (!product || product.price === 0) continue;
      const from = { productId, quantity: 1 };
      const placed = await placeOrder(services, {
        userId: buyerId,
        idempotencyKey: crypto.randomUUID(),
        expectedAmount: product.price,
        from,
      });
      if (!placed.ok) throw new Trouble(`An order was refused: ${placed.code}`);
      const { orderId } = placed;
      const asked = await requestOrderPayment(services, {
        orderId,
        userId: buyerId,
        phone: `2547${String(10_000_000 + n)}`,
      });
      if (!asked.ok) throw new Trouble(`A payment was refused: ${asked.code}`);
      const attempt = await database
        .prepare(
          "SELECT callback_token AS token, checkout_request_id AS request FROM payment_attempts WHERE order_id = ?",
        )
        .bind(orderId)
        .first<{ token: string; request: string }>();
      const item = await database
        .prepare("SELECT id FROM order_items WHERE order_id = ?")
        .bind(orderId)
        .first<string>("id");
      if (!attempt || !item) throw new Trouble("An order has no payment.");
      const source = { sourceAddress: "196.201.214.200", requestId: crypto.randomUUID() };
      const push = {
        kind: "push",
        token: attempt.token,
        body: pushBody(attempt.request, nextReceipt(), product.price),
        ...source,
      } as const;
      await applyCallback(services, await storeCallback(services, push));
      now += HOUR_MS;
      await reconcilePayments(services);
      await applyDealEvent(services, { itemId: item, event: "shipped", by: product.sellerId });
      await enterCode(services, { itemId: item, sellerId: product.sellerId, code: await handoverCode(CODE_KEY, item) });
      now += HOUR_MS;
      await reconcilePayments(services);
      const payout = await database
        .prepare(
          "SELECT callback_token AS token, conversation_id AS conversation FROM payouts WHERE state = 'sent' AND id = (SELECT payout_id FROM payout_items WHERE order_item_id = ?)",
        )
        .bind(item)
        .first<{ token: string; conversation: string }>();
      items.push({ itemId: item, buyerId, sellerId: product.sellerId });
      if (!payout) continue;
      paid += 1;
      const body = payoutBody(payout.conversation, nextReceipt());
      await applyCallback(
        services,
        await storeCallback(services, { kind: "payout", token: payout.token, body, ...source }),
      );
    }
    finish("order", items.length);
    emails = (await countEmails()) - earlier;
    callbacks = (await database.prepare("SELECT COUNT(*) AS n FROM payment_callbacks").first<number>("n")) ?? 0;
    if (paid < items.length / 2) throw new Trouble(`Only ${paid} of ${items.length} sellers were paid.`);
  });
  record("email", emails, take(sold, ["outbox"]));
  record("callback", callbacks, take(sold, ["payment_callbacks"]));
  record("order", items.length, sold);

  const reviewed = await grow(async (database) => {
    const { services } = servicesOn(database);
    const words = {
      rating: 5,
      tags: ["as_described"],
      text: "Just as described, and quick to answer.",
      photoKeys: [],
    } as const;
    for (const { itemId, buyerId } of items) {
      const written = await writeReview(services, { itemId, authorId: buyerId, ...words });
      if (!written.ok) throw new Trouble(`A review was refused: ${written.code}`);
    }
  });
  take(reviewed, ["outbox"]);
  record("review", items.length, reviewed);

  await withLocalDatabase(async (database) => {
    const { services, finish } = servicesOn(database);
    for (let n = 0; n < PAGES; n += 1) await browseFeed(services, { viewerId: personOf(n), after: null });
    finish("page", PAGES);
    for (let n = 0; n < PAGES; n += 1) await findInbox(services.db, personOf(n), { withId: null, after: null });
    finish("inbox", PAGES);
  });
  return { bytes, tables, trips };
}

export function printGrowth({ bytes, tables, trips }: GrowthMeasures): void {
  const kinds = Object.keys(A_MONTH) as Kind[];
  const monthly = kinds.reduce((sum, kind) => sum + bytes[kind] * A_MONTH[kind], 0);
  console.log("\nBytes in the database, with indexes and what triggers write:");
  for (const kind of kinds)
    console.log(
      `  ${kind.padEnd(8)} ${bytes[kind].toFixed(0).padStart(6)} bytes, ${(LIMIT_BYTES / bytes[kind] / 1e6).toFixed(1).padStart(5)} million fill 10 GB; ${A_MONTH[kind]} a student and month, ${((100 * bytes[kind] * A_MONTH[kind]) / monthly).toFixed(0)} % of the growth (${tables[kind].map(([name, size]) => `${name} ${size.toFixed(0)}`).join(", ")})`,
    );
  console.log(`  A student adds ${(monthly / 1000).toFixed(0)} kB a month. 10 GB last`);
  for (const students of [1000, 10_000, 100_000])
    console.log(
      `    ${students.toLocaleString("en")} students: ${(LIMIT_BYTES / (monthly * students)).toFixed(1)} months`,
    );
  const actions = Object.keys(A_DAY) as Action[];
  const daily = (which: Action[]) =>
    which.reduce((sum, action) => sum + (SESSION_TRIPS[action] + trips[action]) * A_DAY[action], 0);
  console.log("\nCalls to D1, with the one that knows who asks:");
  for (const action of actions)
    console.log(
      `  ${action.padEnd(8)} ${(SESSION_TRIPS[action] + trips[action]).toFixed(1)}; ${A_DAY[action].toFixed(2)} a student and day`,
    );
  console.log(
    `  ${daily(actions).toFixed(0)} a student and day. One primary, busy for ${100 * BUSY} % in the busiest minute (${PEAK} times the average), carries`,
  );
  for (const ms of [1, 2, 5]) {
    const carried = (which: Action[]) =>
      Math.floor((BUSY * 24 * HOUR_MS) / (PEAK * ms * daily(which)) / 1000).toLocaleString("en");
    console.log(
      `    at ${ms} ms a call: ${carried(actions)},000 students a day; ${carried(actions.filter((action) => action !== "page"))},000 when replicas answer the pages`,
    );
  }
}
