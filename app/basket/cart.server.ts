import { and, eq, sql } from "drizzle-orm";
import { runBatch, type Statement } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { cartItems, type ProductImage } from "#app/db/schema.ts";
import { CART_LINES_MAX, QUANTITY_MAX, QUANTITY_MIN } from "./rules.ts";

/** A line of the cart with its product as it is now. Prices in KES. */
export interface CartLine {
  id: string;
  productId: string;
  quantity: number;
  name: string;
  price: number;
  /** What the buyer knows it costs; differs where the seller changed the price since. */
  priceWhenAdded: number;
  image: ProductImage | null;
  location: string;
  sellerName: string | null;
  /** False for sold, deleted or taken down products: they must go before checkout. */
  available: boolean;
  /** It still has a page of its own. */
  listed: boolean;
}

/** A user's cart, oldest line first. */
export async function listCart(db: Database, userId: string): Promise<CartLine[]> {
  const rows = await db.all<
    Omit<CartLine, "image" | "available" | "listed"> & { image: string | null; available: number; listed: number }
  >(
    sql`SELECT c.id, c.product_id AS productId, c.quantity, p.name, p.price, c.price_when_added AS priceWhenAdded, json_extract(p.images, '$[0]') AS image,
        p.location, s.full_name AS sellerName, (p.deleted_at IS NULL AND p.suspended_at IS NULL) AS listed,
        (p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> c.user_id) AS available
      FROM cart_items c JOIN products p ON p.id = c.product_id LEFT JOIN profiles s ON s.id = p.seller_id
      WHERE c.user_id = ${userId} ORDER BY c.created_at, c.id LIMIT ${CART_LINES_MAX}`,
  );
  return rows.map((row) => ({
    ...row,
    image: row.image ? (JSON.parse(row.image) as ProductImage) : null,
    available: row.available === 1,
    listed: row.listed === 1,
  }));
}

/** Why a product does not go into a cart: it would be more than 99, or more than 200 different ones. */
export type CartRefusal = "not_available" | "not_found" | "too_many" | "cart_full";

export type CartResult = { ok: true; name: string } | { ok: false; code: CartRefusal };

interface Addition {
  userId: string;
  productId: string;
  /** Pieces. */
  quantity: number;
}

/** Puts `quantity` of a product in; one that is there already grows by as much, up to 99 (accounts spec §4, commerce spec §9). */
export async function addToCart(store: Store, input: Addition): Promise<CartResult> {
  if (!isQuantity(input.quantity)) return { ok: false, code: "too_many" };
  const [added] = await runBatch(store.db, [additionToCart(store, input)]);
  const name = readName(added);
  return name === null ? { ok: false, code: await explainCartRefusal(store, input) } : { ok: true, name };
}

/** The statement that adds; it answers with the product's name, or changes nothing. */
export function additionToCart(store: Store, { userId, productId, quantity }: Addition): Statement {
  const now = store.now();
  return sql`INSERT INTO cart_items (id, user_id, product_id, quantity, price_when_added, created_at, updated_at)
    SELECT ${crypto.randomUUID()}, ${userId}, p.id, ${quantity}, p.price, ${now}, ${now} FROM products p
    WHERE p.id = ${productId} AND p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> ${userId}
      AND ((SELECT COUNT(*) FROM cart_items WHERE user_id = ${userId}) < ${CART_LINES_MAX}
        OR EXISTS (SELECT 1 FROM cart_items WHERE user_id = ${userId} AND product_id = ${productId}))
    ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = quantity + excluded.quantity, updated_at = excluded.updated_at
      WHERE quantity + excluded.quantity <= ${QUANTITY_MAX}
    RETURNING (SELECT name FROM products WHERE products.id = product_id) AS name`;
}

export function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= QUANTITY_MIN && quantity <= QUANTITY_MAX;
}

/** The product's name in a statement's first row; null where it touched nothing. */
export function readName(result: D1Result | undefined): string | null {
  const row = result?.results[0];
  return row && typeof row === "object" && "name" in row ? String(row.name) : null;
}

export async function explainCartRefusal(
  store: Store,
  input: { userId: string; productId: string },
): Promise<CartRefusal> {
  const [product] = await store.db.all<{ status: string; sellerId: string; gone: number; inCart: number }>(
    sql`SELECT status, seller_id AS sellerId, (deleted_at IS NOT NULL OR suspended_at IS NOT NULL) AS gone,
        EXISTS (SELECT 1 FROM cart_items WHERE user_id = ${input.userId} AND product_id = products.id) AS inCart
      FROM products WHERE id = ${input.productId}`,
  );
  if (!product || product.gone === 1) return "not_found";
  if (product.status !== "active" || product.sellerId === input.userId) return "not_available";
  return product.inCart === 1 ? "too_many" : "cart_full";
}

/** Sets a line's quantity: 0 removes it, above 99 is refused, and so is a line that is gone (accounts spec §4, commerce spec §5). */
export async function setCartQuantity(store: Store, input: Addition): Promise<{ ok: boolean }> {
  if (input.quantity === 0) return { ok: (await removeFromCart(store, input)).ok };
  if (!isQuantity(input.quantity)) return { ok: false };
  const changed = await store.db
    .update(cartItems)
    .set({ quantity: input.quantity, updatedAt: store.now() })
    .where(and(eq(cartItems.userId, input.userId), eq(cartItems.productId, input.productId)))
    .returning({ id: cartItems.id });
  return { ok: changed.length === 1 };
}

/** The buyer agrees to the price as they see it, KES; where the seller has changed it once more, nothing happens. */
export async function acceptPrice(
  store: Store,
  input: { userId: string; productId: string; price: number },
): Promise<{ ok: boolean }> {
  const [accepted] = await runBatch(store.db, [
    sql`UPDATE cart_items SET price_when_added = ${input.price}, updated_at = ${store.now()}
      WHERE user_id = ${input.userId} AND product_id = ${input.productId}
        AND EXISTS (SELECT 1 FROM products p WHERE p.id = ${input.productId} AND p.price = ${input.price}) RETURNING id`,
  ]);
  return { ok: accepted?.results.length === 1 };
}

/** Takes a line out; answers with the product's name. A line that is gone already is no error. */
export async function removeFromCart(
  store: Store,
  input: { userId: string; productId: string },
): Promise<{ ok: true; name: string }> {
  const [, product] = await runBatch(store.db, [
    sql`DELETE FROM cart_items WHERE user_id = ${input.userId} AND product_id = ${input.productId}`,
    sql`SELECT name FROM products WHERE id = ${input.productId}`,
  ]);
  return { ok: true, name: readName(product) ?? "Item" };
}

export async function clearCart(store: Store, userId: string): Promise<void> {
  await store.db.delete(cartItems).where(eq(cartItems.userId, userId));
}
