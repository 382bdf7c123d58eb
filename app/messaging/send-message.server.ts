import { type SQL, sql } from "drizzle-orm";
import { NEWCOMER_MAX } from "#app/accounts/newcomer-rules.ts";
import { isNewcomer } from "#app/accounts/newcomer.server.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import { attachPhotos, photosRead } from "#app/catalogue/photos.server.ts";
import {
  expectThat,
  PreconditionFailed,
  type Read,
  rowOf,
  rowsOf,
  runBatch,
  runRead,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { countOne, isWithin } from "#app/db/rate-counters.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { type CodeFinder, codesOf, itemsWithCodeRead } from "#app/deals/own-code.server.ts";
import { hasDigits, revealsCode } from "#app/deals/own-code-rules.ts";
import { readsAsAgreement } from "./agreement-rules.ts";
import {
  countUnread,
  findMessageByKey,
  meetingJson,
  type MessageView,
  offerJson,
  readMeeting,
  readOffer,
  unreadIn,
  withWarning,
} from "./messages.server.ts";
import { awaitNotice } from "./message-notices.server.ts";
import {
  AGREEMENT_TEXT,
  earlierWords,
  MESSAGE_MAX_LENGTH,
  MESSAGE_PHOTOS_MAX,
  NOBODY,
  type Subject,
  threadOf,
} from "./message-rules.ts";

/** The services for sending. The other side is told after the response. */
export interface MessagingServices extends CodeFinder {
  notifier: Notifier;
  /** This site's own. Links to it bring no warning. */
  origin: string;
  defer(work: Promise<unknown>): void;
}

export type SendRefusal =
  | "empty"
  | "too_long"
  | "no_recipient"
  | "blocked_by_me"
  | "blocked"
  | "too_many"
  /** A new account has written to as many strangers as it can for now. */
  | "newcomer"
  | "photo_gone"
  /** It gives the sender's own hand-over code away, and they haven't said that they mean it. */
  | "own_code"
  /** The sender used the key for another message. */
  | "key_used";
export type SendResult = { ok: true; message: MessageView } | { ok: false; code: SendRefusal };

interface SendLimit {
  /** How many messages within one window. */
  max: number;
  windowMs: number;
}
/** How many messages one person can send, in all conversations together. */
const SEND_LIMITS: readonly SendLimit[] = [
  { max: 30, windowMs: 60_000 },
  { max: 600, windowMs: 24 * 60 * 60_000 },
];
/** How many new people one person can message in a day. */
const FIRST_MESSAGES = { max: 40, windowMs: 24 * 60 * 60_000 };

export interface MessageInput {
  senderId: string;
  /** The recipient; undefined when the subject determines it. */
  recipientId?: string;
  /** The subject. Undefined is allowed only in an existing conversation. */
  about?: Subject | null;
  text: string;
  /** Keys of the sender's uploaded photos. A message with photos needs no text. */
  photoKeys?: readonly string[];
  /** Made by the sender's page. The same key sends only once, and a repeat returns the first message. */
  key: string;
  /** The sender has been asked, and sends their own hand-over code all the same. */
  codeOk?: boolean;
  /** What the message is a step of, if it is one. */
  step?: MessageStep;
}

/** A step of an offer, or of the meeting of the item that the message is about. */
export type MessageStep = ({ kind: "offer"; offerId: string } | { kind: "meeting" }) & {
  /** Statements for the same batch. They run first, and abort the batch when their guards refuse. */
  statements: Statement[];
};

/**
 * Sends a message: about an order's item between its buyer and its seller, about a listing to or from its seller, or in
 * an existing conversation. The same batch may change the item. The seller's first message about it marks its buyer as
 * contacted. An agreeing message of the buyer about a paid item, after the seller has written, marks it as agreed
 * (docs/product-rules.md, "Fulfilment").
 * @param known what `beforeMessageRead` has found, if it was already asked
 * @throws PreconditionFailed or UniqueViolation when the statements of a step refuse
 */
export async function sendMessage(
  services: MessagingServices,
  input: MessageInput,
  known?: BeforeMessage,
): Promise<SendResult> {
  const text = input.text.trim();
  if (text === "" && !input.photoKeys?.length) return { ok: false, code: "empty" };
  if (text.length > MESSAGE_MAX_LENGTH) return { ok: false, code: "too_long" };
  const {
    parties: found,
    images,
    itemIds,
    latest,
  } = known ?? (await runRead(services.db, beforeMessageRead(input, services.now())));
  if (!found) return { ok: false, code: "no_recipient" };
  const refusal = refuse(found);
  if (refusal) return (await findRepeated(services.db, found, input.key)) ?? { ok: false, code: refusal };

  if (!images || images.length > MESSAGE_PHOTOS_MAX)
    return (await findRepeated(services.db, found, input.key)) ?? { ok: false, code: "photo_gone" };
  const earlier = latest.filter(({ to }) => to === found.recipientId);
  if (
    !input.codeOk &&
    revealsCode(
      text,
      await codesOf(services, itemIds),
      earlier.map(({ message }) => message),
    )
  )
    return (await findRepeated(services.db, found, input.key)) ?? { ok: false, code: "own_code" };
  const isBuyersAnswer = found.itemId !== null && found.senderId === found.buyerId && images.length === 0;
  const agrees = isBuyersAnswer && !input.step && readsAsAgreement(text);
  return write(services, found, {
    text,
    images,
    key: input.key,
    agrees,
    isLimited: true,
    step: input.step,
    earlier: earlierWords(earlier, services.now()),
  });
}

export type AgreeResult = { ok: true } | { ok: false };

/**
 * The buyer agrees to the seller's plan for a paid item, after the seller has written. Both see it in their
 * conversation. Safe to repeat.
 */
export async function agreeToItem(
  services: MessagingServices,
  input: { orderItemId: string; buyerId: string },
): Promise<AgreeResult> {
  const parties = { senderId: input.buyerId, about: { kind: "item", id: input.orderItemId } } as const;
  const found = await runRead(services.db, partiesRead(parties, services.now()));
  if (!found || found.buyerId !== input.buyerId) return { ok: false };
  if (found.agreed) return { ok: true };
  if (!found.awaitsAgreement) return { ok: false };
  const sent = await write(services, found, {
    text: AGREEMENT_TEXT,
    images: [],
    key: `agree:${input.orderItemId}`,
    agrees: true,
    isLimited: false,
  });
  return { ok: sent.ok };
}

/** What the database says before a message is written. */
interface BeforeMessage {
  /** Null when the sender can't write to them, or not about this. */
  parties: Parties | null;
  /** Null when a photo is not there or not the sender's. */
  images: ProductImage[] | null;
  /** The items whose hand-over code the message could give away. */
  itemIds: string[];
  /** What the sender wrote lately, oldest first, where the message may be the end of something. */
  latest: LatestMessage[];
}

interface LatestMessage {
  to: string;
  message: string;
  /** Ms since 1970. */
  createdAt: number;
}

/** How far back a code or a request for one may have begun. */
const BEGUN = { messages: 20, withinMs: 60 * 60_000 };

/** A message that may complete a code, or a request for one. All others stand alone. */
function mayComplete(text: string): boolean {
  return hasDigits(text) || /co.?d|kod|numb|namba|digit|otp|qr|figure|tarakimu|c.?[o0].?d.?[e3]/i.test(text);
}

/** The query for what the sender wrote lately. */
function latestRead(senderId: string, text: string, now: number): Read<LatestMessage[]> {
  const lately = sql`SELECT recipient_id AS "to", message, created_at AS createdAt FROM messages
    WHERE sender_id = ${senderId} AND created_at > ${now - BEGUN.withinMs} ORDER BY created_at DESC LIMIT ${BEGUN.messages}`;
  return {
    statements: mayComplete(text) ? [lately] : [],
    read: ([found]) => rowsOf<LatestMessage>(found).toReversed(),
  };
}

/**
 * What `sendMessage` has to know first. It may share a round trip with other queries. It writes nothing, because a write
 * waits for the disk, and the message follows with one of its own.
 */
export function beforeMessageRead(input: MessageInput, now: number): Read<BeforeMessage> {
  const parties = partiesRead(input, now);
  const photos = photosRead(input.senderId, [...new Set(input.photoKeys)]);
  const items = itemsWithCodeRead(input.senderId, input.text, now);
  const latest = latestRead(input.senderId, input.text, now);
  const reads = [parties, photos, items, latest] as const;
  return {
    statements: reads.flatMap(({ statements }) => statements),
    read: (answers) => {
      const rest = [...answers];
      const own = (read: { statements: readonly Statement[] }) => rest.splice(0, read.statements.length);
      return {
        parties: parties.read(own(parties)),
        images: photos.read(own(photos)),
        itemIds: items.read(own(items)),
        latest: latest.read(own(latest)),
      };
    },
  };
}

interface Parties {
  senderId: string;
  senderName: string | null;
  recipientId: string;
  recipientName: string | null;
  productId: string | null;
  productName: string | null;
  orderId: string | null;
  itemId: string | null;
  buyerId: string | null;
  agreed: boolean;
  /** SQL on the item: its seller hasn't written about it yet. */
  isFirstContact: boolean;
  /** SQL on the item: paid, contacted, and not agreed. */
  awaitsAgreement: boolean;
  conversing: boolean;
  /** The message is about an item that was paid. */
  isPaid: boolean;
  blockedByMe: boolean;
  blocked: boolean;
  /** The sender writes to a stranger: the two have no conversation, and no paid item between them. */
  isFirstMessage: boolean;
  /** How many strangers the sender can write to in a day. */
  maxFirstMessages: number;
  /** They have written to that many. */
  firstMessagesUsed: boolean;
  /** A rate limit is reached. */
  tooMany: boolean;
}

type PartiesInput = Pick<MessageInput, "senderId" | "recipientId" | "about">;

/** The recipient and the subject of a message; null when they are not allowed. */
function partiesRead(input: PartiesInput, now: number): Read<Parties | null> {
  return {
    statements: [subjectOf(input, now)],
    read: ([found]) => toParties(input, rowOf<SubjectRow>(found)),
  };
}

function toParties(input: PartiesInput, row: SubjectRow | undefined): Parties | null {
  if (!row || row.recipientId === input.senderId) return null;
  const conversing = row.conversing === 1;
  if (!input.about && !conversing) return null;
  const isPaid = row.status !== null && !ITEM.isUnpaid(row.status);
  const maxFirstMessages = row.newcomer === 1 ? NEWCOMER_MAX.firstMessages : FIRST_MESSAGES.max;
  const isFirstMessage = !conversing && !isPaid;
  return {
    ...row,
    senderId: input.senderId,
    agreed: row.agreed === 1,
    conversing,
    isPaid,
    isFirstContact: row.itemId !== null && row.contacted === 0 && row.buyerId !== input.senderId,
    awaitsAgreement: row.contacted === 1 && row.agreed === 0 && row.status === "processing",
    blockedByMe: row.blockedByMe === 1,
    blocked: row.blocked === 1,
    isFirstMessage,
    maxFirstMessages,
    firstMessagesUsed: isFirstMessage && row.firstMessages >= maxFirstMessages,
    tooMany: row.hasLeft === 0,
  };
}

interface SubjectRow {
  recipientId: string;
  recipientName: string | null;
  senderName: string | null;
  productId: string | null;
  productName: string | null;
  orderId: string | null;
  itemId: string | null;
  buyerId: string | null;
  status: ItemStatus | null;
  contacted: number | null;
  agreed: number | null;
  conversing: number;
  blockedByMe: number;
  blocked: number;
  firstMessages: number;
  newcomer: number;
  hasLeft: number;
}

/**
 * The one row of the recipient and the subject. None when the sender has nothing to do with it, or the other account is
 * deleted.
 */
function subjectOf({ senderId, recipientId = "", about }: PartiesInput, now: number): SQL {
  const noItem = sql`NULL AS orderId, NULL AS itemId, NULL AS buyerId, NULL AS status, NULL AS contacted, NULL AS agreed`;
  // A conversation goes on when its listing is gone, but nothing more is written about that.
  const isShown = sql`(deleted_at IS NULL AND suspended_at IS NULL)`;
  const subject =
    about?.kind === "item"
      ? sql`SELECT CASE WHEN o.user_id = ${senderId} THEN i.seller_id ELSE o.user_id END AS recipientId, i.product_id AS productId, i.product_name AS productName,
          i.order_id AS orderId, i.id AS itemId, o.user_id AS buyerId, i.status, i.buyer_contacted AS contacted, i.buyer_agreed AS agreed
        FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.id = ${about.id} AND ${senderId} IN (o.user_id, i.seller_id)`
      : about?.kind === "product"
        ? sql`SELECT CASE WHEN seller_id = ${senderId} THEN ${recipientId} ELSE seller_id END AS recipientId, iif(${isShown}, id, NULL) AS productId, iif(${isShown}, name, NULL) AS productName, ${noItem}
          FROM products WHERE id = ${about.id} AND (seller_id <> ${senderId} AND ${isShown}
            OR EXISTS (SELECT 1 FROM conversations WHERE user_id = ${senderId} AND other_id = ${recipientId}))`
        : sql`SELECT ${recipientId} AS recipientId, NULL AS productId, NULL AS productName, ${noItem}`;
  return sql`SELECT s.*, other.full_name AS recipientName, own.full_name AS senderName,
      EXISTS (SELECT 1 FROM conversations WHERE user_id = ${senderId} AND other_id = s.recipientId) AS conversing,
      EXISTS (SELECT 1 FROM blocks WHERE user_id = ${senderId} AND blocked_id = s.recipientId) AS blockedByMe,
      EXISTS (SELECT 1 FROM blocks WHERE user_id = s.recipientId AND blocked_id = ${senderId}) AS blocked,
      COALESCE((SELECT count FROM rate_counters WHERE key = ${firstMessagesKey(senderId)} AND window_start > ${now - FIRST_MESSAGES.windowMs}), 0) AS firstMessages,
      ${isNewcomer(senderId, now)} AS newcomer,
      ${hasLeft(senderId, now)} AS hasLeft
    FROM (${subject}) s JOIN credentials c ON c.id = s.recipientId AND c.suspended_at IS NULL
      LEFT JOIN profiles other ON other.id = s.recipientId LEFT JOIN profiles own ON own.id = ${senderId}
    WHERE ${recipientId} IN ('', s.recipientId)`;
}

function firstMessagesKey(senderId: string): string {
  return `messages:first:${senderId}`;
}

function refuse(found: Parties): SendRefusal | null {
  if (found.blockedByMe) return "blocked_by_me";
  if (found.blocked) return "blocked";
  if (found.tooMany) return "too_many";
  return found.firstMessagesUsed ? firstMessageRefusal(found) : null;
}

function firstMessageRefusal({ maxFirstMessages }: Parties): SendRefusal {
  return maxFirstMessages < FIRST_MESSAGES.max ? "newcomer" : "too_many";
}

/**
 * The answer to a repeat: the first one, whatever has changed since. A message to somebody else, or about another listing,
 * is no repeat. Null when the key is new.
 */
async function findRepeated(
  db: Database,
  { senderId, recipientId, productId }: Parties,
  key: string,
): Promise<SendResult | null> {
  const message = await findMessageByKey(db, senderId, key);
  if (!message) return null;
  const isSame = message.recipientId === recipientId && (productId === null || message.productId === productId);
  return isSame ? { ok: true, message } : { ok: false, code: "key_used" };
}

/** Writes the message in one batch, and has both sides' open pages told. */
async function write(
  services: MessagingServices,
  found: Parties,
  draft: {
    text: string;
    images: ProductImage[];
    key: string;
    agrees: boolean;
    /** Whether the sender's limits hold. Later messages count this one in any case. */
    isLimited: boolean;
    step?: MessageStep;
    /** What the sender wrote just before, oldest first. */
    earlier?: readonly string[];
  },
): Promise<SendResult> {
  const { db } = services;
  const now = services.now();
  const id = crypto.randomUUID();
  // Decided inside the batch, so that of two messages at once only one agrees.
  const agreement = sql`EXISTS (SELECT 1 FROM order_items WHERE id = ${found.itemId} AND buyer_contacted = 1 AND buyer_agreed = 0 AND ${stateIs("status", ITEM.isToShip)})`;
  const kind = draft.agrees
    ? sql`CASE WHEN ${agreement} THEN 'agreement' ELSE 'text' END`
    : sql`${draft.step?.kind ?? "text"}`;
  const offerId = draft.step?.kind === "offer" ? draft.step.offerId : null;
  const meetingOf = draft.step?.kind === "meeting" ? found.itemId : null;
  const base = {
    id,
    key: draft.key,
    senderId: found.senderId,
    senderName: found.senderName || NOBODY,
    recipientId: found.recipientId,
    message: draft.text,
    images: draft.images,
    createdAt: now,
    read: false,
    productId: found.productId,
    productName: found.productName,
    orderId: found.orderId,
    orderItemId: found.itemId,
  };
  try {
    const results = await runBatch(db, [
      ...(draft.step?.statements ?? []),
      sql`INSERT INTO messages (id, thread, sender_id, recipient_id, product_id, order_id, order_item_id, offer_id, message, images, sender_name, recipient_name, kind, idempotency_key, created_at)
        VALUES (${id}, ${threadOf(found.senderId, found.recipientId)}, ${base.senderId}, ${base.recipientId}, ${base.productId}, ${base.orderId}, ${base.orderItemId}, ${offerId},
          ${base.message}, ${JSON.stringify(base.images)}, ${base.senderName}, ${found.recipientName || NOBODY}, ${kind}, ${base.key}, ${now}) RETURNING kind, ${offerJson(sql`${offerId}`)} AS offer, ${meetingJson(sql`${meetingOf}`)} AS meeting`,
      ...(draft.agrees
        ? [
            sql`UPDATE order_items SET buyer_agreed = 1, updated_at = ${now} WHERE id = ${found.itemId} AND ${agreement}`,
          ]
        : []),
      ...(found.isFirstContact
        ? [
            sql`UPDATE order_items SET buyer_contacted = 1, updated_at = ${now} WHERE id = ${found.itemId} AND buyer_contacted = 0`,
          ]
        : []),
      ...(found.isFirstMessage ? countFirstMessage(found, now) : []),
      // A step has emails of its own.
      ...(!draft.step && (found.isPaid || !found.conversing)
        ? [awaitNotice({ userId: found.recipientId, otherId: found.senderId }, now)]
        : []),
      ...attachPhotos(
        found.senderId,
        draft.images.map((image) => image.key),
        now,
      ),
      ...(draft.isLimited ? SEND_LIMITS.map((limit) => expectThat(isWithinLimit(found.senderId, limit, now))) : []),
      countUnread(found.recipientId),
    ]);
    const inserted = rowOf<{ kind: MessageView["kind"]; offer: string | null; meeting: string | null }>(
      results[draft.step?.statements.length ?? 0],
    );
    const written = {
      ...base,
      kind: inserted?.kind ?? "text",
      offer: inserted?.offer ? readOffer(inserted.offer) : null,
      meeting: inserted?.meeting ? readMeeting(inserted.meeting) : null,
    };
    const message = withWarning(written, services.origin, draft.earlier);
    services.defer(tell(services.notifier, found, message, unreadIn(results.at(-1))));
    return { ok: true, message };
  } catch (error) {
    if (draft.step) {
      const answer = await findRepeated(db, found, draft.key);
      if (answer) return answer;
      throw error;
    }
    if (error instanceof UniqueViolation)
      return (await findRepeated(db, found, draft.key)) ?? { ok: false, code: "no_recipient" };
    if (error instanceof PreconditionFailed) return { ok: false, code: await explainRefusal(services, found, draft) };
    throw error;
  }
}

/** Why the batch of a message refused: a limit that other messages at the same moment have used up, or a photo. */
async function explainRefusal(
  store: Store,
  found: Parties,
  { images }: { images: ProductImage[] },
): Promise<SendRefusal> {
  const [row] = await store.db.all<{ left: number }>(sql`SELECT ${hasLeft(found.senderId, store.now())} AS left`);
  if (row?.left !== 1) return "too_many";
  return images.length > 0 ? "photo_gone" : firstMessageRefusal(found);
}

/** SQL: the sender can send one more message. */
function hasLeft(senderId: string, now: number): SQL {
  const each = SEND_LIMITS.map((limit) => sql`${sentLately(senderId, limit, now)} < ${limit.max}`);
  return sql`(${sql.join(each, sql` AND `)})`;
}

/** SQL for a batch that has written the message: the sender's messages are still within the limit. */
function isWithinLimit(senderId: string, limit: SendLimit, now: number): SQL {
  return sql`${sentLately(senderId, limit, now)} <= ${limit.max}`;
}

/**
 * SQL: how many messages the sender wrote within the window, counted up to one more than the limit. The messages
 * themselves are counted, because a counter would cost two more written rows a message and limit.
 */
function sentLately(senderId: string, { max, windowMs }: SendLimit, now: number): SQL {
  return sql`(SELECT COUNT(*) FROM (SELECT 1 FROM messages WHERE sender_id = ${senderId} AND created_at > ${now - windowMs} LIMIT ${max + 1}))`;
}

/** Counts a message to a stranger. Aborts the batch when messages at the same moment have used up the allowance. */
function countFirstMessage({ senderId, maxFirstMessages }: Parties, now: number): Statement[] {
  const key = firstMessagesKey(senderId);
  return [countOne({ key, ...FIRST_MESSAGES }, now), expectThat(isWithin({ key, max: maxFirstMessages }))];
}

/** Both sides' open pages get the message. If it changed the order, their order pages reload. */
async function tell(notifier: Notifier, found: Parties, message: MessageView, unread: number): Promise<void> {
  const work = [
    notifier.notify(found.recipientId, { type: "message", message, unread }),
    notifier.notify(found.senderId, { type: "message", message }),
  ];
  const changed = found.isFirstContact || message.kind === "agreement" || message.kind === "meeting";
  if (found.orderId && found.itemId && changed) {
    const moved = { type: "order", orderId: found.orderId, orderItemId: found.itemId } as const;
    const notice =
      message.kind === "agreement" ? { notice: `${found.senderName || "The buyer"} agreed: ready to ship` } : {};
    work.push(notifier.notify(found.recipientId, { ...moved, ...notice }), notifier.notify(found.senderId, moved));
  }
  await Promise.all(work);
}
