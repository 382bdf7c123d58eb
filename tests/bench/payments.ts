/** Measures how many callbacks are settled in a second, and how long one takes until the buyer's screen. */
import { withLocalDatabase } from "#scripts/database.ts";
import { findFreePort } from "#scripts/free-port.ts";
import { serveLocalBuild } from "#scripts/serve.ts";
import { CommandError } from "#scripts/command.ts";
import { again, BUYER, logIn } from "./people.ts";

/** Callbacks posted at once, for the rate; and one after the other, for the time to the screen. */
const AT_ONCE = 400;
const IN_SEQUENCE = 200;
const CONNECTIONS = 8;
const WAIT_LIMIT_MS = 120_000;

export interface PaymentMeasures {
  settledPerSecond: number;
  /** From the callback's first byte to the data of the buyer's page, ms. */
  toScreen: { p50: number; p99: number };
}

interface Debt {
  orderId: string;
  token: string;
  checkoutRequestId: string;
}

const AMOUNT = 1_900;

/** Unpaid orders of the demo buyer with an open prompt. */
async function makeDebts(count: number): Promise<Debt[]> {
  const debts = Array.from({ length: count }, () => ({
    orderId: crypto.randomUUID(),
    itemId: crypto.randomUUID(),
    attemptId: crypto.randomUUID(),
    token: `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll("-", ""),
    checkoutRequestId: `ws_CO_${crypto.randomUUID()}`,
  }));
  await withLocalDatabase(async (database) => {
    const json = JSON.stringify(debts);
    // Only a product without a limit is sold so often.
    const from = `json_each(?1) d, (SELECT id FROM credentials WHERE email = 'buyer@campus.test') b,
      (SELECT id, seller_id FROM products WHERE deleted_at IS NULL AND stock IS NULL LIMIT 1) p`;
    const field = (name: string) => `json_extract(d.value, '$.${name}')`;
    await database.batch([
      database
        .prepare(
          `INSERT INTO orders (id, user_id, amount, payment_status, order_status, idempotency_key, source, created_at,
            updated_at)
            SELECT ${field("orderId")}, b.id, ${AMOUNT}, 'processing', 'pending_payment', ${field("orderId")},
              'buy_now', ?2, ?2 FROM ${from}`,
        )
        .bind(json, Date.now()),
      database
        .prepare(
          `INSERT INTO order_items (id, order_id, product_id, seller_id, product_name, quantity, price_per_unit,
            subtotal, status, created_at, updated_at)
            SELECT ${field("itemId")}, ${field("orderId")}, p.id, p.seller_id, 'Bench', 1, ${AMOUNT}, ${AMOUNT},
              'pending_payment', ?2, ?2 FROM ${from}`,
        )
        .bind(json, Date.now()),
      database
        .prepare(
          `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token,
            checkout_request_id, created_at, updated_at)
            SELECT ${field("attemptId")}, 'order', ${field("orderId")}, b.id, '254712345678', ${AMOUNT},
              'pushed', ${field("token")}, ${field("checkoutRequestId")}, ?2, ?2 FROM ${from}`,
        )
        .bind(json, Date.now()),
    ]);
  });
  return debts;
}

function bodyFor({ checkoutRequestId }: Debt): string {
  const receipt = crypto.randomUUID().replaceAll("-", "").slice(0, 10).toUpperCase();
  const items = [
    { Name: "Amount", Value: AMOUNT },
    { Name: "MpesaReceiptNumber", Value: receipt },
    { Name: "TransactionDate", Value: 20261121101500 },
  ];
  return JSON.stringify({
    Body: {
      stkCallback: {
        MerchantRequestID: "1",
        CheckoutRequestID: checkoutRequestId,
        ResultCode: 0,
        ResultDesc: "ok",
        CallbackMetadata: { Item: items },
      },
    },
  });
}

async function callBack(origin: string, debt: Debt): Promise<void> {
  const url = `${origin}/hooks/pay/s/${debt.token}`;
  const answer = await again(() => fetch(url, { method: "POST", body: bodyFor(debt) }));
  if (answer.status !== 200) throw new CommandError(`A callback was answered ${answer.status}.`);
  await answer.arrayBuffer();
}

/** The data that the checkout loads after a change. */
async function isCompleted(origin: string, cookie: string, { orderId }: Debt): Promise<boolean> {
  const answer = await again(() => fetch(`${origin}/checkout/${orderId}.data`, { headers: { cookie } }));
  return (await answer.text()).includes('"completed"');
}

async function measureRate(origin: string, cookie: string, debts: Debt[]): Promise<number> {
  const start = performance.now();
  const waiting = [...debts];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let debt = waiting.shift(); debt; debt = waiting.shift()) await callBack(origin, debt);
    }),
  );
  const open = [...debts];
  while (open[0]) {
    if (await isCompleted(origin, cookie, open[0])) open.shift();
    else if (performance.now() - start > WAIT_LIMIT_MS)
      throw new CommandError(`${open.length} of ${debts.length} callbacks were not settled.`);
  }
  return debts.length / ((performance.now() - start) / 1000);
}

async function measureScreen(origin: string, cookie: string, debts: Debt[]): Promise<PaymentMeasures["toScreen"]> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, {
    headers: { cookie, origin },
  } as unknown as string[]); // An option of Node that the DOM's type doesn't have.
  const listeners = new Map<string, () => void>();
  socket.addEventListener("message", ({ data }) => {
    const event = JSON.parse(String(data)) as { type: string; orderId?: string };
    if (event.type === "payment") listeners.get(event.orderId ?? "")?.();
  });
  await new Promise((open, fail) => {
    socket.addEventListener("open", open);
    socket.addEventListener("error", () => fail(new CommandError("The live channel could not be opened.")));
  });
  const times: number[] = [];
  for (const debt of debts) {
    const heard = new Promise<void>((hear) => listeners.set(debt.orderId, hear));
    const start = performance.now();
    await callBack(origin, debt);
    await heard;
    if (!(await isCompleted(origin, cookie, debt)))
      throw new CommandError("The buyer was told before the payment was settled.");
    times.push(performance.now() - start);
  }
  socket.close();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Serves the given data folder, and pays what its buyer owes. */
export async function measurePayments(): Promise<PaymentMeasures> {
  const debts = await makeDebts(AT_ONCE + IN_SEQUENCE);
  const server = await serveLocalBuild({ port: await findFreePort(), onLog: () => {} });
  try {
    const cookie = await logIn(server.origin, BUYER);
    const toScreen = await measureScreen(server.origin, cookie, debts.slice(0, IN_SEQUENCE));
    return { settledPerSecond: await measureRate(server.origin, cookie, debts.slice(IN_SEQUENCE)), toScreen };
  } finally {
    await server.stop();
  }
}

export function printPayments({ settledPerSecond, toScreen }: PaymentMeasures): void {
  console.log(`\nPayments: ${settledPerSecond.toFixed(0)} callbacks settled a second, ${CONNECTIONS} connections`);
  console.log(
    `From callback to the buyer's screen: p50 ${toScreen.p50.toFixed(0)} ms, p99 ${toScreen.p99.toFixed(0)} ms`,
  );
}
