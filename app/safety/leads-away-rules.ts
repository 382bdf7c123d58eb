/** Finds what leads the two sides of a deal away from Chuoni: a payment outside it, a phone number, a link. */
import { hasPhone } from "./phone-pattern-rules.ts";

/** What a folded text does, the worst first; null for nothing of the kind. */
export function leadsAway(folded: string): "payment" | "phone" | "link" | null {
  const plain = withPlainSigns(folded);
  if (DIRECT_PAYMENT.some((pattern) => pattern.test(plain))) return "payment";
  if (hasPhone(plain) || CALL_ME.test(plain)) return "phone";
  return LINKS.some((pattern) => pattern.test(plain)) ? "link" : null;
}

/**
 * A folded text in which "evil[.]com", "evil (dot) com" and "njeri (at) gmail" are written with the signs that they
 * stand for.
 */
export function withPlainSigns(plain: string): string {
  return plain.replaceAll(/ ?[([{<] ?(dot|at|[.@]) ?[)\]}>] ?/g, (_, sign: string) =>
    sign === "at" || sign === "@" ? "@" : ".",
  );
}

/**
 * Anybody can send a text that makes a careless pattern run for minutes, and every page of its conversation runs them
 * all. So in these patterns no two repetitions can match the same characters.
 */

/** "Call me", "send me your number", and the same in Swahili and Sheng. */
const CALL_ME =
  /\b(?:nipigie|nipigieni|nicall|nitext|nitumie (?:namba|nambari|number)|whats\s?app me|(?:ni)?(?:whatsapp|inbox)ie|(?:call|text|dm|ring) me(?! by your name)|my (?:phone )?(?:number|whats\s?app) (?:is|ni)|(?:namba|nambari|number) yangu(?! ya (?:order|nyumba|room|hostel))|send me your (?:number|whats\s?app)|nipe (?:namba|nambari|number) yako|tuongee whats\s?app)\b/;

const TO_NUMBER = "(?:number|no\\.?|namba|nambari|phone|line|till|paybill|pochi|account|acc|m-?pesa)";
const DIRECT_PAYMENT = [
  // Tills and paybills with their number. "Till 10.12.2026" is a day.
  /\b(?:t[i1l!|][l1i!|]{2}|pay ?-?b[i1l!|][l1i!|]{2}|pochi(?: la biashara)?|buy ?-?goods)(?: (?:number|no\.?|namba))?\s*(?:is|ni|:|#|=)?\s*(?!\d\d?[ .-]\d\d?[ .-]20\d\d\b|20\d\d-\d\d)\d(?:[ .-]?\d){4,7}\b/,
  // Pay me directly, send the money to my number.
  /\bpay(?: it| the money| for it)?(?: to)? me (?:direct(?:ly)?|first|now|via|by|on|through|in cash before)\b/,
  /\bpay (?:direct(?:ly)?|outside|off (?:the )?(?:app|site)|(?:out)?side chuoni)\b/,
  /\b(?:pay|payment|money|cash|deposit|pesa|mpesa|m-pesa)(?: \S+){0,4} direct(?:ly)? (?:to|on|via) (?:my|me)\b/,
  new RegExp(`\\bdirect(?:ly)? (?:to|on|via) my (?:\\S+ )?${TO_NUMBER}\\b`),
  new RegExp(
    `\\b(?:send|pay|deposit|transfer|wire|mpesa|m-pesa)\\b(?: \\S+){0,4} (?:to|on|via|through|into|kwa) (?:my|this|the|hii|yangu) (?:\\S+ )?${TO_NUMBER}\\b`,
  ),
  // "M-Pesa me", but not "I paid by M-Pesa, me too", and in Sheng "nimelipa na mpesa me".
  /(?<!\b(?:na|kwa|by|via|with|on|using|through|from|the|my|your|an?) )\bm ?-? ?pesa (?:(?:it|that|half|the \w+) to )?(?:me|us)\b/,
  /\b(?:send|wire|mpesa|m-pesa) me (?:the |your |a |some |half |of |full )*(?:money|cash|deposit|payment|amount|fare|pesa|doo|kes|ksh|bob|\d)/,
  /\b(?:send|pay)(?: me)? (?:a |the |some )?(?:deposit|booking fee|commitment fee|delivery fee) (?:first|now|before|to me)\b/,
  // Swahili and Sheng.
  /\b(?:nitumie|nitumieni|tuma|nirushie|rusha|nisendie|sendia) (?:\S+ )?(?:pesa|doo|dooh|ganji|chapaa|mkwanja|cash|deposit|fare|mpesa|m-pesa|hela)\b/,
  /\b(?:nilipe|nilipie|lipa|ulipe|lipia) (?:kwa (?:hii|namba|nambari|number|till|line|simu|mpesa|m-pesa)|(?:ki)?direct|moja kwa moja|na (?:till|paybill|mpesa|m-pesa|pochi|namba|number)|mimi|kwangu)\b/,
  /\b(?:tuma|weka) kwa (?:hii|namba|nambari|number|till|line|simu|mpesa|m-pesa|my|yangu)\b/,
];

const LINKS = [
  /\b(?:https?:\/\/|www\.)\S/,
  // Addresses without www that people use to chat.
  /\b(?:wa\.me|t\.me|t\.co|m\.me|bit\.ly|tinyurl\.com|linktr\.ee|chat\.whatsapp\.com|api\.whatsapp\.com|ig\.me|instagr\.am|(?:instagram|facebook|fb|tiktok|telegram|twitter|x|snapchat|jiji|olx)\.(?:com|co\.ke|me|org))(?:\/\S+|\b)/,
  /[\w.+-]@[\w-]+\.[a-z]{2,}\b/,
  // Handles.
  /\b(?:insta(?:gram)?|ig|tiktok|telegram|tg|snap(?:chat)?|twitter|facebook|fb)(?: (?:is|ni|handle|page|yangu|me|name))*\s*(?::|-|@)\s*@?[\w.]{3,}/,
  /\b(?:dm|follow|find|add|text|chat|message|inbox)(?: me| us)? (?:on|at|kwa|via) (?:insta(?:gram)?|ig|tiktok|telegram|snap(?:chat)?|twitter|facebook|fb|whats\s?app)\b/,
];
