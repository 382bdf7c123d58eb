/** What of a conversation a page knows, put together from the pages it loaded and what it heard since: pure. */

export interface Written {
  id: string;
  senderId: string;
  /** Ms since 1970. */
  createdAt: number;
  read: boolean;
  orderItemId: string | null;
}

export interface Known<Message> {
  /** Oldest first. */
  messages: readonly Message[];
  /** The cursor of what is older; null at the beginning. */
  older: string | null;
}

/** Puts messages together, oldest first, each once; what has been read stays read. */
export function mergeMessages<Message extends Written>(known: readonly Message[], news: readonly Message[]): Message[] {
  const all = new Map(known.map((message) => [message.id, message]));
  for (const message of news)
    all.set(message.id, { ...message, read: message.read || all.get(message.id)?.read === true });
  return [...all.values()].toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}

/**
 * The newest page, read anew, joins what is known. Where so much was missed that the two do not meet, what is known is given up:
 * a gap that nobody sees would be worse than to scroll again.
 */
export function joinNewest<Message extends Written>(known: Known<Message>, newest: Known<Message>): Known<Message> {
  const ids = new Set(known.messages.map(({ id }) => id));
  const meets = newest.older === null || known.messages.length === 0 || newest.messages.some(({ id }) => ids.has(id));
  if (!meets) return newest;
  const reachesBack = known.messages.length > 0 && ids.has(newest.messages[0]?.id ?? "");
  return { messages: mergeMessages(known.messages, newest.messages), older: reachesBack ? known.older : newest.older };
}

/** An older page comes before what is known. */
export function joinOlder<Message extends Written>(known: Known<Message>, page: Known<Message>): Known<Message> {
  return { messages: mergeMessages(page.messages, known.messages), older: page.older };
}

/** What `senderId` wrote up to `at` (ms), all of it or what was about `item`, has been read. The same list where that changes nothing. */
export function markReadUpTo<Message extends Written>(
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
