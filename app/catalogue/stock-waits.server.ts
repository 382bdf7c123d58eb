/**
 * The waiting list of a product: who wants to be told when it can be bought again. Triggers on `products` mark the rows
 * (`free_at`) in the batch that frees pieces, so that nobody is forgotten, whatever the reason.
 * `notifyWaitingList` reads only marked rows.
 */
import { sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/holiday.server.ts";
import { commitBatch, expectOneChange, PreconditionFailed, rowOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { reservedByViewer, UNAVAILABLE } from "./stock-waits-columns.server.ts";
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
  /** The person is on `WAITS_MAX` lists. */
  | "full";

/** Puts somebody on a product's waiting list. Safe to repeat. */
export async function joinWaitingList(
  store: Store,
  { userId, productId }: Wait,
): Promise<{ ok: true } | { ok: false; code: WaitRefusal }> {
  const waiting = sql`EXISTS (SELECT 1 FROM stock_waits w WHERE w.user_id = ${userId} AND w.product_id = p.id)`;
  const mayWait = sql`p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> ${userId} AND NOT ${reservedByViewer(userId)}`;
  const [, found] = await runBatch(store.db, [
    sql`INSERT INTO stock_waits (product_id, user_id, created_at) SELECT p.id, ${userId}, ${store.now()} FROM products p
      WHERE p.id = ${productId} AND ${mayWait} AND ${UNAVAILABLE}
        AND (SELECT COUNT(*) FROM stock_waits WHERE user_id = ${userId}) < ${WAITS_MAX}
      ON CONFLICT DO NOTHING`,
    sql`SELECT ${waiting} AS waiting, ${mayWait} AS allowed, ${UNAVAILABLE} AS unavailable FROM products p WHERE p.id = ${productId}`,
  ]);
  const row = rowOf<{ waiting: number; allowed: number; unavailable: number }>(found);
  if (row?.waiting === 1) return { ok: true };
  if (row?.allowed !== 1) return { ok: false, code: "not_found" };
  return { ok: false, code: row.unavailable === 1 ? "full" : "available" };
}

/** Takes somebody off a product's waiting list. Safe to repeat. */
export async function leaveWaitingList({ db }: Store, { userId, productId }: Wait): Promise<void> {
  await db.run(sql`DELETE FROM stock_waits WHERE user_id = ${userId} AND product_id = ${productId}`);
}

interface Marked extends Wait {
  freeAt: number;
  productName: string;
  /** KES. */
  price: number;
  /** Null for suspended and deleted accounts, which get no email. */
  email: string | null;
  name: string | null;
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
    const marked = await services.db.all<Marked>(
      sql`SELECT w.user_id AS userId, w.product_id AS productId, w.free_at AS freeAt, p.name AS productName, p.price,
          CASE WHEN c.suspended_at IS NULL THEN c.email END AS email, f.full_name AS name
        FROM stock_waits w JOIN products p ON p.id = w.product_id JOIN credentials c ON c.id = w.user_id LEFT JOIN profiles f ON f.id = w.user_id
        WHERE w.free_at IS NOT NULL AND ${awayUntil(sql`p.seller_id`, services.now())} IS NULL LIMIT ${AT_ONCE}`,
    );
    if (marked.length === 0) return told;
    try {
      await commitBatch(
        services.db,
        marked.flatMap((wait) => [
          sql`DELETE FROM stock_waits WHERE user_id = ${wait.userId} AND product_id = ${wait.productId} AND free_at = ${wait.freeAt}`,
          expectOneChange(),
          ...mailTo(wait, services.now()),
        ]),
      );
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
      races += 1;
      continue;
    }
    const reached = marked.filter(({ email }) => email !== null);
    told += reached.length;
    await Promise.all(
      reached.map(({ userId, productId, productName }) =>
        services.notifier.notify(userId, { type: "stock", productId, notice: availableAgainText(productName) }),
      ),
    );
  }
  return told;
}

function mailTo({ userId, productId, freeAt, productName, price, email, name }: Marked, now: number) {
  if (email === null) return [];
  const mail: Mail = {
    to: email,
    template: "stock_free",
    data: { name: name || "there", productId, productName, price },
  };
  return [queueEffect("mail", `stock_free:${productId}:${userId}:${freeAt}`, mail, now)];
}
