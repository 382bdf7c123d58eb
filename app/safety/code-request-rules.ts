/**
 * Finds a request for the handover code, which pays the seller. Its reader is warned, and nothing is blocked. A request
 * is a verb of asking with the code at most six words behind it ("send me your code", "nipe code"), or a question for
 * it. English, Swahili and Sheng. Other codes (promo codes, course codes, the code of a gate) bring no warning.
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
  const words = foldText(text)
    .plain.replaceAll("'", "")
    .replaceAll(/(?<=[a-z])[013]|[013](?=[a-z])/g, (digit) => ({ 0: "o", 1: "i", 3: "e" })[digit] ?? digit)
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();
  const plain = ` ${words} `.replaceAll(/ (?:[a-z] ){3,}/g, (letters) => ` ${letters.replaceAll(" ", "")} `);
  const rest = plain.replaceAll(OTHER_CODES, " x ").replaceAll(NO_REQUEST, " x ");
  return REQUESTS.some((request) => request.test(rest));
}

/** A pattern of words, each with the space behind it. */
function oneOf(list: string): string {
  return `(?:${list.trim().replaceAll(/\s+/g, "|")}) `;
}

/** Our code, as people call it. A pin may be a place on a map, so it counts beside the order alone. */
const CODE = `(?:${[
  oneOf("code codes codee codeee kode otp qr msimbo passcode"),
  "(?:secret|confirmation|verification|release|hand ?over) (?:numbers?|pin|token) ",
  "(?:order|oda|agizo) (?:pin|token|page) ",
  "(?:pin|token|sms|screenshot|message|numbers?|digits?|namba|nambari) (?:[a-z]+ ){0,4}(?:order|oda|chuoni) ",
  "(?:namba|nambari|kodi) ya siri |(?:namba|nambari) sita ",
  "(?:6|six) (?:digits?|numbers?|figures|pin) ",
  "(?:those|these|hizo|zile) (?:numbers|digits|namba|nambari) ",
  "(?:numbers?|digits) (?:did you get|you got|they sent|on (?:the|your) (?:page|screen)) ",
].join("|")})`;

/** Verbs of asking. */
const ASK = `(?:${[
  oneOf(`send give gimme gimmie share tell text forward fwd show drop dm inbox whatsapp reply bring paste type provide
    submit dictate hand read say ask confirm screenshot need needs want wants require must waiting lemme
    what whats wat wats wot which
    tuma tumia tumeni lete leta sema onyesha andika toa peana mpe mpee mpatie wape wapatie patia taja chapa bonga
    forwadi naomba nakuomba anaitisha tupe tutumie nitajie nataka anataka nahitaji
    una unayo uko unaona umeona umepata umetumiwa umepewa ulipewa`),
  "(?:can|may|could|did|do|have|let|once) (?:i|we|you|u|me|us) (?:get|got|have|see|know|take|received?|scan) ",
  "(?:naweza|naeza|tunaweza) pata ",
  // "Give me", "read to me", "let me see": nipe, nisomee, nione; but not "nimepata", "nitakupa", "nikupe".
  "u?n(?:i|(?=[^aeiou]))(?!li|me|na|ta|ka|ki|ku|nge|si|ce|ke )[a-z]{1,12}e(?:ni)? |ni(?:send|forward|share|show|text|dm|gei) ",
].join("|")})`;

const REQUESTS = [
  ` ${ASK}(?:[a-z0-9]+ ){0,5}?(?<! my )${CODE}(?!yangu |for $|editors)`,
  ` (?<! my )${CODE}(?:[a-z]+ ){0,3}?(?:gani|ngapi|nini|upi|iko wapi|please|pls|plz|first|kwanza|nitumie|nione|u got|you got|send it) `,
  ` (?:just|without|bila|no) (?:[a-z]+ )?${CODE}`,
  " (?:the (?:numbers|digits) you got|your (?:six|6) (?:numbers|digits)|(?:namba|nambari) (?:ya siri|sita)) ",
  `^ (?:(?:just|the|your|order|hebu|sasa|tu|got|u have) )*${CODE}(?:ni |tu )?$`,
].map((pattern) => new RegExp(pattern));

/** What else has a code, and codes that are none of ours. */
const THINGS =
  oneOf(`promo promotion discount coupon voucher referral course class unit gate hostel door room house locker padlock
  lift wifi zip postal area country dial source dress colour color bar style model product game zoom paint hex part
  morse csc mat gift lock error mlango nyumba darasa python assignment appreciation kplc`);
const OTHER_CODES = new RegExp(
  [
    ` ${THINGS}(?:codes?|token|password)(?: (?:is|ni|ya|for|of))?(?= )`,
    ` codes? (?:ya|of|for) (?:the |my |your )?${THINGS}`,
    " [a-z]{2,4} \\d{3} codes?(?= )| codes? (?:for )?[a-z]{2,4} \\d{3}(?= )| qr (?:on|ya) | code of conduct| codes and ",
    " (?:room|house|bus|jersey|nyumba|jezi) (?:numbers?|no|namba) (?:6|six|sita)(?= )",
    " (?:namba|pin) ya siri ya (?:mpesa|simu)| to code(?= )| read code(?= )",
  ].join("|"),
  "g",
);

/** Who says the next verb of themselves, advises against it, or asks how to do it. */
const NOT_ASKING =
  "never|dont|do not|shouldnt|no need to|not to|usi[a-z]+|(?:how|when|where) (?:do|can) i|(?:do|should) i|does|ill|(?:i|we|chuoni) will|i can only";
/** With one verb only: "don't worry, send the code" is a request. */
const NO_REQUEST = new RegExp(
  [
    ` (?:${NOT_ASKING})(?: [a-z]+)?(?: (?:me|us|you|him|her|them|anybody|anyone|mtu|to|for|the|your|my|that|any)){0,4} (?:code|otp|pin)(?= )`,
    " an? (?:handover )?code(?= )",
  ].join("|"),
  "g",
);
