/**
 * Finds a request for the handover code, which pays the seller. Its reader is warned, and nothing is blocked. English, Swahili
 * and Sheng, with the usual tricks: spaces, emoji and digits for letters, or a request in two messages. Other codes (promo codes,
 * course codes, the code of a gate) bring no warning.
 *
 * Each word is read as the sign of its group, and a request is a short row of signs: a verb of asking, fillers, the code. So a
 * new word is one entry in its group.
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
  const words = plainWords(text)
    .replaceAll(PAIRS, (_, one: string, other: string) => ` ${one}${other}`)
    .replaceAll(OTHER_CODES, " x ")
    .replaceAll(ADVICE, " x ")
    .trim()
    .split(" ");
  const signs = words.map(signOf).join("");
  return words.some((word) => IN_ONE_WORD.test(word)) || REQUESTS.some((pattern) => pattern.test(signs));
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

/** Written in two words or in one. */
const PAIRS =
  / (hand|pick|co|m|screen|pass|iko|let(?= [mu])) (over|up|de|pesa|shot|code|wapi|(?<=let )me|(?<=let )us)(?= )/g;

const SORTS = [
  "promo|promotion|discount|coupon|voucher|referral|invite|course|unit|class|subject|gate|hostel|door|room|house|building|lift",
  "wifi|wi fi|internet|zip|postal|post|area|country|dial|dialing|dialling|source|dress|colou?r|bar|style|model|product|item|error",
  "morse|java|python|till|paybill|ussd|bank|swift|exam|student|registration|reg|library|lab|sample|git|html|css|access|google|steam|netflix",
  "locker|padlock|classroom|zoom|meet|teams|school|university|county|sort|branch|stima|kplc|airtime|game|gift|shop|store|size|fault|engine|paint|hex|part|tax|key",
].join("|");

/** Codes that are none of ours, and the numbers of rooms and cards. */
const OTHER_CODES = new RegExp(
  [
    ` (?:(?:${SORTS}) (?:codes?|qr)(?= )(?: (?:is|ni|ya|for|of))?`,
    `codes? (?:ya|za|of|for|to)(?: (?:the|my|your|our|this|that|a))? (?:${SORTS}|mlango|nyumba|darasa|c|app|project|assignment|website|program)(?= )`,
    "codes? (?:of|za) conduct(?= )",
    "(?:to|can|ill|will|we) code(?= )",
    "(?:qr|codes?) (?:on|ya|of|for) (?:the |my )?(?:poster|shop|flyer|sticker|stickers|menu|duka)(?= )",
    "codes? (?:(?:for|of|ya) )?[a-z]{2,4} ?\\d[\\doi]{2}(?= )",
    "[a-z]{2,4} ?[2-9][\\doi]{2} codes?(?= )",
    "(?:room|house|hostel|block|gate|bus|route|plot|door|size|table|seat|nyumba|chumba|mlango|jezi) (?:numbers?|no|namba|nambari) (?:6|six|sita)(?= )",
    "(?:numbers?|namba|nambari|pin) ya siri (?:ya|za) (?:mpesa|simu|atm|kadi|benki|bank)(?= ))",
  ].join("|"),
  "g",
);

/** Somebody says that the code must not be given. */
const ADVICE =
  / (?:never|dont|do not|not to|no need to|shouldnt|should not|cant|cannot|wont|will not|usi(?:mpe|tume|peane|toe|seme|share|send|wape))(?: ever)?(?: (?:send|give|share|tell|show|read|want|need|ask|have|get|see))?(?: (?:me|us|anyone|anybody|them|him|her|for|the|your|my|that|yako|any|a|mtu|out)){0,4} (?:codes?|msimbo|otp|pin)(?= )/g;

/** "sendmeyourcode". */
const IN_ONE_WORD = /^[a-z]{0,20}(?:send|give|share|tell|nipe|nitumie|tuma|niambie)[a-z]{0,20}codes?$/;

