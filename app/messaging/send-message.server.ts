import { and, desc, eq, gt, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Block } from "#app/accounts/block-rules.ts";
import { blockOf, blockBetween, hasBlocked } from "#app/accounts/blocks.server.ts";
import { NEWCOMER_MAX } from "#app/accounts/newcomer-rules.ts";
import { isNewcomer } from "#app/accounts/newcomer.server.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import { attachPhotos, findPhotos } from "#app/catalogue/photos/photos.server.ts";
import {
  type AnswerTo,
  changesOf,
  expectThat,
  holds,
  PreconditionFailed,
  runBatch,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import { asBoolean, build, idList, namedByKey, oneRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { countOne, isWithin } from "#app/db/rate-counters.ts";
import {
  credentials,
  messages,
  orderItems,
  orders,
  type ProductImage,
  products,
  profiles,
  rateCounters,
} from "#app/db/schema.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { agreeOnItem, awaitsAgreement, contactBuyer } from "#app/deals/agreement.server.ts";
import { type CodeFinder, codesOf, findItemsWithCode } from "#app/deals/own-code.server.ts";
import { hasDigits, revealsCode } from "#app/deals/own-code-rules.ts";
import { readsAsAgreement } from "./agreement-rules.ts";
import {
  countUnread,
  findMessageByKey,
  type MessageView,
  selectOffer,
  unreadIn,
  withWarning,
} from "./messages.server.ts";
import { selectMeeting } from "#app/messaging/live-meeting.server.ts";
import { hasConversation } from "./has-conversation.server.ts";
import { afterMessagesWritten } from "./message-effects.server.ts";
import { awaitNotice, pushMessage } from "./await-notice.server.ts";
import {
  AGREEMENT_TEXT,
  earlierWords,
  MESSAGE_MAX_LENGTH,
  MESSAGE_PHOTOS_MAX,
  NOBODY,
  type Subject,
  threadOf,
} from "./message-rules.ts";

const senders = alias(profiles, "senders");

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
  /** It gives the sender's own handover code away, and they haven't said that they mean it. */
  | "own_code"
  /** The sender used the key for another message. */
  | "key_used";
export type SendResult =
  /** `isNew`: it wasn't sent before with this key. `isPushed`: a push to the reader waits in the outbox. */
  { ok: true; message: MessageView; isNew: boolean; isPushed?: boolean } | { ok: false; code: SendRefusal };

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
  /** The sender has been asked, and sends their own handover code all the same. */
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
 * @throws PreconditionFailed or UniqueViolation when the statements of a step refuse
 */
export async function sendMessage(services: MessagingServices, input: MessageInput): Promise<SendResult> {
  const text = input.text.trim();
  if (text === "" && !input.photoKeys?.length) return { ok: false, code: "empty" };
  if (text.length > MESSAGE_MAX_LENGTH) return { ok: false, code: "too_long" };
  const { parties: found, images, itemIds, latest } = await readBeforeMessage(services, input);
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
  const found = await findParties(services, parties);
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
  /** The items whose handover code the message could give away. */
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

/** What the sender wrote lately. */
async function listLatest({ db, now }: Store, senderId: string, text: string): Promise<LatestMessage[]> {
  if (!mayComplete(text)) return [];
  const [found] = await runBatch(db, [
    build
      .select({ to: messages.recipientId, message: messages.message, createdAt: messages.createdAt })
      .from(messages)
      .where(writtenAfter(senderId, now() - BEGUN.withinMs))
      .orderBy(desc(messages.createdAt))
      .limit(BEGUN.messages),
  ]);
  return found.toReversed();
}

/** What `sendMessage` has to know first. It writes nothing, because a write waits for the disk, and the message has its own. */
async function readBeforeMessage(store: Store, input: MessageInput): Promise<BeforeMessage> {
  const { senderId, text } = input;
  const [parties, images, itemIds, latest] = await Promise.all([
    findParties(store, input),
    findPhotos(store.db, senderId, [...new Set(input.photoKeys)]),
    findItemsWithCode(store.db, senderId, text, store.now()),
    listLatest(store, senderId, text),
  ]);
  return { parties, images, itemIds, latest };
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
async function findParties({ db, now }: Store, input: PartiesInput): Promise<Parties | null> {
  const [[found]] = await runBatch(db, [subjectOf(input, now())]);
  return toParties(input, found);
}

function toParties(
  input: PartiesInput,
  row: AnswerTo<ReturnType<typeof subjectOf>>[number] | undefined,
): Parties | null {
  if (!row || row.recipientId === input.senderId) return null;
  const { conversing, contacted, agreed, status } = row;
  if (!input.about && !conversing) return null;
  const isPaid = status !== null && !ITEM.isUnpaid(status);
  const maxFirstMessages = row.newcomer ? NEWCOMER_MAX.firstMessages : FIRST_MESSAGES.max;
  const isFirstMessage = !conversing && !isPaid;
  return {
    ...row,
    senderId: input.senderId,
    agreed: agreed === true,
    isPaid,
    isFirstContact: row.itemId !== null && contacted === false && row.buyerId !== input.senderId,
    awaitsAgreement: contacted === true && agreed === false && status === "processing",
    isFirstMessage,
    maxFirstMessages,
    firstMessagesUsed: isFirstMessage && row.firstMessages >= maxFirstMessages,
    tooMany: !row.hasLeft,
  };
}

/**
 * The one row of the recipient and the subject. None when the sender has nothing to do with it, or the other account is
 * deleted.
 */
function subjectOf({ senderId, recipientId = "", about }: PartiesInput, now: number) {
  const s = selectSubject({ senderId, recipientId, about }).as("s");
  const { key, count, windowStart } = rateCounters;
  const firstMessages = build
    .select({ count })
    .from(rateCounters)
    .where(and(eq(key, firstMessagesKey(senderId)), gt(windowStart, now - FIRST_MESSAGES.windowMs)));
  return build
    .select({
      recipientId: s.recipientId,
      productId: s.productId,
      productName: s.productName,
      orderId: s.orderId,
      itemId: s.itemId,
      buyerId: s.buyerId,
      status: s.status,
      contacted: s.contacted,
      agreed: s.agreed,
      recipientName: profiles.fullName,
      senderName: sql<string | null>`${senders.fullName}`.as("sender_name"),
      conversing: asBoolean(hasConversation(senderId, s.recipientId)).as("conversing"),
      blockedByMe: asBoolean(hasBlocked(senderId, s.recipientId)).as("blocked_by_me"),
      blocked: asBoolean(hasBlocked(s.recipientId, senderId)).as("blocked"),
      firstMessages: sql<number>`COALESCE(${firstMessages}, 0)`.as("first_messages"),
      newcomer: asBoolean(isNewcomer(senderId, now)).as("newcomer"),
      hasLeft: asBoolean(hasLeft(senderId, now)).as("has_left"),
    })
    .from(s)
    .innerJoin(credentials, and(eq(credentials.id, s.recipientId), isNull(credentials.suspendedAt)))
    .leftJoin(profiles, eq(profiles.id, s.recipientId))
    .leftJoin(senders, eq(senders.id, senderId))
    .where(sql`${recipientId} IN ('', ${s.recipientId})`);
}

/** What a message is about, and who gets it. */
function selectSubject({ senderId, recipientId, about }: PartiesInput & { recipientId: string }) {
  switch (about?.kind) {
    case "item":
      return build
        .select(
          subjectColumns({
            recipientId: sql`CASE WHEN ${orders.userId} = ${senderId} THEN ${orderItems.sellerId} ELSE ${orders.userId} END`,
            productId: sql`${orderItems.productId}`,
            productName: sql`${orderItems.productName}`,
            orderId: sql`${orderItems.orderId}`,
            itemId: sql`${orderItems.id}`,
            buyerId: sql`${orders.userId}`,
            status: sql`${orderItems.status}`,
            contacted: asBoolean(sql`${orderItems.buyerContacted}`),
            agreed: asBoolean(sql`${orderItems.buyerAgreed}`),
          }),
        )
        .from(orderItems)
        .innerJoin(orders, eq(orders.id, orderItems.orderId))
        .where(and(eq(orderItems.id, about.id), sql`${senderId} IN (${orders.userId}, ${orderItems.sellerId})`));
    case "product": {
      const { id, name, sellerId, deletedAt, suspendedAt } = products;
      // A conversation goes on when its listing is gone, but nothing more is written about that.
      const isShown = and(isNull(deletedAt), isNull(suspendedAt));
      return build
        .select(
          subjectColumns({
            recipientId: sql`CASE WHEN ${sellerId} = ${senderId} THEN ${recipientId} ELSE ${sellerId} END`,
            productId: sql`iif(${isShown}, ${id}, NULL)`,
            productName: sql`iif(${isShown}, ${name}, NULL)`,
          }),
        )
        .from(products)
        .where(and(eq(id, about.id), or(and(ne(sellerId, senderId), isShown), hasConversation(senderId, recipientId))));
    }
    default:
      return build.select(subjectColumns({ recipientId: sql`${recipientId}` })).from(sql`(SELECT 1)`);
  }
}

const NOTHING: SQL<null> = sql`NULL`;
const NO_SUBJECT = {
  productId: NOTHING as SQL<string | null>,
  productName: NOTHING as SQL<string | null>,
  orderId: NOTHING as SQL<string | null>,
  itemId: NOTHING as SQL<string | null>,
  buyerId: NOTHING as SQL<string | null>,
  status: NOTHING as SQL<ItemStatus | null>,
  contacted: NOTHING as SQL<boolean | null>,
  agreed: NOTHING as SQL<boolean | null>,
};

/** The columns of a subject. What isn't given is NULL. */
function subjectColumns(given: { recipientId: SQL<string> } & Partial<typeof NO_SUBJECT>) {
  return namedByKey({ ...NO_SUBJECT, ...given });
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
  return isSame ? { ok: true, message, isNew: false } : { ok: false, code: "key_used" };
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
  const { itemId } = found;
  const agreed = draft.agrees ? itemId : null;
  // Decided inside the batch, so that of two messages at once only one agrees.
  const kind =
    agreed === null
      ? (draft.step?.kind ?? "text")
      : sql<MessageView["kind"]>`CASE WHEN ${awaitsAgreement(agreed)} THEN 'agreement' ELSE 'text' END`;
  const offerId = draft.step?.kind === "offer" ? draft.step.offerId : null;
  const meetingOf = draft.step?.kind === "meeting" ? itemId : null;
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
    orderItemId: itemId,
  };
  const insert = build
    .insert(messages)
    .values({
      id,
      thread: threadOf(found.senderId, found.recipientId),
      senderId: base.senderId,
      recipientId: base.recipientId,
      productId: base.productId,
      orderId: base.orderId,
      orderItemId: base.orderItemId,
      offerId,
      message: base.message,
      images: base.images,
      senderName: base.senderName,
      recipientName: found.recipientName || NOBODY,
      kind,
      idempotencyKey: base.key,
      createdAt: now,
    })
    .returning({
      kind: messages.kind,
      offer: selectOffer(sql`${offerId}`),
      meeting: selectMeeting(sql`${meetingOf}`),
    });
  // A step has pushes of its own.
  const push = draft.step ? [] : pushMessage({ ...base, userId: found.recipientId, otherId: found.senderId }, now);
  try {
    const results = await runBatch(db, [
      ...(draft.step?.statements ?? []),
      insert,
      ...afterMessagesWritten(idList(id)),
      ...(agreed === null ? [] : agreeOnItem(agreed, found.senderId, now)),
      ...(found.isFirstContact && itemId !== null ? contactBuyer(itemId, found.senderId, now) : []),
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
      ...(draft.isLimited
        ? [
            // A block may have come since the two were read.
            expectThat(not(blockBetween(found.senderId, found.recipientId))),
            ...SEND_LIMITS.map((limit) => expectThat(isWithinLimit(found.senderId, limit, now))),
          ]
        : []),
      ...push,
      countUnread(found.recipientId),
    ]);
    const [inserted] = results[draft.step?.statements.length ?? 0] as AnswerTo<typeof insert>;
    const written = { ...base, kind: "text" as const, offer: null, meeting: null, ...inserted };
    const message = withWarning(written, services.origin, draft.earlier);
    services.defer(
      tell(services.notifier, found, message, unreadIn(results.at(-1) as AnswerTo<ReturnType<typeof countUnread>>)),
    );
    return { ok: true, message, isNew: true, isPushed: push.length > 0 && changesOf(results.at(-2)) > 0 };
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

/** Why the batch of a message refused: a block of this moment, a limit that other messages at the same moment have used up, or a photo. */
async function explainRefusal(
  store: Store,
  found: Parties,
  { images }: { images: ProductImage[] },
): Promise<SendRefusal> {
  const block = await readBlock(store, found);
  if (block) return block === "mine" ? "blocked_by_me" : "blocked";
  if (!(await holds(store.db, hasLeft(found.senderId, store.now())))) return "too_many";
  return images.length > 0 ? "photo_gone" : firstMessageRefusal(found);
}

async function readBlock({ db }: Store, { senderId, recipientId }: Parties): Promise<Block | null> {
  const [[row]] = await runBatch(db, [oneRow({ block: blockOf(senderId, recipientId) })]);
  return row?.block ?? null;
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
  const some = build
    .select({ one: sql`1`.as("one") })
    .from(messages)
    .where(writtenAfter(senderId, now - windowMs))
    .limit(max + 1)
    .as("some");
  return build.$count(some);
}

function writtenAfter(senderId: string, time: number): SQL | undefined {
  return and(eq(messages.senderId, senderId), gt(messages.createdAt, time));
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
