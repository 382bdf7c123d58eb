/** Rules of messages (docs/product-rules.md, "Messages"). */
import { MINUTE_MS } from "#app/platform/duration-rules.ts";
import { UUID } from "#app/platform/uuid-rules.ts";

/** Characters. */
export const MESSAGE_MAX_LENGTH = 2000;
/** How many photos one message can have. */
export const MESSAGE_PHOTOS_MAX = 4;

export const MESSAGE_TEXTS = {
  empty: "Please enter a message",
  too_long: "Messages can be up to 2,000 characters",
  no_recipient: "Cannot send message - recipient not found. Please try refreshing the page.",
  signed_out: "You must be logged in to send messages",
  blocked_by_me: "You blocked this person. Unblock them to send a message.",
  blocked: "You can't message this person.",
  too_many: "You're sending too many messages. Please wait a moment and try again.",
  /** Where nothing says until when. */
  newcomer: "Your account is new, so you can't message more new people yet.",
  photo_gone: "A photo is no longer available. Please add it again",
  own_code: "This looks like your handover code. Whoever has it is paid, so give it only when you hold the item.",
  key_used: "This page has already sent another message. Please reload it and send this one again.",
  sent: "Message sent successfully!",
  failed: "Failed to send message",
  load_failed: "Failed to load messages",
} as const;

/** A request may come in several messages: in so many, and within this time in ms. */
const EARLIER = { messages: 3, withinMs: 10 * MINUTE_MS };

/** The last words of one sender, oldest first, which the next message of theirs may complete. */
export function earlierWords(latest: readonly { message: string; createdAt: number }[], now: number): string[] {
  return latest
    .filter(({ createdAt }) => now - createdAt < EARLIER.withinMs)
    .slice(-EARLIER.messages)
    .map(({ message }) => message);
}

/** Replaces a missing name. */
export const NOBODY = "Someone";

/** Shown in place of a message that our team removed. */
export const REMOVED_MESSAGE = "Removed by our team";

/** The message of a buyer who presses Agree. */
export const AGREEMENT_TEXT = "I agree.";

/** The key of a conversation between two people, the same for both. In SQL: `threadSql`. */
export function threadOf(one: string, other: string): string {
  return one < other ? `${one}:${other}` : `${other}:${one}`;
}

/** The subject of a message: an item of an order, or a listing. */
export type Subject = { kind: "item"; id: string } | { kind: "product"; id: string };

/** "item:{id}" or "product:{id}", as forms send it. */
export function writeSubject(subject: Subject): string {
  return `${subject.kind}:${subject.id}`;
}

/** Null for any other text. */
export function readSubject(text: string): Subject | null {
  const [, kind, id = ""] = /^(item|product):(.+)$/.exec(text) ?? [];
  return UUID.test(id) && (kind === "item" || kind === "product") ? { kind, id } : null;
}

/** A message in one line: its text, or that there are photos. */
export function messageWords(text: string, photos: number): string {
  if (text !== "" || photos === 0) return text;
  return photos === 1 ? "Photo" : `${photos} photos`;
}
