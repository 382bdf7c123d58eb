/**
 * Finds what cheats one of the two, or leads them away from Chuoni: requests for the handover code, payments outside
 * and other cons at any time, and phone numbers and links before a payment. The reader gets a warning. Nothing is
 * blocked, so a text that says nothing of the kind must not warn.
 */
import { asksForCode } from "./code-request-rules.ts";
import { findCon } from "./con-rules.ts";
import { foldText } from "#app/platform/folded-text.ts";
import { leadsAway, withPlainSigns } from "./leads-away-rules.ts";
import { parseUrl, splitLinks } from "#app/platform/link-rules.ts";
import { type ContactWarning, warningText } from "./warning-text-rules.ts";

/**
 * What the reader should be careful about; null for nothing. A request for the handover code is the worst, and what
 * moves money outside Chuoni comes next. Links to this site, which is `origin`, are fine. `earlier`: what the sender
 * wrote just before, oldest first.
 */
export function contactWarning(text: string, origin: string, earlier: readonly string[] = []): ContactWarning | null {
  if (asksForCode(text, earlier)) return "code";
  const parts = splitLinks(text, origin).map((part) => (part.kind === "own" ? " " : part.text));
  const { plain } = foldText(parts.join(""));
  const away = leadsAway(plain);
  const con = findCon(plain);
  if (away === "payment") return con === "pin" || con === "reversal" ? con : away;
  return con ?? away ?? (namesSite(plain, parseUrl(origin)?.host) ? "link" : null);
}

/**
 * An address that people type without "https" and "www": "chuoni-pay.com/order", "pay.chuoni.co.ke.example.net". But
 * ASP.NET is none.
 */
const SITE =
  /(?<![\w@.-])(?!(?:asp|vb|ado)\.net)(?:[a-z0-9-]{1,63}\.){1,5}(?:com|net|org|info|xyz|top|shop|store|site|online|link|click|app|support|club|io|dev|biz|africa|bio|vip|(?:co|or|ac|go|me|ne)\.ke)(?![\w-]|\.[a-z])/g;

/** Whether a folded text names another site than the one at `own`. */
function namesSite(plain: string, own: string | undefined): boolean {
  return SAID_SITE.test(plain) || [...withPlainSigns(plain).matchAll(SITE)].some(([site]) => site !== own);
}

/** "Evil dot com", but not "the dot com boom". */
const SAID_SITE =
  /(?<![a-z])(?!(?:the|an?|or|and|this|that|is|was) )[a-z0-9-]{2,63} dot (?:com|org|(?:co|or|me) dot ke)(?! (?:boom|bubble|crash|era|age|years|compan))(?![a-z])/;

/**
 * What stands below a text that isn't a message, for everybody but its author: it asks for the handover code or to pay
 * directly. Null for nothing. Phone numbers and links are fine there.
 */
export function textWarning(text: string): string | null {
  return warningText(contactWarning(text, ""), true);
}
