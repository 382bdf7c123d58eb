import type { FeeRule } from "#app/catalogue/fees/fee-rules.ts";
import { feeRule } from "#app/catalogue/fees/fees.server.ts";
import { SHOWN_COVER, SHOWN_NAME } from "#app/catalogue/product/shown-product.server.ts";
import { and, asc, count, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Block, BlockedSale } from "#app/accounts/trust/block-rules.ts";
import { blockOf } from "#app/accounts/trust/blocks.server.ts";
import { awayUntil, sellerName } from "#app/accounts/profile/holiday.server.ts";
import { OFFER_PRICE } from "#app/catalogue/offer-price.server.ts";
import { prepareOnce, read, write } from "#app/db/batch.ts";
import { asBoolean, asJson, build, hasRow, insertEach, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { cartItems } from "./tables.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { type Pricing } from "#app/catalogue/selling/price-step-rules.ts";
import { STEPS_OF, unitPriceOf } from "#app/catalogue/selling/wholesale.server.ts";
import { isAcceptedFor } from "#app/catalogue/stock/reservations.server.ts";
import { reservedFields } from "#app/catalogue/stock/stock-waits-columns.server.ts";
import { STOCK_FIELDS, type StockShown, stockShown } from "./stock-shown.server.ts";
import { CART_LINES_MAX, QUANTITY_MAX } from "./basket-rules.ts";
import { isAvailableTo, IS_LISTED, isQuantity, MAX_QUANTITY, SMALLEST_ORDER } from "./orderable.server.ts";
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
  /** Of the listing: raised by each edit of its name, condition, facts, description or photos. */
  revision: number;
  /** The one that the buyer has accepted. */
  revisionWhenAdded: number;
  /** The service fee that its order has; null for none. */
  feeRule: FeeRule | null;
  image: ProductImage | null;
  sellerName: string | null;
  /** False for what is sold, deleted, taken down, or across a block. */
  available: boolean;
  /** One of buyer and seller has blocked the other; null when nobody has. */
  block: Block | null;
  /** When the seller's holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
  /** The product's page still exists. */
  listed: boolean;
  /** Others have reserved all that is left. */
  reservedByOthers: boolean;
  /** When the first of their reservations may end, ms since 1970; null when nobody knows. */
  reservedUntil: number | null;
  /** The buyer's accepted offer: they pay its `amount` (KES) in an order of its own. Null when there is none. */
  offer: { id: string; amount: number } | null;
}

const lineRows = prepareOnce(selectLines(sql.placeholder("userId"), sql.placeholder("now")));

/**
 * A user's cart, oldest line first. A line's quantity is never more than can be ordered, even if the seller has fewer
 * now.
 */
export async function listCart({ db, now }: Store, userId: string): Promise<CartLine[]> {
  const rows = await read(db, lineRows({ userId, now: now() }));
  return rows.map(({ quantity, price, steps, priceWhenAdded, stepsWhenAdded, stock, reserved, condition, ...row }) => ({
    ...atQuantity(
      {
        ...row,
        pricing: { price, steps: steps ?? [] },
        accepted: { price: priceWhenAdded, steps: stepsWhenAdded ?? [] },
      },
      quantity,
    ),
    ...stockShown({ stock, reserved, condition }),
  }));
}

function selectLines(userId: SQLWrapper, now: SQLWrapper) {
  return build
    .select({
      id: cartItems.id,
      productId: cartItems.productId,
      quantity: sql<number>`MIN(${cartItems.quantity}, ${MAX_QUANTITY})`,
      maxQuantity: MAX_QUANTITY,
      minQuantity: SMALLEST_ORDER,
      name: SHOWN_NAME,
      price: productRow.price,
      steps: STEPS_OF,
      priceWhenAdded: cartItems.priceWhenAdded,
      stepsWhenAdded: cartItems.stepsWhenAdded,
      revision: productRow.revision,
      revisionWhenAdded: cartItems.revisionWhenAdded,
      image: asJson<ProductImage | null>(SHOWN_COVER),
      sellerName: profiles.fullName,
      listed: asBoolean(IS_LISTED),
      available: asBoolean(isAvailableTo(userId)),
      block: blockOf(userId, productRow.sellerId),
      awayUntil: awayUntil(sql`${productRow.sellerId}`, now),
      offer: asJson<CartLine["offer"]>(sql`(SELECT json_object('id', ${offers.id}, 'amount', ${OFFER_PRICE})
        FROM ${offers} WHERE ${isAcceptedFor(userId)})`),
      feeRule: feeRule(now),
      ...STOCK_FIELDS,
      ...reservedFields(userId),
    })
    .from(cartItems)
    .innerJoin(productRow, eq(productRow.id, cartItems.productId))
    .leftJoin(profiles, eq(profiles.id, productRow.sellerId))
    .where(eq(cartItems.userId, userId))
    .orderBy(asc(cartItems.createdAt), asc(cartItems.id))
    .limit(CART_LINES_MAX);
}

