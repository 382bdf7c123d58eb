import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { not, sql } from "drizzle-orm";
import type { Block } from "#app/accounts/trust/block-rules.ts";
import { blockOf, blockBetween } from "#app/accounts/trust/blocks.server.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { attachPhotos } from "#app/catalogue/photos/photos.server.ts";
import { PreconditionFailed, type Statement, UniqueViolation, expectThat, holds, read, write } from "#app/db/batch.ts";
import { build, idList, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { messages } from "#app/messaging/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { agreeOnItem, awaitsAgreement, contactBuyer } from "#app/deals/agreement.server.ts";
import { type CodeFinder, codesOf } from "#app/deals/code/own-code.server.ts";
import { revealsCode } from "#app/deals/code/own-code-rules.ts";
import { type BeforeMessage, type LatestMessage, readBeforeMessage } from "./before-message.server.ts";
import { countFirstMessage, expectWithinLimits, FIRST_MESSAGES, hasLeft } from "./message-limits.server.ts";
import { findParties, type Parties } from "./message-parties.server.ts";
import { readsAsAgreement } from "./agreement-rules.ts";
import {
  countUnread,
  findMessageByKey,
  type MessageView,
  selectOffer,
  unreadIn,
  withWarning,
} from "#app/messaging/conversations/messages.server.ts";
import { selectMeeting } from "#app/messaging/conversations/live-meeting.server.ts";
import { afterMessagesWritten } from "./message-effects.server.ts";
import { awaitNotice, pushMessage } from "#app/messaging/notices/await-notice.server.ts";
import {
  AGREEMENT_TEXT,
  earlierWords,
  MESSAGE_MAX_LENGTH,
  MESSAGE_PHOTOS_MAX,
  NOBODY,
  type Subject,
  threadOf,
} from "#app/messaging/message-rules.ts";

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
  const before = await readBeforeMessage(services, input);
  const { parties: found, images } = before;
  if (!found) return { ok: false, code: "no_recipient" };
  const earlier = before.latest.filter(({ to }) => to === found.recipientId);
  const refusal =
    refuse(found) ??
    refusePhotos(images) ??
    (input.codeOk ? null : await refuseOwnCode(services, before, text, earlier));
  if (refusal || !images)
    return (await findRepeated(services, found, input.key)) ?? { ok: false, code: refusal ?? "photo_gone" };
  const isBuyersAnswer = found.itemId !== null && found.senderId === found.buyerId && images.length === 0;
  return writeMessage(services, found, {
    text,
    images,
    key: input.key,
    agrees: isBuyersAnswer && !input.step && readsAsAgreement(text),
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
  const sent = await writeMessage(services, found, {
    text: AGREEMENT_TEXT,
    images: [],
    key: `agree:${input.orderItemId}`,
    agrees: true,
    isLimited: false,
  });
  return { ok: sent.ok };
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

function refusePhotos(images: readonly ProductImage[] | null): SendRefusal | null {
  return !images || images.length > MESSAGE_PHOTOS_MAX ? "photo_gone" : null;
}

async function refuseOwnCode(
  services: MessagingServices,
  { itemIds }: BeforeMessage,
  text: string,
  earlier: readonly LatestMessage[],
): Promise<SendRefusal | null> {
  const words = earlier.map(({ message }) => message);
  return revealsCode(text, await codesOf(services, itemIds), words) ? "own_code" : null;
}

/**
 * The answer to a repeat: the first one, whatever has changed since. A message to somebody else, or about another
 * listing, is no repeat. Null when the key is new.
 */
async function findRepeated(
  store: Store,
  { senderId, recipientId, productId }: Parties,
  key: string,
): Promise<SendResult | null> {
  const message = await findMessageByKey(store, senderId, key);
  if (!message) return null;
  const isSame = message.recipientId === recipientId && (productId === null || message.productId === productId);
  return isSame ? { ok: true, message, isNew: false } : { ok: false, code: "key_used" };
}

/** A message that may be written. */
interface Draft {
  text: string;
  images: ProductImage[];
  key: string;
  /** It agrees to the item that it is about, if the item waits for that. */
  agrees: boolean;
  /** Whether the sender's limits hold. Later messages count this one in any case. */
  isLimited: boolean;
  step?: MessageStep;
  /** What the sender wrote just before, oldest first. */
  earlier?: readonly string[];
}

/** Writes the message with all that follows from it in one batch, and has both sides' open pages told. */
async function writeMessage(services: MessagingServices, found: Parties, draft: Draft): Promise<SendResult> {
  const { db } = services;
  const now = services.now();
  const { senderId, recipientId, itemId } = found;
  const base = messageOf(found, draft, now);
  const sides = { userId: recipientId, otherId: senderId };
  // A step has emails and pushes of its own.
  const isTold = !draft.step && (found.isPaid || !found.conversing);
  try {
    const answers = await write(db, {
      step: draft.step?.statements ?? [],
      message: insertMessage(found, draft, base),
      conversation: afterMessagesWritten(idList(base.id)),
      agreement: draft.agrees && itemId !== null ? agreeOnItem(itemId, senderId, now) : [],
      contact: found.isFirstContact && itemId !== null ? contactBuyer(itemId, senderId, now) : [],
      firstMessage: found.isFirstMessage ? countFirstMessage(found, now) : [],
      notice: isTold ? [awaitNotice(sides, now)] : [],
      photos: attachPhotos(
        senderId,
        base.images.map(({ key }) => key),
        now,
      ),
      // A block, or the end of the account, may have come since the two were read.
      limits: draft.isLimited
        ? [
            expectThat(isOpenAccount(senderId)),
            expectThat(not(blockBetween(senderId, recipientId))),
            ...expectWithinLimits(senderId, now),
          ]
        : [],
      push: draft.step ? [] : pushMessage({ ...base, ...sides }, now),
      unread: countUnread(recipientId),
    });
    const written = { ...base, kind: "text" as const, offer: null, meeting: null, ...answers.message[0] };
    const message = withWarning(written, services.origin, draft.earlier);
    services.defer(tell(services.notifier, found, message, unreadIn(answers.unread)));
    return {
      ok: true,
      message,
      isNew: true,
      isPushed: answers.push.some((push) => (push as D1Result).meta.changes > 0),
    };
  } catch (error) {
    if (draft.step) {
      const answer = await findRepeated(services, found, draft.key);
      if (answer) return answer;
      throw error;
    }
    if (error instanceof UniqueViolation)
      return (await findRepeated(services, found, draft.key)) ?? { ok: false, code: "no_recipient" };
    if (error instanceof PreconditionFailed) return { ok: false, code: await explainRefusal(services, found, draft) };
    throw error;
  }
}

/** A message as both sides get it, without what only the batch knows. */
function messageOf(found: Parties, { text, images, key }: Draft, now: number) {
  const { senderId, recipientId, productId, productName, orderId, itemId } = found;
  return {
    id: crypto.randomUUID(),
    key,
    senderId,
    senderName: found.senderName || NOBODY,
    recipientId,
    message: text,
    images,
    createdAt: now,
    read: false,
    productId,
    productName,
    orderId,
    orderItemId: itemId,
  };
}

/**
 * The message as a row. It answers with what the batch decides: whether it agrees, and the offer or the meeting as they
 * are now.
 */
function insertMessage(found: Parties, { agrees, step }: Draft, message: ReturnType<typeof messageOf>) {
  const { itemId } = found;
  const offerId = step?.kind === "offer" ? step.offerId : null;
  const meetingOf = step?.kind === "meeting" ? itemId : null;
  // Decided inside the batch, so that of two messages at once only one agrees.
  const kind =
    agrees && itemId !== null
      ? sql<MessageView["kind"]>`CASE WHEN ${awaitsAgreement(itemId)} THEN 'agreement' ELSE 'text' END`
      : (step?.kind ?? "text");
  const { key, read: _read, productName: _name, ...columns } = message;
  return build
    .insert(messages)
    .values({
      ...columns,
      thread: threadOf(found.senderId, found.recipientId),
      offerId,
      recipientName: found.recipientName || NOBODY,
      kind,
      idempotencyKey: key,
    })
    .returning({
      kind: messages.kind,
      offer: selectOffer(sql`${offerId}`, message.createdAt),
      meeting: selectMeeting(sql`${meetingOf}`),
    });
}

/**
 * Why the batch of a message refused: a block of this moment, a limit that other messages at the same moment have used
 * up, or a photo.
 */
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
  const [row] = await read(db, oneRow({ block: blockOf(senderId, recipientId) }));
  return row?.block ?? null;
}

/** Both sides' open pages get the message. If it changed the order, their order pages reload. */
async function tell(notifier: Notifier, found: Parties, message: MessageView, unread: number): Promise<void> {
  const work = [
    notifier.send(found.recipientId, { type: "message", message, unread }),
    notifier.send(found.senderId, { type: "message", message }),
  ];
  const changed = found.isFirstContact || message.kind === "agreement" || message.kind === "meeting";
  if (found.orderId && found.itemId && changed) {
    const moved = { type: "order", orderId: found.orderId, orderItemId: found.itemId } as const;
    const agreed = `${found.senderName || "The buyer"} agreed to ${HANDOVER_WORDS[found.handover ?? "thing"].name}`;
    const notice = message.kind === "agreement" ? { notice: agreed } : {};
    work.push(notifier.send(found.recipientId, { ...moved, ...notice }), notifier.send(found.senderId, moved));
  }
  await Promise.all(work);
}
