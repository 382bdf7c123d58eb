import { and, eq, sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { cartItems, type ProductImage } from "#app/db/schema.ts";
import { QUANTITY_MAX } from "./rules.ts";

/** A line of the cart with its product as it is now. Prices in KES. */
export interface CartLine {
  id: string;
  productId: string;
  quantity: number;
  name: string;
  price: number;
  /** When it was put in; differs where the seller changed the price since. */
  priceWhenAdded: number;
  image: ProductImage | null;
  location: string;
  sellerName: string | null;
  /** False for sold, deleted or taken down products: they must go before checkout. */
  available: boolean;
}

/** A user's cart, oldest line first. */
export async function listCart(db: Database, userId: string): Promise<CartLine[]> {
  const rows = await db.all<Omit<CartLine, "image" | "available"> & { image: string | null; available: number }>(
    sql`SELECT c.id, c.product_id AS productId, c.quantity, p.name, p.price, c.price_when_added AS priceWhenAdded, json_extract(p.images, '$[0]') AS image,
        p.location, s.full_name AS sellerName,
        (p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> c.user_id) AS available
      FROM cart_items c JOIN products p ON p.id = c.product_id LEFT JOIN profiles s ON s.id = p.seller_id
      WHERE c.user_id = ${userId} ORDER BY c.created_at, c.id LIMIT 200`,
  );
  return rows.map((row) => ({ ...row, image: row.image ? (JSON.parse(row.image) as ProductImage) : null, available: row.available === 1 }));
}

export type CartResult =
  | { ok: true; name: string }
  | { ok: false; code: "not_available" | "not_found" }
  /** It would be more than 99. */
  | { ok: false; code: "too_many" };

/** Puts `quantity` of a product in; one that is there already grows by as much, up to 99 (accounts spec §4, commerce spec §9). */
export async function addToCart(store: Store, input: { userId: string; productId: string; quantity: number }): Promise<CartResult> {
  const now = store.now();
  if (!isQuantity(input.quantity)) return { ok: false, code: "too_many" };
  const [added] = await runBatch(store.db, [
    sql`INSERT INTO cart_items (id, user_id, product_id, quantity, price_when_added, created_at, updated_at)
      SELECT ${crypto.randomUUID()}, ${input.userId}, p.id, ${input.quantity}, p.price, ${now}, ${now} FROM products p
      WHERE p.id = ${input.productId} AND p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> ${input.userId}
      ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = quantity + excluded.quantity, updated_at = excluded.updated_at
        WHERE quantity + excluded.quantity <= ${QUANTITY_MAX}
      RETURNING (SELECT name FROM products WHERE products.id = product_id) AS name`,
  ]);
  const row = added?.results[0];
  if (row && typeof row === "object" && "name" in row) return { ok: true, name: String(row.name) };
  return explainRefusal(store, input);
}

function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= QUANTITY_MAX;
}

async function explainRefusal(store: Store, input: { userId: string; productId: string }): Promise<CartResult> {
  const [product] = await store.db.all<{ status: string; sellerId: string; gone: number }>(
    sql`SELECT status, seller_id AS sellerId, (deleted_at IS NOT NULL OR suspended_at IS NOT NULL) AS gone FROM products WHERE id = ${input.productId}`,
  );
  if (!product || product.gone === 1) return { ok: false, code: "not_found" };
  if (product.status !== "active" || product.sellerId === input.userId) return { ok: false, code: "not_available" };
  return { ok: false, code: "too_many" };
}

/** Sets a line's quantity: 0 removes it, above 99 is refused. A line that is gone already is no error. */
export async function setCartQuantity(store: Store, input: { userId: string; productId: string; quantity: number }): Promise<{ ok: boolean }> {
  if (input.quantity === 0) return removeFromCart(store, input);
  if (!isQuantity(input.quantity)) return { ok: false };
  await store.db
    .update(cartItems)
    .set({ quantity: input.quantity, updatedAt: store.now() })
    .where(and(eq(cartItems.userId, input.userId), eq(cartItems.productId, input.productId)));
  return { ok: true };
}

export async function removeFromCart(store: Store, input: { userId: string; productId: string }): Promise<{ ok: true }> {
  await store.db.delete(cartItems).where(and(eq(cartItems.userId, input.userId), eq(cartItems.productId, input.productId)));
  return { ok: true };
}

export async function clearCart(store: Store, userId: string): Promise<void> {
  await store.db.delete(cartItems).where(eq(cartItems.userId, userId));
}
