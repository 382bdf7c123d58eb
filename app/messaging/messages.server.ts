import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Cursor, readCursor, writeCursor } from "#app/catalogue/rules.ts";
import type { LiveMessage, Notifier } from "#app/platform/live-events.ts";
import { rowOf, rowsOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { messages, orderItems, products } from "#app/db/schema.ts";
import { threadOf } from "./rules.ts";

/** A message as both of its sides see it. `key`: what its sender's page called it before it was sent. */
export type MessageView = LiveMessage;

/** Messages that a conversation loads at a time. */
export const MESSAGES_PAGE_SIZE = 30;
/** Unread messages are counted up to here; the badge says "99+" from there on. */
const UNREAD_COUNTED = 100;

/** One page of a conversation: oldest first, with the cursor of what is older, or null at its beginning. */
export interface MessagePage {
  messages: MessageView[];
  older: string | null;
}

/** What of a conversation is read: all of it with one person, or what is about an item or any item of an order. */
export type Scope = { with: string } | { item: string } | { order: string };

/** The newest messages of a scope that are older than `before`; newest first, one more than a page. For a batch; `readPage` reads it. */
export function selectMessages(db: Database, viewerId: string, scope: Scope, before: Cursor | null = null) {
  const older = before ? sql`(${messages.createdAt}, ${messages.id}) < (${before.createdAt}, ${before.id})` : undefined;
  return db
    .select(messageColumns)
    .from(messages)
    .leftJoin(products, eq(products.id, messages.productId))
    .where(and(within(db, viewerId, scope), older))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(MESSAGES_PAGE_SIZE + 1);
}

const messageColumns = {
  id: messages.id,
  key: messages.idempotencyKey,
  senderId: messages.senderId,
  senderName: messages.senderName,
  recipientId: messages.recipientId,
  message: messages.message,
  images: messages.images,
  createdAt: messages.createdAt,
  read: messages.read,
  kind: messages.kind,
  productId: messages.productId,
  productName: products.name,
  orderId: messages.orderId,
  orderItemId: messages.orderItemId,
};

/** Only ever messages that the viewer wrote or got. */
function within(db: Database, viewerId: string, scope: Scope) {
  if ("with" in scope) return eq(messages.thread, threadOf(viewerId, scope.with));
  const mine = sql`${viewerId} IN (${messages.senderId}, ${messages.recipientId})`;
  if ("item" in scope) return and(eq(messages.orderItemId, scope.item), mine);
  const items = db.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, scope.order));
  return and(inArray(messages.orderItemId, items), mine);
}

/** What `selectMessages` answered. */
export function readPage(rows: MessageView[]): MessagePage {
  const shown = rows.slice(0, MESSAGES_PAGE_SIZE);
  const last = shown.at(-1);
  return { messages: shown.toReversed(), older: rows.length > MESSAGES_PAGE_SIZE && last ? writeCursor(last) : null };
}

/** A page of messages; `before` is the cursor of the page after it. One round trip. */
export async function listMessages(
  db: Database,
  viewerId: string,
  scope: Scope,
  before: string | null,
): Promise<MessagePage> {
  return readPage(await selectMessages(db, viewerId, scope, readCursor(before)));
}

export async function findMessageByKey(db: Database, senderId: string, key: string): Promise<MessageView | null> {
  const [found] = await db
    .select(messageColumns)
    .from(messages)
    .leftJoin(products, eq(products.id, messages.productId))
    .where(and(eq(messages.senderId, senderId), eq(messages.idempotencyKey, key)));
  return found ?? null;
}

/** How many messages to `userId` are unread, at most 100: reads no more rows than it counts. For a batch; `unreadIn` reads it. */
export function countUnread(userId: string): Statement {
  return sql`SELECT COUNT(*) AS unread FROM (SELECT 1 FROM messages WHERE recipient_id = ${userId} AND read = 0 LIMIT ${UNREAD_COUNTED})`;
}

export function unreadIn(result: D1Result | undefined): number {
  return rowOf<{ unread: number }>(result)?.unread ?? 0;
}

/**
 * What the viewer got within a scope is read: the senders' open pages see it, and the viewer's other tabs count
 * anew. Answers how many messages are unread in all. One round trip.
 */
export async function markRead(
  services: Store & { notifier: Notifier; defer(work: Promise<unknown>): void },
  viewerId: string,
  scope: Scope,
): Promise<number> {
  const [marked, counted] = await runBatch(services.db, [
    // By the index of unread messages: by any other it would walk what was read long ago.
    sql`UPDATE messages INDEXED BY messages_unread SET read = 1 WHERE recipient_id = ${viewerId} AND read = 0 AND ${received(viewerId, scope)} RETURNING sender_id AS senderId, created_at AS createdAt`,
    countUnread(viewerId),
  ]);
  const unread = unreadIn(counted);
  const latest = new Map<string, number>();
  for (const { senderId, createdAt } of rowsOf<{ senderId: string; createdAt: number }>(marked)) {
    latest.set(senderId, Math.max(createdAt, latest.get(senderId) ?? 0));
  }
  if (latest.size === 0) return unread;
  const tellSenders = [...latest].map(([senderId, at]) =>
    services.notifier.notify(senderId, { type: "read", by: viewerId, with: senderId, at, ...itemOf(scope) }),
  );
  const tellOwnTabs = [...latest].map(([senderId, at]) =>
    services.notifier.notify(viewerId, { type: "read", by: viewerId, with: senderId, at, unread, ...itemOf(scope) }),
  );
  services.defer(Promise.all([...tellSenders, ...tellOwnTabs]));
  return unread;
}

function received(viewerId: string, scope: Scope): SQL {
  if ("with" in scope) return sql`thread = ${threadOf(viewerId, scope.with)}`;
  if ("item" in scope) return sql`order_item_id = ${scope.item}`;
  return sql`order_item_id IN (SELECT id FROM order_items WHERE order_id = ${scope.order})`;
}

function itemOf(scope: Scope): { item?: string } {
  return "item" in scope ? { item: scope.item } : {};
}
