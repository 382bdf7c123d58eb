import {
  and,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Cursor, readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { markSeen } from "#app/notifications/seen.server.ts";
import type { LiveMessage, LiveOffer, Notifier } from "#app/live/live-events.ts";
import { prepareOnce, write } from "#app/db/batch.ts";
import { asBoolean, asJson, build, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { feeRuleJson } from "#app/catalogue/fees/fees.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { contactWarning } from "#app/safety/contact-warning-rules.ts";
import { earlierWords, threadOf } from "#app/messaging/message-rules.ts";
import { selectMeeting } from "./live-meeting.server.ts";
import { spokenName } from "./spoken-name.server.ts";

/** A message as both sides see it. `key` is the id that its sender's page gave it. */
export type MessageView = LiveMessage;

/**
 * A message with what its reader should be careful about. `origin` is this site's own. `earlier`: what its sender wrote
 * just before, oldest first.
 */
export function withWarning(message: MessageView, origin: string, earlier: readonly string[] = []): MessageView {
  const warning = contactWarning(message.message, origin, earlier);
  return warning ? { ...message, warning } : message;
}

/** What reading messages needs. */
export interface MessageReader extends Pick<Store, "db" | "now"> {
  /** This site's own. Links to it bring no warning. */
  origin: string;
}

/** How many messages a conversation loads at a time. */
export const MESSAGES_PAGE_SIZE = 30;
/** Unread messages are counted up to here. From there on the badge says "99+". */
const UNREAD_COUNTED = 100;

/** One page of a conversation, oldest first. */
export interface MessagePage {
  messages: MessageView[];
  /** The cursor of the messages before them; null at the beginning of the conversation. */
  older: string | null;
}

/** Which messages to read: all with one person, or those about an item or about any item of an order. */
export type Scope = { with: string } | { item: string } | { order: string };

/** What to read: the newest messages of a scope before `before`, which the viewer sent or received. */
export interface PageQuery {
  viewerId: string;
  scope: Scope;
  before?: Cursor | null;
  /** Ms since 1970. */
  now: number;
}

/** The query for a page of messages: newest first, one more than a page. Read its result with `readPage`. */
export function selectPage(db: Database, { viewerId, scope, before, now }: PageQuery) {
  const older = before ? sql`(${messages.createdAt}, ${messages.id}) < (${before.createdAt}, ${before.id})` : undefined;
  return db
    .select(messageColumns(viewerId, now))
    .from(messages)
    .leftJoin(products, eq(products.id, messages.productId))
    .where(and(within(db, viewerId, scope), older))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(MESSAGES_PAGE_SIZE + 1);
}

const offerRow = alias(offers, "offer_row");

/** An offer, with the fee that holds at `now`; null for no offer. */
export function selectOffer(offerId: SQLWrapper, now: number): SQL<LiveOffer | null> {
  const offer = sql`json_object('id', ${offerRow.id}, 'buyerId', ${offerRow.buyerId}, 'amount', ${offerRow.amount},
    'counterAmount', ${offerRow.counterAmount}, 'price', ${productRow.price}, 'feeRule', json(${feeRuleJson(now)}),
    'state', ${offerRow.state}, 'endReason', ${offerRow.endReason}, 'expiresAt', ${offerRow.expiresAt})`;
  return asJson(
    sql`${build
      .select({ offer })
      .from(offerRow)
      .innerJoin(productRow, eq(productRow.id, offerRow.productId))
      .where(eq(offerRow.id, offerId))}`,
  );
}

/** The columns of a message as `viewerId` sees it. */
const messageColumns = (viewerId: string, now: number) => ({
  id: messages.id,
  key: messages.idempotencyKey,
  ...pick(messages, "senderId", "senderName", "recipientId"),
  message: sql<string>`CASE WHEN ${messages.removedAt} IS NULL THEN ${messages.message} ELSE '' END`.as(
    "shown_message",
  ),
  images: sql`CASE WHEN ${messages.removedAt} IS NULL THEN ${messages.images} ELSE '[]' END`
    .mapWith(messages.images)
    .as("shown_images") as SQL.Aliased<ProductImage[]>,
  removed: asBoolean(isNotNull(messages.removedAt)).as("removed"),
  ...pick(messages, "createdAt", "read", "kind", "productId"),
  productName: spokenName(sql`${messages.orderItemId}`, sql`${products.sellerId} = ${viewerId}`).as(
    "shown_product",
  ) as SQL.Aliased<string | null>,
  orderId: messages.orderId,
  orderItemId: messages.orderItemId,
  offer: selectOffer(messages.offerId, now).as("offer"),
  meeting: selectMeeting(sql`CASE WHEN ${messages.kind} = 'meeting' THEN ${messages.orderItemId} END`).as("meeting"),
});

/** Limits every scope to messages that the viewer sent or received. */
function within(db: Database, viewerId: string, scope: Scope) {
  if ("with" in scope) return eq(messages.thread, threadOf(viewerId, scope.with));
  const mine = sql`${viewerId} IN (${messages.senderId}, ${messages.recipientId})`;
  if ("item" in scope) return and(eq(messages.orderItemId, scope.item), mine);
  const items = db.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, scope.order));
  return and(inArray(messages.orderItemId, items), mine);
}

