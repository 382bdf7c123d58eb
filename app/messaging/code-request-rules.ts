/**
 * Finds a request for the hand-over code, which pays the seller. Its reader is warned, and nothing is blocked. English, Swahili
 * and Sheng, with the usual tricks: spaces, emoji and digits for letters, or a request in two messages. Other codes (promo codes,
 * course codes, the code of a gate) bring no warning.
 */
import { foldText } from "#app/platform/folded-text.ts";

/**
 * Whether `text` asks for the code. `earlier`: what its sender wrote just before, oldest first. A request that was
 * complete before isn't found again.
 */
export function asksForCode(text: string, earlier: readonly string[] = []): boolean {
  if (isRequest(text)) return true;
  const before = earlier.join(" ");
  return before !== "" && isRequest(`${before} ${text}`) && !isRequest(before);
}

function isRequest(text: string): boolean {
  const words = plainWords(text).replaceAll(OTHER_CODES, " x ").replaceAll(ADVICE, " x ");
  return REQUESTS.some((pattern) => pattern.test(words));
}

/** Lower-case words with single spaces. Digits within a word are letters, and single letters in a row are a word. */
function plainWords(text: string): string {
  const words = foldText(text)
    .plain.replaceAll("'", "")
    .replaceAll(/[a-z0-9@$]+/g, (word) => (/[a-z]/.test(word) ? word.replaceAll(/[013457@$]/g, unleet) : word))
    .replaceAll(/[^a-z0-9]+/g, " ");
  return ` ${words.trim()} `.replaceAll(/ (?:[a-z] ){3,}/g, (letters) => ` ${letters.replaceAll(" ", "")} `);
}

const LEET: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s" };

function unleet(character: string): string {
  return LEET[character] ?? character;
}

/*
 * As for other warnings: every page of a conversation runs these, so no two repetitions can match the same characters. Words
 * come with a space on either side.
 */

const SORTS = [
  "promo|promotion|discount|coupon|voucher|referral|invite|course|unit|class|subject|gate|hostel|door|room|house|building|lift",
  "wifi|wi fi|internet|zip|postal|post|area|country|dial|dialing|dialling|source|dress|colou?r|bar|style|model|product|item|error",
  "morse|java|python|till|paybill|ussd|bank|swift|exam|student|registration|reg|library|lab|sample|git|html|css|access|google|steam|netflix",
].join("|");

/** Codes that are none of ours. */
const OTHER_CODES = new RegExp(
  ` (?:(?:${SORTS}) codes?(?= )(?: (?:is|ni|ya|for|of))?|codes? (?:ya|za|of|for|to)(?: (?:the|my|your|our|this|that|a))? (?:${SORTS}|mlango|nyumba|darasa|c|app|project|assignment)(?= )|codes? (?:of|za) conduct(?= )|codes? [a-z]{2,4} ?\\d{3}(?= ))`,
  "g",
);

/** Somebody says that the code must not be given. */
const ADVICE =
  / (?:never|dont|do not|not to|cant|cannot|usi(?:mpe|tume|peane|toe|seme))(?: ever)?(?: (?:send|give|share|tell|show|read))?(?: (?:me|us|anyone|anybody|them|him|her|the|your|my|that|yako|code)){0,4} codes?(?= )/g;

/** The hand-over code, as people call it. */
const CODE =
  "(?:(?:hand ?over|release|delivery|pick ?up|confirmation|verification|secret|chuoni|order|payment|mpesa|m pesa|qr|six|6|sita|digit) )*(?:codes?|co de|kode|codi|otp|qr|handover (?:number|digits))";
const FILL =
  "(?:(?:me|us|him|her|to|the|that|this|those|your|ur|ya|yako|yangu|yetu|ile|hiyo|hio|iyo|hizo|zile|na|tu|please|pls|plz|tafadhali|kindly|just|only|now|sasa|first|kwanza|here|hapa|over|again|quickly|haraka|basi|bro|boss|dear|it|for|with|my|rider|driver|guy|boda|brother|friend|agent|courier) )*";
const DIGITS = "(?:numbers?|digits?|figures|namba|nambari|tarakimu|numba)";

const REQUESTS = [
  // Send me your code. What somebody sends themselves ("I'll send you my code") isn't a request.
  `(?:send|sent|give|gimme|tell|share|text|forward|show|drop|read|dm|message|paste|type|need|want|inbox|whatsapp|provide|confirm|reply|respond) ${FILL}${CODE}`,
  `(?:can|may|could|let) (?:i|me) (?:get|have|see|know|take) ${FILL}${CODE}`,
  `(?:get|got) me ${FILL}${CODE}`,
  `(?:whats|what is|wheres|where is|which is|hows) ${FILL}${CODE}`,
  `(?:which|what) ${CODE}`,
  `${CODE} (?:you|u|ulio\\w+|uli\\w+) (?:got|get|received|receive|have|see|saw|pata|tumiwa|letewa)`,
  `(?:once|after|when|until|till|as soon as|immediately) (?:i|we) (?:get|have|receive|see|got) ${FILL}${CODE}`,
  `(?:without|bila) ${FILL}${CODE}`,
  `${CODE} (?:please|pls|plz|first|kwanza|tafadhali|asap|yako|then|haraka|iko wapi|ni gani|ni ngapi|gani)`,
  // Swahili and Sheng.
  `(?:nitumie|nitumieni|tuma|tumia|nipe|nipee|nipatie|nipeni|lete|leta|niletee|sema|niambie|nisomee|soma|rusha|nirushie|nisendie|sendia|nionyeshe|onyesha|andika|toa|peana|mpe|mpatie|naomba|ninaomba|nataka|ninataka|nahitaji|nishow|nitext|niforwadie|nishare|nipea|umepata|unayo|uko na|una|iko wapi) ${FILL}${CODE}`,
  // The six numbers, without the word code.
  `(?:6|six|sita) ${DIGITS}`,
  `${DIGITS} (?:6|six|sita)`,
  `${DIGITS} ya siri`,
  "(?:secret|siri) (?:number|digits|pin)",
  `(?:send|give|tell|share|text|read|tuma|nitumie|nipe|niambie|nisomee|sema|nirushie|nisendie|lete) ${FILL}(?:hizo|zile|hiyo|those|these|the) ${DIGITS}`,
  `(?:send|give|tell|share|read|nipe|nitumie|tuma|niambie) ${FILL}digits`,
  `(?:which|what) (?:are )?(?:the |your |those )?digits`,
  `(?:which|what) (?:are )?(?:the |your |those )?numbers? (?:did (?:you|u|it|they)|do (?:you|u) see|you (?:got|get|see|received)|(?:it|they|chuoni) (?:gave|sent|shows?))`,
  `${DIGITS} (?:you|u) (?:got|received|see|were sent)`,
  // Letters that were written one by one.
  "[a-z]{0,20}(?:send|give|share|tell|nipe|nitumie|tuma|niambie)[a-z]{0,20}codes?",
  `${DIGITS} (?:ulizo\\w+|umepata|uliyo\\w+)`,
].map((pattern) => new RegExp(` (?:${pattern}) `));

REQUESTS.push(
  /^ (?:and |na |now |ok |sasa |sawa )?(?:(?:the|your|ur|ile|hiyo) )?code (?:please |pls |tafadhali |bro |boss )?$/,
);
