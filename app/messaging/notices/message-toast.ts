/** The words of the toast that announces a message. */
import { messageWords, NOBODY } from "#app/messaging/message-rules.ts";

/** How many characters of a message a notification shows. */
const PREVIEW_LENGTH = 30;

/** The toast of a new message: the sender's name and the first 30 characters. */
export function newMessageToast(message: { senderName: string; message: string; images?: readonly unknown[] }): string {
  const text = preview(messageWords(message.message, message.images?.length ?? 0));
  return text === "" ? "You have a new message" : `New message from ${message.senderName.trim() || NOBODY}: ${text}`;
}

/** The first 30 characters in one line, with an ellipsis if there are more. Counts characters as readers see them. */
function preview(text: string): string {
  const characters = splitCharacters(text.replaceAll(/\s+/g, " ").trim());
  const shown = characters.slice(0, PREVIEW_LENGTH).join("");
  return characters.length > PREVIEW_LENGTH ? `${shown.trimEnd()}…` : shown;
}

/** Firefox below 125 has no Segmenter. There an emoji of several parts counts as several. */
function splitCharacters(text: string): string[] {
  if (typeof Intl.Segmenter === "undefined") return [...text];
  const parts = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
  return Array.from(parts, ({ segment }) => segment);
}