/** The page from the result of `selectPage`. */
export function readPage(origin: string, viewerId: string, rows: readonly MessageView[]): MessagePage {
  const shown = rows.slice(0, MESSAGES_PAGE_SIZE);
  const last = shown.at(-1);
  return {
    // A warning is for the recipient only.
    messages: shown.toReversed().map((message, at, all) => {
      if (message.senderId === viewerId) return message;
      const earlier = all.slice(Math.max(0, at - 10), at).filter(({ senderId }) => senderId === message.senderId);
      return withWarning(message, origin, earlierWords(earlier, message.createdAt));
    }),
    older: rows.length > MESSAGES_PAGE_SIZE && last ? writeCursor(last) : null,
  };
}

/** A page of messages. `before` is the cursor of the page after it. One round trip. */
export async function listMessages(
  { db, now, origin }: MessageReader,
  viewerId: string,
  scope: Scope,
  before: string | null,
): Promise<MessagePage> {
  const rows = await selectPage(db, { viewerId, scope, before: readCursor(before), now: now() });
  return readPage(origin, viewerId, rows);
}

export async function findMessageByKey({ db, now }: Store, senderId: string, key: string): Promise<MessageView | null> {
  const [found] = await db
    .select(messageColumns(senderId, now()))
    .from(messages)
    .leftJoin(products, eq(products.id, messages.productId))
    .where(and(eq(messages.senderId, senderId), eq(messages.idempotencyKey, key)));
  return found ?? null;
}

/**
 * The query for the number of unread messages to `userId`, at most 100. It reads no more rows than it counts. Send it
 * in a batch and read the result with `unreadIn`.
 */
export function countUnread(userId: string) {
  return unreadRows({ userId });
}

/** SQL: how many messages of somebody a person hasn't read. It reads no more rows than it counts. */
export function unreadFrom(userId: string | SQLWrapper, otherId: string | SQLWrapper): SQL<number> {
  return sql`(SELECT COUNT(*) FROM ${messages} WHERE ${isUnreadFrom(userId, otherId)})`;
}

/** SQL on messages: one of somebody that a person hasn't read. */
export function isUnreadFrom(userId: string | SQLWrapper, otherId: string | SQLWrapper): SQL {
  return sql`${isUnreadBy(userId)} AND ${messages.senderId} = ${otherId}`;
}

/** The text of the condition is that of the index. */
function isUnreadBy(userId: string | Placeholder | SQLWrapper): SQL {
  return sql`${messages.recipientId} = ${userId} AND ${messages.read} = 0`;
}

const unreadRows = prepareOnce(
  build.select({ unread: count() }).from(
    build
      .select({ one: sql`1`.as("one") })
      .from(messages)
      .where(isUnreadBy(sql.placeholder("userId")))
      .limit(UNREAD_COUNTED)
      .as("some"),
  ),
);

export function unreadIn(counted: readonly { unread: number }[] | undefined): number {
  return counted?.[0]?.unread ?? 0;
}

/**
 * Marks as read what the viewer received within a scope. The senders' open pages and the viewer's other tabs are told.
 * Returns the number of messages that are still unread. One round trip.
 */
export async function markRead(
  services: Store & { notifier: Notifier; defer(work: Promise<unknown>): void },
  viewerId: string,
  scope: Scope,
): Promise<number> {
  const { db } = services;
  const { marked, counted } = await write(db, {
    // Uses the index of unread messages. Any other would read all old messages. Not built, because it names the index.
    marked: sql<
      Pick<typeof messages.$inferSelect, "senderId" | "createdAt">
    >`UPDATE ${messages} INDEXED BY messages_unread SET read = 1
      WHERE ${isUnreadBy(viewerId)} AND ${within(db, viewerId, scope)}
      RETURNING ${messages.senderId} AS senderId, ${messages.createdAt} AS createdAt`,
    counted: countUnread(viewerId),
    also: "with" in scope ? [markSeen(viewerId, [`person:${scope.with}`], services.now())] : [],
  });
  const unread = unreadIn(counted);
  const latest = new Map<string, number>();
  for (const { senderId, createdAt } of marked.results) {
    latest.set(senderId, Math.max(createdAt, latest.get(senderId) ?? 0));
  }
  if (latest.size === 0) return unread;
  const tellSenders = [...latest].map(([senderId, at]) =>
    services.notifier.send(senderId, { type: "read", by: viewerId, with: senderId, at, ...itemOf(scope) }),
  );
  const tellOwnTabs = [...latest].map(([senderId, at]) =>
    services.notifier.send(viewerId, { type: "read", by: viewerId, with: senderId, at, unread, ...itemOf(scope) }),
  );
  services.defer(Promise.all([...tellSenders, ...tellOwnTabs]));
  return unread;
}

function itemOf(scope: Scope): { item?: string } {
  return "item" in scope ? { item: scope.item } : {};
}
