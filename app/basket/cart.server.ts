import { SHOWN_COVER, SHOWN_NAME } from "#app/catalogue/shown-product.server.ts";
import { eq, sql } from "drizzle-orm";
import { rowOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { cartItems, type ProductImage } from "#app/db/schema.ts";
import { type Pricing, readSteps, WHOLESALE_QUANTITY_MAX } from "#app/catalogue/price-step-rules.ts";
import { STEPS_OF, unitPriceOf } from "#app/catalogue/wholesale.server.ts";
import { reservedColumns } from "#app/catalogue/stock-waits-columns.server.ts";
import { STOCK_COLUMNS, type StockColumns, type StockShown, stockShown } from "./stock-shown.server.ts";
import { CART_LINES_MAX, QUANTITY_MAX, QUANTITY_MIN } from "./basket-rules.ts";
import { atQuantity } from "./list-rules.ts";

/** A line of the cart with the current state of its product. Prices in KES. */
export interface CartLine extends StockShown {
  id: string;
  productId: string;
  quantity: number;
  /** The largest quantity that the buyer can order. */
  maxQuantity: number;
  /** The smallest quantity that the buyer can order. */
  minQuantity: number;
  name: string;
  /** For one piece, at this quantity. */
  price: number;
  /** The same, at the price and steps that the buyer has accepted. It differs if the seller has changed them since. */
  priceWhenAdded: number;
  pricing: Pricing;
  accepted: Pricing;
  /** Of the listing: raised by each edit of its name, condition, description or photos. */
  revision: number;
  /** The one that the buyer has accepted. */
  revisionWhenAdded: number;
  image: ProductImage | null;
  location: string;
  sellerName: string | null;
  /** False for sold, deleted or taken down products, which the buyer must remove before checkout. */
  available: boolean;
  /** The product's page still exists. */
  listed: boolean;
  /** Others have reserved all that is left. */
  reservedByOthers: boolean;
  /** When the first of their reservations may end, ms since 1970; null when nobody knows. */
  reservedUntil: number | null;
}

/**
 * SQL on products `p`: the largest quantity one buyer can order, as `maxQuantity` in quantity-rules.ts. What others have
 * reserved counts too, because they may not pay.
 */
export const MAX_QUANTITY = sql.raw(
  `MAX(1, MIN(CASE WHEN p.wholesale = 1 THEN ${WHOLESALE_QUANTITY_MAX} ELSE ${QUANTITY_MAX} END, COALESCE(p.stock, ${WHOLESALE_QUANTITY_MAX})))`,
);

/** SQL on products `p`: the smallest quantity one buyer can order, as `smallestOrder` in quantity-rules.ts. */
export const SMALLEST_ORDER = sql`MIN(p.min_quantity, ${MAX_QUANTITY})`;

/**
 * A user's cart, oldest line first. A line's quantity is never more than can be ordered, even if the seller has fewer
 * now.
 */
export async function listCart(db: Database, userId: string): Promise<CartLine[]> {
  const rows = await db.all<CartRow>(
    sql`SELECT c.id, c.product_id AS productId, MIN(c.quantity, ${MAX_QUANTITY}) AS quantity, ${MAX_QUANTITY} AS maxQuantity, ${SMALLEST_ORDER} AS minQuantity,
        ${SHOWN_NAME} AS name, p.price, ${STEPS_OF} AS steps, c.price_when_added AS priceWhenAdded, c.steps_when_added AS stepsWhenAdded, p.revision, c.revision_when_added AS revisionWhenAdded, ${SHOWN_COVER} AS image,
        p.location, s.full_name AS sellerName, (p.deleted_at IS NULL AND p.suspended_at IS NULL) AS listed,
        (p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> c.user_id) AS available,
        ${STOCK_COLUMNS}, ${reservedColumns(userId)}
      FROM cart_items c JOIN products p ON p.id = c.product_id LEFT JOIN profiles s ON s.id = p.seller_id
      WHERE c.user_id = ${userId} ORDER BY c.created_at, c.id LIMIT ${CART_LINES_MAX}`,
  );
  return rows.map(({ quantity, price, steps, priceWhenAdded, stepsWhenAdded, stock, reserved, condition, ...row }) => ({
    ...atQuantity(
      {
        ...row,
        pricing: { price, steps: readSteps(steps) },
        accepted: { price: priceWhenAdded, steps: readSteps(stepsWhenAdded) },
      },
      quantity,
    ),
    ...stockShown({ stock, reserved, condition }),
    image: row.image ? (JSON.parse(row.image) as ProductImage) : null,
    available: row.available === 1,
    listed: row.listed === 1,
    reservedByOthers: row.reservedByOthers === 1,
  }));
}

interface CartRow
  extends
    Omit<CartLine, "image" | "available" | "listed" | "pricing" | "accepted" | "reservedByOthers" | keyof StockShown>,
    StockColumns {
  reservedByOthers: number;
  /** JSON. */
  steps: string | null;
  /** JSON. */
  stepsWhenAdded: string | null;
  image: string | null;
  available: number;
  listed: number;
}

export type CartRefusal =
  | { code: "not_available" | "not_found" }
  /** There would be more of one product than `max`: 99 pieces, or what the seller has. */
  | { code: "over_limit"; max: number }
  /** There would be more than 200 different products. */
  | { code: "cart_full" }
  /** There is only one, and it is in the cart already. */
  | { code: "in_cart"; name: string };

/** `raisedTo`: the smallest order, if fewer pieces were asked for. */
export type CartResult = { ok: true; name: string; raisedTo: number | null } | ({ ok: false } & CartRefusal);

interface Addition {
  userId: string;
  productId: string;
  /** Pieces. */
  quantity: number;
  /** `products.revision` as the buyer saw it. */
  revision?: number | undefined;
  /** Identifies the request. If it is repeated with the same key, it adds only once. */
  key?: string | undefined;
}

/**
 * Adds `quantity` of a product, or the smallest order if that is more. If the product is in the cart already, its line
 * grows by as much, up to the largest quantity.
 */
export async function addToCart(store: Store, input: Addition): Promise<CartResult> {
  if (!isQuantity(input.quantity)) return { ok: false, code: "over_limit", max: QUANTITY_MAX };
  const [added] = await runBatch(store.db, [additionToCart(store, input)]);
  const name = readName(added);
  if (name === null) return { ok: false, ...(await explainCartRefusal(store, input)) };
  return { ok: true, name, raisedTo: readRaised(added, input) };
}

/** The smallest order, if `additionToCart` put so many into the cart although fewer were asked for; else null. */
export function readRaised(added: unknown, asked: { quantity: number }): number | null {
  const { quantity, smallest } = rowOf<{ quantity: number; smallest: number }>(added) ?? { quantity: 0, smallest: 0 };
  return quantity === smallest && quantity > asked.quantity ? quantity : null;
}

/** The statement that adds the product. It returns the product's name and the line's quantity, or changes nothing. */
export function additionToCart(store: Store, { userId, productId, quantity, revision, key }: Addition): Statement {
  const now = store.now();
  return sql`INSERT INTO cart_items (id, user_id, product_id, quantity, price_when_added, steps_when_added, revision_when_added, last_addition_key, created_at, updated_at)
    SELECT ${crypto.randomUUID()}, ${userId}, p.id, MAX(${quantity}, ${SMALLEST_ORDER}), p.price, ${STEPS_OF}, COALESCE(${revision ?? null}, p.revision), ${key ?? null}, ${now}, ${now} FROM products p
    WHERE p.id = ${productId} AND p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> ${userId}
      AND ${quantity} <= ${MAX_QUANTITY}
      AND ((SELECT COUNT(*) FROM cart_items WHERE user_id = ${userId}) < ${CART_LINES_MAX}
        OR EXISTS (SELECT 1 FROM cart_items WHERE user_id = ${userId} AND product_id = ${productId}))
    ON CONFLICT (user_id, product_id) DO UPDATE SET
        quantity = CASE WHEN last_addition_key = excluded.last_addition_key THEN quantity
          ELSE (SELECT MAX(cart_items.quantity + ${quantity}, ${SMALLEST_ORDER}) FROM products p WHERE p.id = excluded.product_id) END,
        last_addition_key = excluded.last_addition_key, updated_at = excluded.updated_at
      WHERE last_addition_key = excluded.last_addition_key
        OR quantity + ${quantity} <= (SELECT ${MAX_QUANTITY} FROM products p WHERE p.id = excluded.product_id)
    RETURNING (SELECT name FROM products WHERE products.id = product_id) AS name, quantity,
      (SELECT ${SMALLEST_ORDER} FROM products p WHERE p.id = product_id) AS smallest`;
}

export function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= QUANTITY_MIN && quantity <= WHOLESALE_QUANTITY_MAX;
}

