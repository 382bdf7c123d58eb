import { SHOWN_COVER, SHOWN_NAME } from "#app/catalogue/shown-product.server.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import {
  expectOneChange,
  expectThat,
  PreconditionFailed,
  rowOf,
  rowsOf,
  runBatch,
  type Statement,
} from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { type ProductImage, wishlistItems } from "#app/db/schema.ts";
import {
  additionToCart,
  type CartRefusal,
  explainCartRefusal,
  isQuantity,
  MAX_QUANTITY,
  readName,
  readRaised,
} from "./cart.server.ts";
import { STOCK_COLUMNS, type StockColumns, type StockShown, stockShown } from "./stock-shown.server.ts";
import { QUANTITY_MAX, WISHLIST_MAX } from "./basket-rules.ts";

/** A wishlist item with the current state of its product. Prices in KES. */
export interface WishlistItem extends StockShown {
  id: string;
  productId: string;
  name: string;
  price: number;
  originalPrice: number | null;
  image: ProductImage | null;
  location: string;
  sellerName: string | null;
  /** The largest quantity that the buyer can order. */
  maxQuantity: number;
  /** It can be added to the cart. */
  available: boolean;
  /** The product's page still exists. */
  listed: boolean;
}

/** A user's wishlist, newest item first. */
export async function listWishlist(db: Database, userId: string): Promise<WishlistItem[]> {
  return readWishlist(await db.all(wishlistRows(userId)));
}

/** The query of `listWishlist`. Send it in a batch and read the result with `readWishlist`. */
export function wishlistRows(userId: string): SQL {
  return sql`SELECT w.id, w.product_id AS productId, ${SHOWN_NAME} AS name, p.price, p.original_price AS originalPrice, ${SHOWN_COVER} AS image,
      p.location, s.full_name AS sellerName, ${MAX_QUANTITY} AS maxQuantity, (p.deleted_at IS NULL AND p.suspended_at IS NULL) AS listed,
      (p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> w.user_id) AS available,
      ${STOCK_COLUMNS}
    FROM wishlist_items w JOIN products p ON p.id = w.product_id LEFT JOIN profiles s ON s.id = p.seller_id
    WHERE w.user_id = ${userId} ORDER BY w.created_at DESC, w.id LIMIT ${WISHLIST_MAX}`;
}

export function readWishlist(rows: unknown[] | undefined): WishlistItem[] {
  return (
    (rows ?? []) as (Omit<WishlistItem, "image" | "available" | "listed" | keyof StockShown> &
      StockColumns & {
        image: string | null;
        available: number;
        listed: number;
      })[]
  ).map(({ stock, reserved, condition, ...row }) => ({
    ...row,
    ...stockShown({ stock, reserved, condition }),
    image: row.image ? (JSON.parse(row.image) as ProductImage) : null,
    available: row.available === 1,
    listed: row.listed === 1,
  }));
}

interface Wish {
  userId: string;
  productId: string;
}

/** Adds an item, unless it is there already, the product is gone or the user's own, or the list is full. */
function noteWish(store: Store, { userId, productId }: Wish): Statement {
  return sql`INSERT INTO wishlist_items (id, user_id, product_id, created_at)
    SELECT ${crypto.randomUUID()}, ${userId}, p.id, ${store.now()} FROM products p
    WHERE p.id = ${productId} AND p.deleted_at IS NULL AND p.suspended_at IS NULL AND p.seller_id <> ${userId}
      AND (SELECT COUNT(*) FROM wishlist_items WHERE user_id = ${userId}) < ${WISHLIST_MAX}
    ON CONFLICT (user_id, product_id) DO NOTHING RETURNING id`;
}

function isWished({ userId, productId }: Wish) {
  return sql`EXISTS (SELECT 1 FROM wishlist_items WHERE user_id = ${userId} AND product_id = ${productId})`;
}

