/** Rules of telling people outside the app that somebody wrote to them (docs/product-rules.md, "Messages"). */
import { contactWarning } from "#app/safety/contact-warning-rules.ts";
import { messageWords } from "#app/messaging/message-rules.ts";

/** How long a message may stay unread before its reader is told, ms. */
export const NOTICE_WAIT_MS = 10 * 60_000;
/** Somebody is told of one conversation at most once in this time, ms. */
export const NOTICE_PAUSE_MS = 60 * 60_000;
/** Messages of one person within this time are one push, unless they are read in between, ms. */
export const BURST_MS = 5 * 60_000;
/** Up to how many messages are counted. */
export const NOTICE_COUNTED = 100;
/** Characters. */
const EXCERPT_MAX = 80;

/** A digit in any script, or its name in English or Swahili. */
const DIGIT =
  "(?:\\p{N}|(?<!\\p{L})(?:zero|one|two|three|four|five|six|seven|eight|nine|sifuri|moja|mbili|tatu|nne|tano|sita|saba|nane|tisa)(?!\\p{L}))";
/** Four digits or more: a code, a PIN, a till, a phone number. */
const NUMBER = new RegExp(`${DIGIT}(?:[^\\p{L}\\p{N}]{0,3}${DIGIT}){3,}`, "giu");
/** What a mail program may turn into a link. */
const ADDRESS = /[@/\\]|[\p{L}\p{N}]\.[\p{L}\p{N}]/u;

/**
 * The beginning of a message for an email, in one line and without numbers that could be a code or a phone number. Null
 * when the reader of the message would be warned of it, when it has something like a link, or when nothing is left.
 * `origin` is this site's own.
 */
export function excerptOf(text: string, photos: number, origin: string): string | null {
  const plain = text.replaceAll(/[\p{Cf}\p{Cc}]+/gu, (marks) => (/\s/.test(marks) ? " " : ""));
  if (ADDRESS.test(plain.replaceAll(NUMBER, "…")) || contactWarning(plain, origin)) return null;
  const words = messageWords(plain.replaceAll(NUMBER, "…").replaceAll(/\s+/g, " ").trim(), photos);
  return /[\p{L}\p{N}]/u.test(words) ? cut(words) : null;
}

/** Cut at a word where one ends in its second half. */
function cut(words: string): string {
  const characters = [...words];
  if (characters.length <= EXCERPT_MAX) return words;
  const kept = characters.slice(0, EXCERPT_MAX - 1).join("");
  const space = kept.lastIndexOf(" ");
  return `${(space > EXCERPT_MAX / 2 ? kept.slice(0, space) : kept).trimEnd()}…`;
}
