/** Helpers for server tests: people, products, orders, and services with a clock that can be moved. */
import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { newMeter } from "#app/db/meter.ts";
import type { StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { scoreOfShop } from "#app/accounts/trust/ratings.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { idList } from "#app/db/build.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { credentials, profiles, shops, userRatings } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts, payoutItems, payouts } from "#app/payments/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";
import { indexShops } from "#app/catalogue/search/search-index.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { insertListing, updateListings } from "#app/catalogue/write-listings.server.ts";
import { write } from "#app/db/batch.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { booksBalance, readBooks } from "#app/payments/books/ledger.server.ts";
import type { Services } from "#app/request/services.ts";
import { createServices } from "#workers/services.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";

export const db = openDatabase(env.DB);

const deferred: Promise<unknown>[] = [];

/** The real services, with a clock `offsetMs` ahead. */
export function servicesAt(offsetMs = 0): Services {
  return createServices(
    env,
    { waitUntil: (work) => deferred.push(work), requestId: "test", meter: newMeter() },
    () => Date.now() + offsetMs,
  );
}

/** The same with an M-PESA that takes each prompt and says nothing more, for tests that say what becomes of it. */
export function quietServices(offsetMs = 0): Services {
  const services = servicesAt(offsetMs);
  const push = async () =>
    ({ kind: "accepted", checkoutRequestId: `ws_CO_${crypto.randomUUID()}`, merchantRequestId: "1" }) as const;
  return { ...services, gateway: { ...services.gateway, push } };
}

/** Waits for all work after the response. */
export async function settleDeferred(): Promise<void> {
  while (deferred.length > 0) await Promise.all(deferred.splice(0));
}

/** Lets the sandbox take its next steps until none is left. Returns the number of steps. */
export async function runSandbox(maxSteps = 30): Promise<number> {
  const sandbox = env.SANDBOX_OBJECT.getByName("sandbox");
  for (let steps = 0; steps < maxSteps; steps += 1) {
    if (!(await runDurableObjectAlarm(sandbox))) return steps;
  }
  return maxSteps;
}

/**
 * Somebody who has been here long enough to have no limits of a new account, unless `createdAt` (ms) says otherwise.
 */
export async function makeUser(
  input: { phone?: string | null; name?: string; createdAt?: number } = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const email = `${id}@campus.test`;
  const now = input.createdAt ?? Date.now() - 30 * 24 * 60 * 60_000;
  await write(db, [
    db.insert(credentials).values({ id, email, emailConfirmedAt: now, createdAt: now, updatedAt: now }),
    db.insert(profiles).values({
      id,
      email,
      ...nameColumns(input.name ?? "Wanjiku Otieno"),
      phone: input.phone === undefined ? "254722000020" : input.phone,
      campusLocation: "Main Campus",
      verifiedLevel: "email",
      createdAt: now,
      updatedAt: now,
    }),
  ]);
  return id;
}

/** A verified wholesaler, unless `change` says otherwise. */
export async function makeWholesaler(change: Partial<typeof profiles.$inferInsert> = {}): Promise<string> {
  const id = await makeUser();
  await db
    .update(profiles)
    .set({ accountType: "wholesaler", verificationStatus: "approved", isSeller: true, ...change })
    .where(eq(profiles.id, id));
  await write(db, afterVerifiedChanged(idList(id), Date.now()));
  return id;
}

/** As when our team has approved, or no longer approves, somebody's document. */
export async function setVerification(
  userId: string,
  verificationStatus: "pending" | "approved" | "rejected",
): Promise<void> {
  await write(db, [
    db.update(profiles).set({ verificationStatus }).where(eq(profiles.id, userId)),
    ...afterVerifiedChanged(idList(userId), Date.now()),
  ]);
}

export async function makeProduct(
  sellerId: string,
  input: {
    price?: number;
    status?: "active" | "sold" | "out_of_stock";
    name?: string;
    /** The campus. */
    location?: string;
    condition?: "new" | "like_new" | "good" | "fair";
    /** By default one of what is used, and no limit for what is new. */
    stock?: number | null;
  } = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const now = Date.now();
  await write(db, [
    insertListing({
      id,
      sellerId,
      name: input.name ?? "Casio fx-991ES",
      description: "Works, with cover",
      price: input.price ?? 1_900,
      status: input.status ?? "active",
      condition: input.condition ?? "new",
      stock: input.stock === undefined ? defaultStock(input) : input.stock,
      category: "stationery",
      location: input.location ?? "Main Campus",
      createdAt: now,
      updatedAt: now,
    }),
    ...afterListingsChanged(idList(id), now),
  ]);
  return id;
}

/** Changes a listing, with what follows from that. `now` in ms. */
export async function changeListing(
  id: string,
  change: Parameters<typeof updateListings>[0],
  now: number = Date.now(),
): Promise<void> {
  await write(db, [updateListings(change, eq(products.id, id)), ...afterListingsChanged(idList(id), now)]);
}

/** Lets follow what follows from a change of listings that a test wrote by itself: of these, or of all. */
export async function followListings(...ids: string[]): Promise<void> {
  const changed = ids.length > 0 ? idList(...ids) : sql`(SELECT id FROM products)`;
  await write(db, afterListingsChanged(changed, Date.now()));
}

/** The same for shops. */
export async function followShops(...ids: string[]): Promise<void> {
  await write(db, indexShops(ids.length > 0 ? idList(...ids) : sql`(SELECT id FROM shops)`));
}

/** Lists tables from number `from` to before `to`, each a ms younger than the one before. The first is "a0000000-…". */
export async function makeTables(
  sellerId: string,
  from: number,
  to: number,
  { location = "Main Campus", type = null, deletedAt = null }: Partial<typeof products.$inferSelect> = {},
): Promise<void> {
  await db.run(sql`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
    INSERT INTO products (id, name, description, price, category, location, type, seller_id, created_at, updated_at,
      deleted_at)
    SELECT printf('a%07x-0000-4000-8000-000000000000', i), 'Table', 'Of wood', 500, 'furniture', ${location}, ${type},
      ${sellerId}, i, 0, ${deletedAt} FROM n`);
}

function defaultStock({ condition = "new", status = "active" }: { condition?: string; status?: string }) {
  if (condition === "new") return null;
  return status === "active" ? 1 : 0;
}

/** Gives a seller so many published reviews with 1, 2, 3, 4 and 5 stars, and their shop its score. */
export async function rate(sellerId: string, [stars1, stars2, stars3, stars4, stars5]: StarCounts): Promise<void> {
  await db.insert(userRatings).values({ userId: sellerId, role: "seller" }).onConflictDoNothing();
  await db
    .update(userRatings)
    .set({ stars1, stars2, stars3, stars4, stars5 })
    .where(and(eq(userRatings.userId, sellerId), eq(userRatings.role, "seller")));
  await db
    .update(shops)
    .set({ ratingScore: scoreOfShop(shops.id) })
    .where(eq(shops.id, sellerId));
}

export async function stockOf(productId: string) {
  const [row] = await db
    .select({ stock: products.stock, reserved: products.reserved, status: products.status })
    .from(products)
    .where(eq(products.id, productId));
  return row;
}

export async function putInCart(userId: string, productId: string, quantity = 1): Promise<void> {
  const now = Date.now();
  await db
    .insert(cartItems)
    .values({ id: crypto.randomUUID(), userId, productId, quantity, createdAt: now, updatedAt: now });
}

interface OneProduct {
  /** What a piece costs. */
  price?: number;
  quantity?: number;
  key?: string;
  revision?: number;
  offsetMs?: number;
}

/** Orders one product, as by Buy Now. */
export function orderOne(
  userId: string,
  productId: string,
  { price = 1_900, quantity = 1, key = crypto.randomUUID(), revision = 0, offsetMs = 0 }: OneProduct = {},
) {
  return placeOrder(servicesAt(offsetMs), {
    userId,
    idempotencyKey: key,
    expectedAmount: price * quantity,
    from: { productId, quantity, revision },
  });
}

/** The id of such an order, which must go through. */
export async function orderedOne(...order: Parameters<typeof orderOne>): Promise<string> {
  const placed = await orderOne(...order);
  if (!placed.ok) throw new Error(`the order was refused: ${placed.code}`);
  return placed.orderId;
}

export interface Deal {
  buyerId: string;
  sellerId: string;
  productId: string;
  orderId: string;
  itemId: string;
  amount: number;
}

/** A buyer, a seller (`sellerId` or a new one), and an order of one item between them, not paid yet. */
export async function makeDeal(
  input: { price?: number; sellerPhone?: string | null; sellerId?: string; buyerId?: string } = {},
): Promise<Deal> {
  const amount = input.price ?? 1_900;
  const buyerId = input.buyerId ?? (await makeUser());
  const sellerId =
    input.sellerId ??
    (await makeUser({ phone: input.sellerPhone === undefined ? uniquePhone("50") : input.sellerPhone }));
  const productId = await makeProduct(sellerId, { price: amount });
  const orderId = await orderedOne(buyerId, productId, { price: amount });
  const [item] = await db.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, orderId));
  if (!item) throw new Error("the order has no item");
  return { buyerId, sellerId, productId, orderId, itemId: item.id, amount };
}

let phones = 0;
/** A phone that nobody else in this file has, with the two last digits that script the sandbox. */
export function uniquePhone(ending: string): string {
  phones += 1;
  return `2547${String(phones).padStart(6, "0")}${ending}`;
}

export async function readOrder(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw new Error("no such order");
  return order;
}

export async function readItem(itemId: string) {
  const [item] = await db.select().from(orderItems).where(eq(orderItems.id, itemId));
  if (!item) throw new Error("no such item");
  return item;
}

export async function readAttempts(orderId: string) {
  return db
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, orderId))
    .orderBy(paymentAttempts.createdAt);
}

export async function readPayout(itemId: string) {
  const [payout] = await db
    .select(getTableColumns(payouts))
    .from(payouts)
    .innerJoin(payoutItems, eq(payoutItems.payoutId, payouts.id))
    .where(eq(payoutItems.orderItemId, itemId));
  return payout ?? null;
}

/** What is wrong with the books. Empty when all is well. */
export async function booksOff(): Promise<Record<string, unknown>> {
  const books = await readBooks(db);
  return booksBalance(books) ? {} : { ...books };
}
