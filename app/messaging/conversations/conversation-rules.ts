/** The messages of a conversation that a page knows, from the pages it loaded and the events it received: pure. */
import { DAY_MS } from "#app/platform/duration-rules.ts";

export interface MessageFacts {
  id: string;
  senderId: string;
  /** Ms since 1970. */
  createdAt: number;
  read: boolean;
  orderItemId: string | null;
}

export interface KnownMessages<Message> {
  /** Oldest first. */
  messages: readonly Message[];
  /** The cursor of older messages; null at the beginning. */
  older: string | null;
}

/** Merges messages, oldest first, each once. A message that was read stays read. */
export function mergeMessages<Message extends MessageFacts>(
  known: readonly Message[],
  news: readonly Message[],
): Message[] {
  const all = new Map(known.map((message) => [message.id, message]));
  for (const message of news)
    all.set(message.id, { ...message, read: message.read || all.get(message.id)?.read === true });
  return [...all.values()].toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}

/**
 * Merges a fresh newest page with the known messages. If there is a gap between them, the known ones are dropped,
 * because an invisible gap is worse than loading older messages again.
 */
export function joinNewest<Message extends MessageFacts>(
  known: KnownMessages<Message>,
  newest: KnownMessages<Message>,
): KnownMessages<Message> {
  const ids = new Set(known.messages.map(({ id }) => id));
  const meets = newest.older === null || known.messages.length === 0 || newest.messages.some(({ id }) => ids.has(id));
  if (!meets) return newest;
  const reachesBack = known.messages.length > 0 && ids.has(newest.messages[0]?.id ?? "");
  return { messages: mergeMessages(known.messages, newest.messages), older: reachesBack ? known.older : newest.older };
}

/** Adds an older page before the known messages. */
export function joinOlder<Message extends MessageFacts>(
  known: KnownMessages<Message>,
  page: KnownMessages<Message>,
): KnownMessages<Message> {
  return { messages: mergeMessages(page.messages, known.messages), older: page.older };
}

/**
 * Marks the messages that `senderId` wrote up to `at` (ms) as read: all of them, or those about `item`. Returns the
 * same list when nothing changes.
 */
export function markReadUpTo<Message extends MessageFacts>(
  messages: readonly Message[],
  senderId: string,
  at: number,
  item?: string,
): readonly Message[] {
  const isRead = (message: Message) =>
    !message.read &&
    message.senderId === senderId &&
    message.createdAt <= at &&
    (item === undefined || message.orderItemId === item);
  return messages.some(isRead)
    ? messages.map((message) => (isRead(message) ? { ...message, read: true } : message))
    : messages;
}

/** After this time without an answer nobody is waiting any more, ms. */
const WAITS_MS = DAY_MS;

/** Whether the viewer wrote last, and may still expect an answer. */
export function waitsForAnswer(
  last: Pick<MessageFacts, "senderId" | "createdAt"> | undefined,
  viewerId: string,
  now: number,
): boolean {
  return last !== undefined && last.senderId === viewerId && now - last.createdAt < WAITS_MS;
}