export type CartRefusal =
  | { code: "not_available" | "not_found" }
  | ({ code: "blocked" } & BlockedSale)
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
  /** What the buyer saw, which is what they accept: KES for one piece, price steps in JSON, and `products.revision`. */
  price?: number | undefined;
  steps?: string | undefined;
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
  const {
    added: [added],
  } = await write(store.db, { added: additionToCart(store, input) });
  if (!added) return { ok: false, ...(await explainCartRefusal(store, input)) };
  return { ok: true, name: added.name, raisedTo: raisedTo(added, input) };
}

/** The smallest order, if `additionToCart` put so many into the cart although fewer were asked for; else null. */
export function raisedTo(
  { quantity, smallest }: { quantity: number; smallest: number },
  asked: { quantity: number },
): number | null {
  return quantity === smallest && quantity > asked.quantity ? quantity : null;
}

/** The statement that adds the product. It returns the product's name and the line's quantity, or changes nothing. */
export function additionToCart(store: Store, { userId, productId, quantity, price, steps, revision, key }: Addition) {
  const now = store.now();
  const lines = build.select({ lines: count() }).from(cartItems).where(eq(cartItems.userId, userId));
  const mayAdd = sql`${eq(productRow.id, productId)} AND ${isAvailableTo(userId)} AND ${quantity} <= ${MAX_QUANTITY}
    AND (${lines} < ${CART_LINES_MAX} OR ${isInCart(userId, productId)})`;
  const isRepeated = sql`${cartItems.lastAdditionKey} = ${key ?? null}`;
  const grown = sql`${cartItems.quantity} + ${quantity}`;
  const raised = ofProduct(productId, sql`MAX(${grown}, ${SMALLEST_ORDER})`);
  return insertEach(
    cartItems,
    {
      id: crypto.randomUUID(),
      userId,
      productId: productRow.id,
      quantity: sql`MAX(${quantity}, ${SMALLEST_ORDER})`,
      priceWhenAdded: sql`COALESCE(${price ?? null}, ${productRow.price})`,
      stepsWhenAdded: sql`COALESCE(${steps ?? null}, ${STEPS_OF})`,
      revisionWhenAdded: sql`COALESCE(${revision ?? null}, ${productRow.revision})`,
      lastAdditionKey: key ?? null,
      createdAt: now,
      updatedAt: now,
    },
    sql`FROM ${products} product_row WHERE ${mayAdd}`,
  )
    .onConflictDoUpdate({
      target: [cartItems.userId, cartItems.productId],
      set: {
        quantity: sql`CASE WHEN ${isRepeated} THEN ${cartItems.quantity} ELSE ${raised} END`,
        lastAdditionKey: key ?? null,
        updatedAt: now,
      },
      setWhere: sql`${isRepeated} OR ${grown} <= ${ofProduct(productId, MAX_QUANTITY)}`,
    })
    .returning({
      name: ofProduct<string>(productId, sql`${productRow.name}`),
      quantity: cartItems.quantity,
      smallest: ofProduct<number>(productId, SMALLEST_ORDER),
    });
}

/** SQL: a value of one `productRow`. */
function ofProduct<T>(productId: string, value: SQL): SQL<T> {
  return sql<T>`${build
    .select({ value: sql`${value}` })
    .from(productRow)
    .where(eq(productRow.id, productId))}`;
}

/** SQL: the product is in the cart. */
export function isInCart(userId: string, productId: string): SQL {
  return hasRow(cartItems, isLine({ userId, productId }));
}

function isLine({ userId, productId }: { userId: string; productId: string }) {
  return and(eq(cartItems.userId, userId), eq(cartItems.productId, productId));
}

