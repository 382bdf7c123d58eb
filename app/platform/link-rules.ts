/** Finds links in messages, and tells where they lead. */

export type TextPart =
  | { kind: "text"; text: string }
  /** `href` is on this site: a path. */
  | { kind: "own"; text: string; href: string }
  /** `host` is what the reader should check before opening it. */
  | { kind: "away"; text: string; href: string; host: string };

/** A web address in a text, without the punctuation that ends the sentence. */
const ADDRESS = /(?<![\p{L}\p{N}@/.])(?:https?:\/\/|www\.)[^\s<>"'`]+/giu;
const SENTENCE_END = ".,;:!?…";
/** What closes a parenthesis, with what opens it. */
const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Splits a text at its web addresses. The parts' texts, joined, are the whole text. `origin` is this site's own. */
export function splitLinks(text: string, origin: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutSentenceEnd(match[0]);
    const link = readLink(address, origin);
    if (!link) continue;
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    parts.push(link);
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** An address keeps a closing parenthesis that it opens itself: "https://en.wikipedia.org/wiki/Maize_(Kenya)". */
function withoutSentenceEnd(address: string): string {
  const count = (character: string) => address.split(character).length - 1;
  const spare = Object.entries(CLOSERS).map(([close, open]) => [close, count(close) - count(open)] as const);
  const left = new Map<string | undefined, number>(spare);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const unopened = left.get(last);
    if (unopened === undefined ? !SENTENCE_END.includes(last) : unopened <= 0) break;
    if (unopened !== undefined) left.set(last, unopened - 1);
  }
  return address.slice(0, end);
}

/** The address that this text is; null if it is none. Our oldest browsers have no URL.parse. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function readLink(address: string, origin: string): TextPart | null {
  const url = parseUrl(/^www\./i.test(address) ? `https://${address}` : address);
  // A user name before the host ("https://chuoni.co.ke@elsewhere.com") only serves to deceive.
  if (!url || (!url.hostname.includes(".") && url.origin !== origin) || url.username !== "" || url.password !== "")
    return null;
  // A path that begins with two slashes leads to another site once its origin is removed.
  if (url.origin === origin && url.pathname.startsWith("//")) return null;
  if (url.origin === origin) return { kind: "own", text: address, href: url.pathname + url.search + url.hash };
  return { kind: "away", text: address, href: url.href, host: url.host };
}