/** Adds a product to the wishlist. Also succeeds if it is there already. */
export async function addToWishlist(
  store: Store,
  wish: Wish,
): Promise<{ ok: true; name: string } | { ok: false; code: "not_found" | "full" }> {
  const [, found] = await runBatch(store.db, [
    noteWish(store, wish),
    sql`SELECT ${SHOWN_NAME} AS name, ${isWished(wish)} AS wished, (p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL OR p.seller_id = ${wish.userId}) AS refused
      FROM products p WHERE p.id = ${wish.productId}`,
  ]);
  const row = rowOf<{ name: string; wished: number; refused: number }>(found);
  if (row?.wished === 1) return { ok: true, name: row.name };
  return { ok: false, code: !row || row.refused === 1 ? "not_found" : "full" };
}

/** Removes a product and returns its name. Also succeeds if it isn't there. */
export async function removeFromWishlist(store: Store, wish: Wish): Promise<{ ok: true; name: string }> {
  const [, product] = await runBatch(store.db, [forgetWish(wish), nameOf(wish)]);
  return { ok: true, name: readName(product) ?? "Item" };
}

function forgetWish({ userId, productId }: Wish): Statement {
  return sql`DELETE FROM wishlist_items WHERE user_id = ${userId} AND product_id = ${productId}`;
}

function nameOf({ productId }: Wish): Statement {
  return sql`SELECT ${SHOWN_NAME} AS name FROM products p WHERE p.id = ${productId}`;
}

export async function clearWishlist(store: Store, userId: string): Promise<void> {
  await store.db.delete(wishlistItems).where(eq(wishlistItems.userId, userId));
}

/** `raisedTo`: as of `addToCart`. */
type Moved = { ok: true; name: string; wishStays: boolean; raisedTo: number | null } | ({ ok: false } & CartRefusal);

/**
 * Moves `quantity` of an item to the cart. Either both lists change, or neither does, or the item stays (`wishStays`).
 * If there is only one and it is in the cart already, it is only removed from the wishlist.
 */
export async function moveToCart(
  store: Store,
  input: Wish & { quantity: number; key?: string | undefined },
): Promise<Moved> {
  if (!isQuantity(input.quantity)) return { ok: false, code: "over_limit", max: QUANTITY_MAX };
  try {
    const [added] = await runBatch(store.db, [additionToCart(store, input), expectOneChange(), forgetWish(input)]);
    return { ok: true, name: readName(added) ?? "Item", wishStays: false, raisedTo: readRaised(added, input) };
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) return copyToCart(store, input, error);
    const refusal = await explainCartRefusal(store, input);
    if (refusal.code === "in_cart") await removeFromWishlist(store, input);
    return { ok: false, ...refusal };
  }
}

/**
 * After a move that failed or whose answer was lost: an item that is still on the wishlist is added to the cart and
 * stays; one that is gone was moved.
 */
async function copyToCart(
  store: Store,
  input: Wish & { quantity: number; key?: string | undefined },
  cause: unknown,
): Promise<Moved> {
  try {
    const [, added] = await runBatch(store.db, [
      expectThat(isWished(input)),
      additionToCart(store, input),
      expectOneChange(),
    ]);
    return { ok: true, name: readName(added) ?? "Item", wishStays: true, raisedTo: readRaised(added, input) };
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    const inCart = sql`EXISTS (SELECT 1 FROM cart_items WHERE user_id = ${input.userId} AND product_id = ${input.productId})`;
    const [moved] = await runBatch(store.db, [
      sql`SELECT ${SHOWN_NAME} AS name FROM products p WHERE p.id = ${input.productId} AND ${inCart} AND NOT ${isWished(input)}`,
    ]);
    const name = readName(moved);
    if (name === null) throw cause;
    return { ok: true, name, wishStays: false, raisedTo: null };
  }
}

/**
 * Moves a line of the cart to the wishlist. One that is on the wishlist already (`already`) is only removed from the
 * cart. Both lists change, or neither.
 */
export async function moveToWishlist(
  store: Store,
  wish: Wish,
): Promise<{ ok: true; name: string; already: boolean } | { ok: false }> {
  try {
    const [noted, , , product] = await runBatch(store.db, [
      noteWish(store, wish),
      expectThat(isWished(wish)),
      sql`DELETE FROM cart_items WHERE user_id = ${wish.userId} AND product_id = ${wish.productId}`,
      nameOf(wish),
    ]);
    return { ok: true, name: readName(product) ?? "Item", already: rowsOf(noted).length === 0 };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false };
    throw error;
  }
}
