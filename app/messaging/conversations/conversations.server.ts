import { itemRow } from "#app/orders/table-rows.server.ts";
import { and, desc, eq, exists, gt, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { memberRow, readMember } from "#app/accounts/member.server.ts";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { type Cursor, type Place, readPlace, writePlace } from "#app/catalogue/catalogue-rules.ts";
import { shownImages } from "#app/catalogue/product/shown-product.server.ts";
import { asBoolean, build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { conversations, messages } from "#app/messaging/tables.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import {
  type MessagePage,
  type MessageReader,
  type MessageView,
  readPage,
  selectPage,
  unreadFrom,
} from "./messages.server.ts";
import { meetingSuggested } from "./live-meeting.server.ts";
import { hasBlocked } from "#app/accounts/trust/blocks.server.ts";
import { messageWords, NOBODY, REMOVED_MESSAGE } from "#app/messaging/message-rules.ts";
import { spokenName } from "./spoken-name.server.ts";
import { read } from "#app/db/batch.ts";

/** How many conversations the inbox loads at a time. */
export const CONVERSATIONS_PAGE_SIZE = 20;

/** The subject of the conversation's latest message that had one. */
export interface About {
  productId: string;
  productName: string;
  image: ProductImage | null;
  /** Null for a listing. */
  orderId: string | null;
  /** "Order" and its short id. Null for a listing. */
  orderName: string | null;
  orderItemId: string | null;
  /** Whether the viewer is the item's seller. */
  selling: boolean;
}

/** A conversation in one person's inbox. */
export interface ConversationView {
  /** The other person's. In an inbox it names the conversation. */
  id: string;
  name: string;
  /** The path of their photo's smallest variant. */
  photoUrl: string | null;
  lastText: string;
  lastAt: number;
  lastIsMine: boolean;
  /** For the viewer's own last message: the other person has read it. */
  lastIsRead: boolean;
  unread: number;
  about: About | null;
}

export interface ConversationPage {
  conversations: ConversationView[];
  /** The next page's cursor; null at the end. */
  next: string | null;
}

/** SQL: the reader sells the product that the conversation is about. */
const isOwn = sql`${products.sellerId} = ${conversations.userId}`;

const conversationColumns = {
  otherId: conversations.otherId,
  name: sql<string>`COALESCE(NULLIF(${profiles.fullName}, ''), ${NOBODY})`.as("other_name"),
  photoUrl: profiles.photoUrl,
  lastText: messages.message,
  lastIsRemoved: asBoolean(isNotNull(messages.removedAt)).as("last_is_removed"),
  lastPhotos: sql<number>`json_array_length(${messages.images})`.as("last_photos"),
  lastAt: conversations.lastAt,
  lastSenderId: messages.senderId,
  lastIsRead: messages.read,
  unread: unreadFrom(conversations.userId, conversations.otherId).as("unread"),
  productId: conversations.productId,
  productName: spokenName(sql`${conversations.orderItemId}`, isOwn).as("about_name") as SQL.Aliased<string | null>,
  images: shownImages(isOwn).mapWith(products.images).as("about_images") as SQL.Aliased<ProductImage[] | null>,
  orderId: conversations.orderId,
  orderItemId: conversations.orderItemId,
  sellerId: products.sellerId,
};

function selectConversations(db: Database, viewerId: string, after: Place | null) {
  const older = after
    ? sql`(${conversations.lastAt}, ${conversations.otherId}) < (${after.at}, ${after.id})`
    : undefined;
  return db
    .select(conversationColumns)
    .from(conversations)
    .innerJoin(messages, eq(messages.id, conversations.lastMessageId))
    .leftJoin(profiles, eq(profiles.id, conversations.otherId))
    .leftJoin(products, eq(products.id, conversations.productId))
    .where(and(eq(conversations.userId, viewerId), older))
    .orderBy(desc(conversations.lastAt), desc(conversations.otherId))
    .limit(CONVERSATIONS_PAGE_SIZE + 1);
}

type ConversationRow = Awaited<ReturnType<typeof selectConversations>>[number];

function readConversations(viewerId: string, rows: ConversationRow[]): ConversationPage {
  const shown = rows.slice(0, CONVERSATIONS_PAGE_SIZE);
  const last = shown.at(-1);
  return {
    conversations: shown.map((row) => readConversation(viewerId, row)),
    next: rows.length > CONVERSATIONS_PAGE_SIZE && last ? writePlace({ at: last.lastAt, id: last.otherId }) : null,
  };
}

function readConversation(viewerId: string, row: ConversationRow): ConversationView {
  const { otherId, name, lastText, lastAt, lastIsRead, unread, productId, productName, images, orderId, orderItemId } =
    row;
  const about =
    productId === null
      ? null
      : {
          productId,
          productName: productName ?? "",
          image: images?.[0] ?? null,
          orderId,
          orderName: orderId && `Order ${shortOrderId(orderId)}`,
          orderItemId,
          selling: row.sellerId === viewerId,
        };
  return {
    id: otherId,
    name,
    photoUrl: row.photoUrl,
    lastText: row.lastIsRemoved ? REMOVED_MESSAGE : messageWords(lastText, row.lastPhotos),
    lastAt,
    lastIsMine: row.lastSenderId === viewerId,
    lastIsRead,
    unread,
    about,
  };
}

/** The conversation that is open next to the list. */
export interface OpenConversation extends MessagePage {
  conversation: ConversationView;
  campusLocation: string | null;
  /** The other account is deleted, so nobody would read a message. */
  isGone: boolean;
  blockedByMe: boolean;
  /** One of the two has paid the other through Chuoni, and the money didn't go back. */
  hasPaid: boolean;
  /** Whether the two have arranged to meet for the item that it is about; null when they can't. */
  hasMeeting: boolean | null;
}

export interface Inbox extends ConversationPage {
  /** Null when none is open, or the one in the address doesn't exist. */
  open: OpenConversation | null;
}

function selectOpened(db: Database, viewerId: string, otherId: string) {
  const isGone = or(isNotNull(profiles.deletedAt), isNotNull(credentials.suspendedAt));
  const hasMeeting = build
    .select({ has: sql`${meetingSuggested(itemRow.id)}` })
    .from(itemRow)
    .where(and(eq(itemRow.id, conversations.orderItemId), stateIs(itemRow.status, ITEM.isMeetable)));
  return db
    .select({
      ...conversationColumns,
      campusLocation: profiles.campusLocation,
      isGone: asBoolean(sql`${isGone}`).as("is_gone"),
      blockedByMe: asBoolean(hasBlocked(viewerId, otherId)).as("blocked_by_me"),
      hasPaid: asBoolean(sql`(${paidBy(viewerId, otherId)} OR ${paidBy(otherId, viewerId)})`).as("has_paid"),
      hasMeeting: asBoolean(sql`${hasMeeting}`).as("has_meeting") as SQL.Aliased<boolean | null>,
    })
    .from(conversations)
    .innerJoin(messages, eq(messages.id, conversations.lastMessageId))
    .innerJoin(credentials, eq(credentials.id, conversations.otherId))
    .leftJoin(profiles, eq(profiles.id, conversations.otherId))
    .leftJoin(products, eq(products.id, conversations.productId))
    .where(and(eq(conversations.userId, viewerId), eq(conversations.otherId, otherId)));
}

/** SQL: the buyer has an item of the seller that cost money, is paid, and not refunded. Reads the buyer's orders. */
function paidBy(buyerId: string, sellerId: string): SQL {
  const isSold = sql`+${stateIs(orderItems.status, ITEM.isSold)}`;
  const paid = build
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(and(eq(orders.userId, buyerId), eq(orderItems.sellerId, sellerId), gt(orderItems.pricePerUnit, 0), isSold));
  return exists(paid);
}

/** What to show of an inbox. */
interface InboxQuery {
  /** The conversation to open; null for none. */
  withId: string | null;
  /** The cursor of the list's page. */
  after: string | null;
  /** The cursor of the page of messages, where no script adds it to the newest. */
  before?: Cursor | null;
}

/** The inbox's statements, for one batch. `readInbox` reads their results. */
function selectInbox({ db, now }: Store, viewerId: string, input: InboxQuery) {
  const opened = input.withId ?? "";
  return [
    selectConversations(db, viewerId, readPlace(input.after)),
    selectOpened(db, viewerId, opened),
    selectPage(db, { viewerId, scope: { with: opened }, before: input.before, now: now() }),
  ] as const;
}

type InboxRows = readonly [ConversationRow[], Awaited<ReturnType<typeof selectOpened>>, MessageView[]];

function readInbox(origin: string, viewerId: string, [list, opened, written]: InboxRows): Inbox {
  const page = readConversations(viewerId, list);
  const found = opened[0];
  if (!found) return { ...page, open: null };
  const { campusLocation, isGone, blockedByMe, hasPaid, hasMeeting } = found;
  return {
    ...page,
    open: {
      ...readPage(origin, viewerId, written),
      conversation: readConversation(viewerId, found),
      campusLocation,
      isGone,
      blockedByMe,
      hasPaid,
      hasMeeting,
    },
  };
}

/** A viewer's inbox with their profile; null when they have no profile. One round trip. */
export async function findInbox(store: MessageReader, viewerId: string, input: InboxQuery) {
  const { members, inbox } = await read(store.db, {
    members: memberRow(store.db, viewerId, listedBy(viewerId)),
    inbox: selectInbox(store, viewerId, input),
  });
  const member = readMember(members);
  return member ? { member, inbox: readInbox(store.origin, viewerId, inbox) } : null;
}
