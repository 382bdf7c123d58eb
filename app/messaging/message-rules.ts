/** Rules of messages (docs/product-rules.md, "Messages"). */

/** Characters. */
export const MESSAGE_MAX_LENGTH = 2000;
/** How many photos one message can have. */
export const MESSAGE_PHOTOS_MAX = 4;

/** How many characters of a message a notification shows. */
const PREVIEW_LENGTH = 30;

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
  sent: "Message sent successfully!",
  failed: "Failed to send message",
  load_failed: "Failed to load messages",
} as const;

/** Replaces a missing name. */
export const NOBODY = "Someone";

/** Shown in place of a message that our team removed. */
export const REMOVED_MESSAGE = "Removed by our team";

/** The message of a buyer who presses Agree. */
export const AGREEMENT_TEXT = "I agree.";

/** The key of a conversation between two people, the same for both. In SQL: `threadSql` in app/db. */
export function threadOf(one: string, other: string): string {
  return one < other ? `${one}:${other}` : `${other}:${one}`;
}

/** The subject of a message: an item of an order, or a listing. */
export type Subject = { kind: "item"; id: string } | { kind: "product"; id: string };

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const SUBJECT = new RegExp(`^(item|product):(${UUID})$`);

/** "item:{id}" or "product:{id}", as forms send it. */
export function writeSubject(subject: Subject): string {
  return `${subject.kind}:${subject.id}`;
}

/** Null for any other text. */
export function readSubject(text: string): Subject | null {
  const [, kind, id] = SUBJECT.exec(text) ?? [];
  return id && (kind === "item" || kind === "product") ? { kind, id } : null;
}

/** The toast of a new message: the sender's name and the first 30 characters. */
export function newMessageToast(message: { senderName: string; message: string; images?: readonly unknown[] }): string {
  const text = preview(messageWords(message.message, message.images?.length ?? 0));
  return text === "" ? "You have a new message" : `New message from ${message.senderName.trim() || NOBODY}: ${text}`;
}

/** A message in one line: its text, or that there are photos. */
export function messageWords(text: string, photos: number): string {
  if (text !== "" || photos === 0) return text;
  return photos === 1 ? "Photo" : `${photos} photos`;
}

/** The first 30 characters in one line, with an ellipsis if there are more. Counts characters as readers see them. */
function preview(text: string): string {
  const characters = [
    ...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.replaceAll(/\s+/g, " ").trim()),
  ];
  const shown = characters.slice(0, PREVIEW_LENGTH).map(({ segment }) => segment);
  return characters.length > PREVIEW_LENGTH ? `${shown.join("").trimEnd()}…` : shown.join("");
}

/** The pauses before reconnecting, in ms. */
const RECONNECT_MS = [1_000, 2_000, 5_000, 10_000];

/**
 * The pause before attempt number `tries` (from 0), in ms. `chance` (0 to 1) changes it by up to a quarter, so that
 * pages don't all reconnect at once.
 */
export function reconnectPause(tries: number, chance: number): number {
  return (RECONNECT_MS[Math.min(tries, RECONNECT_MS.length - 1)] ?? 0) * (0.75 + chance / 2);
}
