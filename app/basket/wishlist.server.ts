/** What people do with their wishlists. */
import { SHOWN_NAME } from "#app/catalogue/product/shown-product.server.ts";
import { and, count, eq, ne, not, type SQL, sql } from "drizzle-orm";
import { PreconditionFailed, expectOneChange, expectThat, write } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { wishlistItems } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import {
  additionToCart,
  type CartRefusal,
  explainCartRefusal,
  isInCart,
  nameOf,
  raisedTo,
  removalFromCart,
} from "./cart.server.ts";
import { IS_LISTED, isQuantity } from "./orderable.server.ts";
import { countSaves } from "./saved-notice.server.ts";
import { QUANTITY_MAX, WISHLIST_MAX } from "./basket-rules.ts";

interface Wish {
  userId: string;
  productId: string;
}

/**
 * Adds an item, unless it is there already, the product is gone or the user's own, or the list is full. Then its seller
 * is told how many have saved it.
 */
function noteWish(store: Store, { userId, productId }: Wish) {
  const wishes = build.select({ wishes: count() }).from(wishlistItems).where(eq(wishlistItems.userId, userId));
  const mayWish = and(eq(productRow.id, productId), isWishable(userId), sql`${wishes} < ${WISHLIST_MAX}`);
  const noted = insertEach(
    wishlistItems,
    { id: crypto.randomUUID(), userId, productId: productRow.id, price: productRow.price, createdAt: store.now() },
    sql`FROM ${products} product_row WHERE ${mayWish}`,
  )
    .onConflictDoNothing({ target: [wishlistItems.userId, wishlistItems.productId] })
    .returning({ id: wishlistItems.id });
  return { noted, counted: countSaves(productId, store.now()) };
}

/** SQL on `productRow`: it is listed and somebody else's. */
function isWishable(userId: string): SQL {
  return and(IS_LISTED, ne(productRow.sellerId, userId)) as SQL;
}

function isWish({ userId, productId }: Wish) {
  return and(eq(wishlistItems.userId, userId), eq(wishlistItems.productId, productId));
}

function isWished(wish: Wish): SQL {
  return hasRow(wishlistItems, isWish(wish));
}

/** Adds a product to the wishlist. Also succeeds if it is there already. */
export async function addToWishlist(
  store: Store,
  wish: Wish,
): Promise<{ ok: true; name: string } | { ok: false; code: "not_found" | "full" }> {
  const {
    product: [product],
  } = await write(store.db, {
    ...noteWish(store, wish),
    product: build
      .select({ name: SHOWN_NAME, wished: asBoolean(isWished(wish)), wishable: asBoolean(isWishable(wish.userId)) })
      .from(productRow)
      .where(eq(productRow.id, wish.productId)),
  });
  if (product?.wished) return { ok: true, name: product.name };
  return { ok: false, code: product?.wishable ? "full" : "not_found" };
}

/** Removes a product and returns its name. Also succeeds if it isn't there. */
export async function removeFromWishlist(store: Store, wish: Wish): Promise<{ ok: true; name: string }> {
  const {
    product: [product],
  } = await write(store.db, { forgotten: forgetWish(wish), product: nameOf(wish.productId) });
  return { ok: true, name: product?.name ?? "Item" };
}

function forgetWish(wish: Wish) {
  return build.delete(wishlistItems).where(isWish(wish));
}

export async function clearWishlist(store: Store, userId: string): Promise<void> {
  await write(store.db, [build.delete(wishlistItems).where(eq(wishlistItems.userId, userId))]);
}

interface Move extends Wish {
  quantity: number;
  /** KES, as the wishlist showed it. */
  price?: number | undefined;
  key?: string | undefined;
}

/** `raisedTo`: as of `addToCart`. */
type Moved = { ok: true; name: string; wishStays: boolean; raisedTo: number | null } | ({ ok: false } & CartRefusal);

/**
 * Moves `quantity` of an item to the cart. Either both lists change, or neither does, or the item stays (`wishStays`).
 * If there is only one and it is in the cart already, it is only removed from the wishlist.
 */
export async function moveToCart(store: Store, input: Move): Promise<Moved> {
  if (!isQuantity(input.quantity)) return { ok: false, code: "over_limit", max: QUANTITY_MAX };
  try {
    const {
      added: [added],
    } = await write(store.db, {
      added: additionToCart(store, input),
      wasAdded: expectOneChange(),
      forgotten: forgetWish(input),
    });
    return { ok: true, wishStays: false, ...moved(added, input) };
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
async function copyToCart(store: Store, input: Move, cause: unknown): Promise<Moved> {
  try {
    const {
      added: [added],
    } = await write(store.db, {
      stillWished: expectThat(isWished(input)),
      added: additionToCart(store, input),
      wasAdded: expectOneChange(),
    });
    return { ok: true, wishStays: true, ...moved(added, input) };
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    const [product] = await store.db
      .select({ name: SHOWN_NAME })
      .from(productRow)
      .where(and(eq(productRow.id, input.productId), isInCart(input.userId, input.productId), not(isWished(input))));
    if (!product) throw cause;
    return { ok: true, name: product.name, wishStays: false, raisedTo: null };
  }
}

/** What `additionToCart` did. The batch was undone if it did nothing. */
function moved(
  added: { name: string; quantity: number; smallest: number } | undefined,
  asked: { quantity: number },
): { name: string; raisedTo: number | null } {
  return { name: added?.name ?? "Item", raisedTo: added ? raisedTo(added, asked) : null };
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
    const {
      noted: [noted],
      product: [product],
    } = await write(store.db, {
      ...noteWish(store, wish),
      isWished: expectThat(isWished(wish)),
      removed: removalFromCart(wish),
      product: nameOf(wish.productId),
    });
    return { ok: true, name: product?.name ?? "Item", already: noted === undefined };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false };
    throw error;
  }
}
