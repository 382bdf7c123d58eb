/**
 * Measures how long the database needs to place an order of 10 products, and to reserve their pieces for its payment.
 */
import { openDatabase } from "#app/db/client.ts";
import { meterDatabase, newMeter } from "#app/db/meter.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import type { PaymentGateway } from "#app/payments/gateway.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { CommandError } from "#scripts/command.ts";
import { withLocalDatabase } from "#scripts/database.ts";
import { percentile } from "./load.ts";

/** A private bucket in which nothing waits. */
const NO_OBJECTS = { list: async () => ({ objects: [] }) } as unknown as R2Bucket; // Nothing else is asked of it.

const ORDERS = 300;
const LINES = 10;
const PRICE = 100;

interface Measure {
  p50: number;
  p99: number;
  /** Round trips and rows read of one order. */
  trips: number;
  rows: number;
}

export interface OrderMeasures {
  place: Measure;
  reserve: Measure;
}

/** Each buyer has the same ten products in the cart, two pieces of each. */
const PREPARE = [
  `INSERT INTO products (id, name, description, price, stock, seller_id, created_at, updated_at)
    SELECT ?1 || '-product-' || value, 'Bench', '-', ${PRICE}, 9999,
      (SELECT id FROM credentials WHERE email = 'seller@campus.test'), 1, 1 FROM json_each(?3) WHERE ?2 <> ''`,
  `INSERT INTO credentials (id, email, session_epoch, created_at, updated_at)
    SELECT ?1 || '-buyer-' || value, ?1 || value || '@bench.test', 1, 1, 1 FROM json_each(?2) WHERE ?3 <> ''`,
  `INSERT INTO cart_items (id, user_id, product_id, quantity, price_when_added, created_at, updated_at)
    SELECT ?1 || '-line-' || b.value || '-' || l.value, ?1 || '-buyer-' || b.value, ?1 || '-product-' || l.value, 2,
      ${PRICE}, 1, 1
    FROM json_each(?2) b, json_each(?3) l`,
];

/** Measures in the data folder, which must be seeded. The gateway answers at once, so only the database counts. */
export function measureOrders(): Promise<OrderMeasures> {
  return withLocalDatabase(async (database) => {
    const run = crypto.randomUUID();
    const range = (length: number) => JSON.stringify(Array.from({ length }, (_, n) => n));
    await database.batch(PREPARE.map((sql) => database.prepare(sql).bind(run, range(ORDERS), range(LINES))));
    const meter = newMeter();
    const db = openDatabase(meterDatabase(database as unknown as D1Database, meter)); // Miniflare has types of its own.
    const gateway = {
      push: async () => ({ kind: "accepted", checkoutRequestId: crypto.randomUUID(), merchantRequestId: "1" }),
    } as unknown as PaymentGateway; // Nothing else is asked of it.
    const services = {
      db,
      gateway,
      now: Date.now,
      log: () => {},
      pause: async () => {},
      notifier: { send: async () => {}, endSessions: async () => {} },
      documents: NO_OBJECTS,
      payments: { mode: "sandbox", querySpacingMs: 0, pullNumber: "" },
    } as const;
    const time = async (work: () => Promise<{ ok: boolean; code?: string }>, times: number[]) => {
      const start = performance.now();
      const result = await work();
      times.push(performance.now() - start);
      if (!result.ok) throw new CommandError(`An order was refused: ${result.code}`);
      return result;
    };
    const times = { place: [] as number[], reserve: [] as number[] };
    const costs = { place: { trips: 0, rows: 0 }, reserve: { trips: 0, rows: 0 } };
    for (let n = 0; n < ORDERS; n += 1) {
      const userId = `${run}-buyer-${n}`;
      const expectedAmount = 2 * LINES * PRICE;
      let orderId = "";
      Object.assign(meter, newMeter());
      await time(async () => {
        const order = { userId, idempotencyKey: userId, expectedAmount, from: { cart: true } } as const;
        const placed = await placeOrder(services, order);
        if (placed.ok) orderId = placed.orderId;
        return placed;
      }, times.place);
      costs.place = { trips: meter.trips, rows: meter.rowsRead };
      Object.assign(meter, newMeter());
      const phone = `2547${String(10_000_000 + n)}`;
      await time(() => requestOrderPayment(services, { orderId, userId, phone }), times.reserve);
      costs.reserve = { trips: meter.trips, rows: meter.rowsRead };
    }
    // The pieces are given back, and nobody is asked about these payments.
    await database
      .prepare("UPDATE payment_attempts SET state = 'expired', next_query_at = NULL WHERE user_id LIKE ? || '-buyer-%'")
      .bind(run)
      .run();
    const summary = (sorted: number[], cost: { trips: number; rows: number }) => ({
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      ...cost,
    });
    const ascending = (list: number[]) => list.toSorted((a, b) => a - b);
    return {
      place: summary(ascending(times.place), costs.place),
      reserve: summary(ascending(times.reserve), costs.reserve),
    };
  });
}

export function printOrders({ place, reserve }: OrderMeasures): void {
  console.log(`\nAn order of ${LINES} products, ${ORDERS} times, without M-Pesa:`);
  for (const [what, { p50, p99, trips, rows }] of [
    ["placed", place],
    ["reserved for its payment", reserve],
  ] as const)
    console.log(
      `  ${what}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${trips} round trips, ${rows} rows read`,
    );
}