/** The query for the name of a product. */
export function nameOf(productId: string) {
  return build.select({ name: SHOWN_NAME }).from(productRow).where(eq(productRow.id, productId));
}

/** Why `additionToCart` or a new quantity changed nothing. */
export async function explainCartRefusal(
  store: Store,
  { userId, productId, quantity }: Addition,
): Promise<CartRefusal> {
  const [product] = await store.db
    .select({
      ...pick(productRow, "name", "status", "sellerId"),
      seller: sellerName(sql`${productRow.sellerId}`),
      block: blockOf(userId, productRow.sellerId),
      listed: asBoolean(IS_LISTED),
      maxQuantity: MAX_QUANTITY,
      inCart: asBoolean(isInCart(userId, productId)),
    })
    .from(productRow)
    .where(eq(productRow.id, productId));
  if (!product?.listed) return { code: "not_found" };
  if (product.status !== "active" || product.sellerId === userId) return { code: "not_available" };
  if (product.block) return { code: "blocked", name: product.name, seller: product.seller, block: product.block };
  const overLimit = { code: "over_limit", max: product.maxQuantity } as const;
  if (quantity > product.maxQuantity) return overLimit;
  if (!product.inCart) return { code: "cart_full" };
  return product.maxQuantity === 1 ? { code: "in_cart", name: product.name } : overLimit;
}

/**
 * Sets a line's quantity. 0 removes the line. Refuses a line that is gone (`max` is null), and more than `max`, the
 * most that can be ordered.
 */
export async function setCartQuantity(
  store: Store,
  input: Addition,
): Promise<{ ok: true } | { ok: false; max: number | null }> {
  const { productId, quantity } = input;
  if (quantity === 0) {
    await removeFromCart(store, input);
    return { ok: true };
  }
  if (!isQuantity(quantity)) return { ok: false, max: null };
  const max = build.select({ max: MAX_QUANTITY }).from(productRow).where(eq(productRow.id, productId));
  const {
    changed,
    product: [product],
  } = await write(store.db, {
    changed: build
      .update(cartItems)
      .set({ quantity, updatedAt: store.now() })
      .where(and(isLine(input), sql`${quantity} <= ${max}`))
      .returning({ id: cartItems.id }),
    product: max,
  });
  if (changed.length === 1) return { ok: true };
  return { ok: false, max: product && quantity > product.max ? product.max : null };
}

/**
 * The buyer accepts the price of one piece that they see, in KES, and with it all price steps, and the listing as it is
 * at this revision. Does nothing if the seller has changed one of them once more.
 */
export async function acceptPrice(
  store: Store,
  input: { userId: string; productId: string; price: number; revision?: number | undefined },
): Promise<{ ok: boolean }> {
  const price = unitPriceOf(sql`MIN(${cartItems.quantity}, ${MAX_QUANTITY})`);
  const isAsSeen = sql`${price} = ${input.price}
    AND ${productRow.revision} = COALESCE(${input.revision ?? null}, ${cartItems.revisionWhenAdded})`;
  const { accepted } = await write(store.db, {
    accepted: build
      .update(cartItems)
      .set({
        priceWhenAdded: sql`${productRow.price}`,
        stepsWhenAdded: sql`${STEPS_OF}`,
        revisionWhenAdded: sql`${productRow.revision}`,
        updatedAt: store.now(),
      })
      .from(productRow)
      .where(and(eq(productRow.id, cartItems.productId), isLine(input), isAsSeen))
      .returning({ id: cartItems.id }),
  });
  return { ok: accepted.length === 1 };
}

/** Removes a line and returns the product's name. A line that is already gone isn't an error. */
export async function removeFromCart(
  store: Store,
  input: { userId: string; productId: string },
): Promise<{ ok: true; name: string }> {
  const {
    product: [product],
  } = await write(store.db, { removed: removalFromCart(input), product: nameOf(input.productId) });
  return { ok: true, name: product?.name ?? "Item" };
}

export function removalFromCart(line: { userId: string; productId: string }) {
  return build.delete(cartItems).where(isLine(line));
}

export async function clearCart(store: Store, userId: string): Promise<void> {
  await write(store.db, [build.delete(cartItems).where(eq(cartItems.userId, userId))]);
}