/** The words of each sign. */
const GROUPS: Readonly<Record<string, string>> = {
  // Verbs of giving and telling, in a request.
  a: `send give giv gimme gimmie gimi tell share text forward fwd show drop dm message msg paste type inbox whatsapp provide
    reply respond pass submit forwadi forwad foward mention dictate snd bring tuma tumia tumeni lete leta sema soma rusha sendia onyesha andika toa
    peana mpe mpee mpatie wape taja chapa bonga nishow nitext nishare nipea nitajie nidm nisend nidrop nigei nigea naomba ninaomba tunaomba
    tupe tupatie tutumie tuletee nitaje`,
  // "Read code" alone is about programs.
  R: "read write say hand",
  C: "confirm verify check scan",
  // Of needing.
  A: "need needs want wants require waiting nataka ninataka nahitaji ninahitaji tunahitaji tunataka anataka anahitaji nadai must",
  // "Have you seen", in Swahili.
  h: "unayo una uko unaona umeona umepata umepewa umetumiwa umeletewa umepokea uliona ulipata ulipewa ulitumiwa uliletewa ushapata ushaona",
  q: "what whats wat wats wot wots which where wheres whr",
  K: "how hows",
  w: "gani ngapi ikowapi nini upi ipi gan",
  m: "can could may cn",
  L: "lemme letme letus naweza naeza tunaweza",
  z: "will gonna shall would should",
  i: "i we",
  y: "you u yu",
  b: "is are did do does ni ina are was",
  v: "get have see know take view pata kupata ona kuona jua kujua",
  g: "got gave sent received receive showed shows gives sends texted given displays saw seen has",
  u: "they it app system",
  c: "code codes kode codi otp otps qr msimbo misimbo passcode passcodes",
  // Words that mean our code only beside the order: a pin may be a place on a map, and "kodi" is rent.
  p: "pin pins token tokens password passwords kodi sms",
  n: "numbers namba nambari numba",
  "#": "digits digit figures tarakimu",
  N: "number no num",
  6: "6 six sita",
  S: "secret siri",
  s: "confirmation verification release handover",
  o: "order orders oda agizo chuoni",
  D: "delivery pickup payment mpesa parcel package mzigo",
  l: "of for ya za to from on kwa wa la",
  d: "page screen app ukurasa",
  k: "screenshot screenshots ss",
  j: "photo photos pic pics picture pictures picha snap image",
  M: "my yangu mine",
  t: "once after when until till immediately",
  r: "without bila",
  e: "please pls plz plis tafadhali first kwanza asap then haraka yako wako",
  T: "those these hizo zile hiyo hio",
  1: "a an",
  f: `me us him her the that this dat da tha your ur yo yetu ile iyo huo ule hako na tu kindly just only now sasa here hapa over
    again quickly basi bro boss dear with rider driver guy boda brother friend agent courier also too iko so sis dude jamaa msee ndugu kijana mama dada hebu out up ok okay sawa and`,
};
const SIGNS = new Map(
  Object.entries(GROUPS).flatMap(([sign, words]) => words.split(/\s+/).map((word) => [word, sign] as const)),
);
/** "Give me", "read to me", "let me see" in Swahili and Sheng: nipe, nisomee, nione; but not "nimepata", "nitakupa", "nikupe". */
const SWAHILI_ASK =
  /^ni(?:send|share|forward|fwd|text|show|dm|drop|read|give)[a-z]{0,3}$|^u?n(?:i|(?=[^aeiou]))(?!li|me|na|ta|ka|ki|ku|nge|si|ce|che|ne$|ke$|le$)[a-z]{1,12}e(?:ni)?$/;

function signOf(word: string): string {
  // "I'll".
  if (word === "ill") return "iz";
  const sign = SIGNS.get(word);
  if (sign !== undefined) return sign;
  if (/^[ck]o+d+e+[sz]?$/.test(word)) return "c";
  // "Uliyopewa": that you were given.
  if (/^uli[yz]o[a-z]+$/.test(word)) return "h";
  return SWAHILI_ASK.test(word) ? "a" : "x";
}

/** What may stand between a verb and the code. */
const FILL = "[flevMTu]{0,8}";
/** The handover code, as people call it. */
const CODE = [
  "[sSoD6N#n]{0,4}c",
  "[sS6][#nN]?[#nNp]",
  "op",
  "p[fle]{1,3}[osS]",
  "[nN]l[fl]{0,3}[sS]",
  // "The number that Chuoni gave you".
  "[nN#p]f?[ou]g",
].join("|");
const THE_CODE = `(?:${CODE})`;

const REQUESTS = [
  // Send me your code. What somebody says of themselves or of us ("I'll send it", "Chuoni will show it") isn't a request.
  `(?<![iou][zm]f?)(?<!by|zi|bi|L)(?:[aC](?!Mo?c)|R[fl])${FILL}${THE_CODE}`,
  `(?<!b[iy]|[yi]z|y)A${FILL}${THE_CODE}`,
  `(?<![qK])(?:mi|L)[vC]${FILL}${THE_CODE}`,
  // What is the code?
  `qb?[fleTu]{0,6}${THE_CODE}(?!l$|[i1]|b(?!y))`,
  `${THE_CODE}[lfobeD]{0,5}w`,
  `h[fle]{0,4}${THE_CODE}`,
  `[bv]y[gv][fle]{0,3}${THE_CODE}`,
  `${THE_CODE}y[gv]`,
  `^y?[gv][fle]{0,3}${THE_CODE}$`,
  // The code on your page: send it.
  `${THE_CODE}(?:[lfodgyTx]{0,6}au|[lfod]{0,4}ha)`,
  // No goods before the code.
  `ti[gv]${FILL}${THE_CODE}`,
  `r[flM]{0,3}${THE_CODE}`,
  `(?<!M)${THE_CODE}(?:[lf]{1,3}o)?e`,
  // The six numbers, without the word code.
  "(?<![c1vg]f?)6[n#]|[n#]6|[nN#]l[S]|S[Np#]",
  `[aR][fle]{0,6}(?:T[nN#]|#)`,
  "qb?[fT]{0,3}#(?!b[^y])",
  "q[nN][by]{0,2}y?[gv]|q[nNp#]b?[ou][ga]|h[nN]w",
  "[n#]yg|[n#]yv|[nN]h",
  // The page that shows it.
  `(?:a|A|mi|Lv|h)[flevMTu1]{0,8}(?:k[flM]{0,4}[odc]|j[flM]{1,4}(?:od|o?c)|od?k)`,
  "k[flM]{0,3}[oc]",
  // No code, no delivery.
  "NcN",
  // Nothing but the code.
  `^f{0,3}(?:o?c|op)[efb]{0,2}$`,
].map((pattern) => new RegExp(pattern));