/** The product's name in a statement's first row; null when it changed nothing. */
export function readName(result: unknown): string | null {
  return rowOf<{ name: string }>(result)?.name ?? null;
}

/** Why `additionToCart` or a new quantity changed nothing. */
export async function explainCartRefusal(
  store: Store,
  { userId, productId, quantity }: Addition,
): Promise<CartRefusal> {
  const [product] = await store.db.all<Explained>(
    sql`SELECT p.name, p.status, p.seller_id AS sellerId, (p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL) AS gone,
        ${MAX_QUANTITY} AS maxQuantity,
        EXISTS (SELECT 1 FROM cart_items WHERE user_id = ${userId} AND product_id = p.id) AS inCart
      FROM products p WHERE p.id = ${productId}`,
  );
  if (!product || product.gone === 1) return { code: "not_found" };
  if (product.status !== "active" || product.sellerId === userId) return { code: "not_available" };
  const overLimit = { code: "over_limit", max: product.maxQuantity } as const;
  if (quantity > product.maxQuantity) return overLimit;
  if (product.inCart === 0) return { code: "cart_full" };
  return product.maxQuantity === 1 ? { code: "in_cart", name: product.name } : overLimit;
}

interface Explained {
  name: string;
  status: string;
  sellerId: string;
  gone: number;
  maxQuantity: number;
  inCart: number;
}

