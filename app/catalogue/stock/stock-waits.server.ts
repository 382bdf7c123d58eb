/**
 * The waiting list of a product: who wants to be told when it can be bought again. `moveWaits`
 * (`stock-effects.server.ts`) marks the rows (`free_at`) in the batch that frees pieces, so that nobody is forgotten,
 * whatever the reason. `notifyWaitingList` reads only marked rows.
 */
import { and, count, eq, exists, gte, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { type Statement, expectOneChange, tryWrite, write } from "#app/db/batch.ts";
import { asBoolean, build, insertEach, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { products, stockWaits } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- who has bought it waits no more
import { orderItems, orders } from "#app/orders/tables.server.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { reservedByViewer } from "./reservations.server.ts";
import { isWaiting, UNAVAILABLE } from "./stock-waits-columns.server.ts";
import { availableAgainText, WAITS_MAX } from "./stock-waits-rules.ts";

interface Wait {
  userId: string;
  productId: string;
}

type WaitRefusal =
  /** It can be bought now. */
  | "available"
  /** The seller's own, deleted or taken down; or the viewer is buying it. */
  | "not_found"
  /** The person or the seller has blocked the other. */
  | "blocked"
  /** The person is on `WAITS_MAX` lists. */
  | "full";

/** Puts somebody on a product's waiting list. Safe to repeat. */
export async function joinWaitingList(
  store: Store,
  { userId, productId }: Wait,
): Promise<{ ok: true } | { ok: false; code: WaitRefusal }> {
  const {
    found: [found],
  } = await write(store.db, {
    joined: waitFor({ productId, userId, createdAt: store.now() }, UNAVAILABLE),
    found: build
      .select({
        waiting: asBoolean(isWaiting(userId)).as("waiting"),
        allowed: asBoolean(sql`${mayWait(userId)}`).as("allowed"),
        blocked: asBoolean(blockBetween(userId, productRow.sellerId)).as("blocked"),
        unavailable: asBoolean(UNAVAILABLE).as("unavailable"),
      })
      .from(productRow)
      .where(eq(productRow.id, productId)),
  });
  if (found?.waiting) return { ok: true };
  if (!found?.allowed) return { ok: false, code: "not_found" };
  if (found.blocked) return { ok: false, code: "blocked" };
  return { ok: false, code: found.unavailable ? "full" : "available" };
}

/** Somebody's place on the waiting list of a product, ms since 1970. */
interface Place {
  productId: string;
  joinedAt: number;
  /** When it could be bought again, of which they were to be told. */
  at: number;
}

/**
 * Gives somebody back their place on the list of what couldn't be bought again before they were told, unless they have
 * bought it since. What only its seller's holiday keeps from them they hear of afterwards. Safe to repeat.
 */
export async function waitOn({ db, now }: Store, userId: string, { productId, joinedAt, at }: Place): Promise<void> {
  const hasPaid = exists(
    build
      .select({ id: orderItems.id })
      .from(orderItems)
      .innerJoin(orders, eq(orders.id, orderItems.orderId))
      .where(and(eq(orders.userId, userId), eq(orderItems.productId, productId), gte(orders.paymentDate, at))),
  );
  const isAway = sql`${awayUntil(sql`${productRow.sellerId}`, now())} IS NOT NULL AND NOT ${UNAVAILABLE}`;
  const place = { productId, userId, createdAt: joinedAt };
  await write(db, [
    waitFor(place, sql`${UNAVAILABLE} AND NOT ${hasPaid}`),
    waitFor({ ...place, freeAt: now() }, sql`${isAway} AND NOT ${hasPaid}`),
  ]);
}

/** Puts somebody on the list of a product that they may wait for, if `condition` holds. */
function waitFor(place: typeof stockWaits.$inferInsert, condition: SQL): Statement {
  const { productId, userId } = place;
  const lists = build.select({ count: count() }).from(stockWaits).where(eq(stockWaits.userId, userId));
  return insertEach(
    stockWaits,
    place,
    sql`FROM ${products} product_row WHERE ${eq(productRow.id, productId)} AND ${mayWait(userId)}
      AND NOT ${blockBetween(userId, productRow.sellerId)} AND ${condition} AND ${lists} < ${WAITS_MAX}`,
  ).onConflictDoNothing();
}

function mayWait(userId: string) {
  return and(
    isNull(productRow.deletedAt),
    isNull(productRow.suspendedAt),
    ne(productRow.sellerId, userId),
    sql`NOT ${reservedByViewer(userId)}`,
    isOpenAccount(userId),
  );
}

/** Takes somebody off a product's waiting list. Safe to repeat. */
export async function leaveWaitingList({ db }: Store, wait: Wait): Promise<void> {
  await write(db, [build.delete(stockWaits).where(isOf(wait))]);
}

function isOf({ userId, productId }: Wait) {
  return and(eq(stockWaits.userId, userId), eq(stockWaits.productId, productId));
}

/** How many people one batch tells. */
const AT_ONCE = 50;
/** How often to look again when another run told the same people, or the pieces were gone again. */
const TRIES = 3;

/**
 * Tells everybody who waits for a product that can be bought again, by an email and a toast on their open pages, and
 * takes them off the list. While its seller is on holiday nobody can buy it, so they are told afterwards. Safe to run
 * twice at once. Returns how many were told.
 */
export async function notifyWaitingList(services: Store & { notifier: Notifier }): Promise<number> {
  let told = 0;
  for (let races = 0; races < TRIES;) {
    const marked = await findMarked(services);
    if (marked.length === 0) return told;
    const isDone = await tryWrite(
      services.db,
      marked.flatMap((wait) => [
        build.delete(stockWaits).where(and(isOf(wait), sql`${stockWaits.freeAt} = ${wait.freeAt}`)),
        expectOneChange(),
        ...tellFree(wait, services.now()),
      ]),
    );
    if (!isDone) {
      races += 1;
      continue;
    }
    const reached = marked.filter(({ email }) => email !== null);
    told += reached.length;
    await Promise.all(
      reached.map(({ userId, productId, productName }) =>
        services.notifier.send(userId, { type: "stock", productId, notice: availableAgainText(productName) }),
      ),
    );
  }
  return told;
}

type Marked = Awaited<ReturnType<typeof findMarked>>[number];

/**
 * Some of those who must be told. Without an email nobody is: suspended and deleted accounts, and where one has blocked
 * the other.
 */
function findMarked({ db, now }: Store) {
  const isBlocked = blockBetween(sql`${stockWaits.userId}`, sql`${products.sellerId}`);
  return db
    .select({
      ...pick(stockWaits, "userId", "productId", "createdAt", "freeAt"),
      productName: products.name,
      price: products.price,
      email: sql<
        string | null
      >`CASE WHEN ${credentials.suspendedAt} IS NULL AND NOT ${isBlocked} THEN ${credentials.email} END`,
      name: profiles.fullName,
    })
    .from(stockWaits)
    .innerJoin(products, eq(products.id, stockWaits.productId))
    .innerJoin(credentials, eq(credentials.id, stockWaits.userId))
    .leftJoin(profiles, eq(profiles.id, stockWaits.userId))
    .where(and(isNotNull(stockWaits.freeAt), sql`${awayUntil(sql`${products.sellerId}`, now())} IS NULL`))
    .limit(AT_ONCE);
}

function tellFree(wait: Marked, now: number): Statement[] {
  const { userId, productId, createdAt, freeAt, productName, price, email, name } = wait;
  if (email === null) return [];
  const reader = openParty({ id: userId, email, name: name ?? "" });
  // Who only wished for it (`welcomeBack`) has no place to get back.
  const joined = createdAt === freeAt ? {} : { joinedAt: createdAt };
  const data = { count: 1, listings: [{ productId, productName, price, priceBefore: null, ...joined }] };
  return notify(reader, { kind: "stock_free", data }, `stock_free:${productId}:${userId}:${freeAt}`, now);
}