/**
 * Sets a line's quantity. 0 removes the line. Refuses a line that is gone (`max` is null), and more than `max`, the most
 * that can be ordered.
 */
export async function setCartQuantity(
  store: Store,
  input: Addition,
): Promise<{ ok: true } | { ok: false; max: number | null }> {
  const { userId, productId, quantity } = input;
  if (quantity === 0) {
    await removeFromCart(store, input);
    return { ok: true };
  }
  if (!isQuantity(quantity)) return { ok: false, max: null };
  const product = sql`SELECT ${MAX_QUANTITY} FROM products p WHERE p.id = ${productId}`;
  const [changed, found] = await runBatch(store.db, [
    sql`UPDATE cart_items SET quantity = ${quantity}, updated_at = ${store.now()}
      WHERE user_id = ${userId} AND product_id = ${productId} AND ${quantity} <= (${product}) RETURNING id`,
    sql`SELECT (${product}) AS max`,
  ]);
  if (changed?.results.length === 1) return { ok: true };
  const max = rowOf<{ max: number | null }>(found)?.max ?? null;
  return { ok: false, max: max !== null && quantity > max ? max : null };
}

/**
 * The buyer accepts the price of one piece that they see, in KES, and with it all price steps, and the listing as it is at this
 * revision. Does nothing if the seller has changed one of them once more.
 */
export async function acceptPrice(
  store: Store,
  input: { userId: string; productId: string; price: number; revision?: number | undefined },
): Promise<{ ok: boolean }> {
  const [accepted] = await runBatch(store.db, [
    sql`UPDATE cart_items SET price_when_added = p.price, steps_when_added = ${STEPS_OF}, revision_when_added = p.revision, updated_at = ${store.now()} FROM products p
      WHERE p.id = cart_items.product_id AND user_id = ${input.userId} AND product_id = ${input.productId}
        AND ${unitPriceOf(sql`MIN(cart_items.quantity, ${MAX_QUANTITY})`)} = ${input.price}
        AND p.revision = COALESCE(${input.revision ?? null}, cart_items.revision_when_added) RETURNING cart_items.id`,
  ]);
  return { ok: accepted?.results.length === 1 };
}

/** Removes a line and returns the product's name. A line that is already gone isn't an error. */
export async function removeFromCart(
  store: Store,
  input: { userId: string; productId: string },
): Promise<{ ok: true; name: string }> {
  const [, product] = await runBatch(store.db, [
    sql`DELETE FROM cart_items WHERE user_id = ${input.userId} AND product_id = ${input.productId}`,
    sql`SELECT ${SHOWN_NAME} AS name FROM products p WHERE p.id = ${input.productId}`,
  ]);
  return { ok: true, name: readName(product) ?? "Item" };
}

export async function clearCart(store: Store, userId: string): Promise<void> {
  await store.db.delete(cartItems).where(eq(cartItems.userId, userId));
}
