/**
 * Reads a whole post, as students write them in WhatsApp groups and paste them into the name of a listing: "Selling my
 * hp laptop core i5 8gb 256ssd 22k slightly negotiable, main campus, call 07…". It rather finds nothing than something
 * wrong. Anybody can paste anything, so no two repetitions of a pattern can match the same characters.
 */
import type { Condition } from "#app/catalogue/catalogue-rules.ts";
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { NO_UNIT, readSaidAmount, SWAHILI_AMOUNT } from "#app/catalogue/search/said-amount-rules.ts";
import { replaceFolded } from "#app/platform/folded-text.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import { hasPhone, phonesIn } from "#app/safety/phone-pattern-rules.ts";
import { LISTING_MAX } from "./listing-form-rules.ts";

/** What a post says. What isn't recognized is in the description. */
export interface PostReading {
  /** Empty where it names nothing. */
  name: string;
  /** KES; null where it says none, or several. */
  price: number | null;
  /** It says several prices, so perhaps it sells several things. */
  hasPrices: boolean;
  condition: Condition | null;
  /** Whether it takes offers; null where it doesn't say. */
  takesOffers: boolean | null;
  /** The post without its price, its words about offers, and phone numbers. */
  description: string;
  /** A phone number or a link to a chat was left out. */
  hadContact: boolean;
}

/** Longer texts aren't read, which would take too long. Characters. */
export const POST_MAX = 4_000;

export function readPost(text: string): PostReading {
  const lines = withoutHeaders(visibleText(text.replaceAll(/\r\n?/g, "\n").replaceAll("\t", " ")));
  const { text: post, hadContact } = withoutContacts(lines.replaceAll(/([*_~])(?=\S)([^*_~\n]+)\1/g, "$2"));
  const offers = readOffers(post);
  const { price, hasPrices, without } = readPrice(offers.without);
  return {
    name: nameOf(without),
    price,
    hasPrices,
    condition: CONDITION_WORDS.find(([, pattern]) => pattern.test(post))?.[0] ?? null,
    takesOffers: offers.takes,
    description: withoutPhones(without),
    hadContact,
  };
}

/** Whether it says more than a name does, so that it is worth asking whether to take it apart. */
export function isPost(text: string, { price, takesOffers, hadContact }: PostReading): boolean {
  return (
    price !== null ||
    takesOffers !== null ||
    hadContact ||
    text.trim().includes("\n") ||
    [...text].length > LISTING_MAX.name
  );
}

/** What was taken out stands here, so that a name doesn't run across it. No text that people send has it. */
const GONE = "\u{E000}";

const DATE = String.raw`\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}`;
const TIME = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?`;
/** "[12:04, 3/4/2026] Njeri: " and "3/4/26, 12:04 - Njeri: ", as WhatsApp copies and exports messages. */
const HEADER = new RegExp(
  String.raw`^[ >]{0,4}(?:\[(?:${TIME},? ${DATE}|${DATE},? ${TIME})\] ?|${DATE},? ${TIME} [-–] )(?:[^:\n]{1,60}: ?)?`,
  "gimu",
);
const NO_TEXT = /^[ ‎]{0,3}(?:forwarded(?: many times)?|<?(?:media|image|video|sticker) omitted>?)[ .]{0,3}$/gimu;

function withoutHeaders(text: string): string {
  return text.replaceAll(HEADER, "").replaceAll(NO_TEXT, "");
}

const CHAT_LINK =
  /(?:https?:\/\/)?(?:wa\.me|api\.whatsapp\.com|chat\.whatsapp\.com|whatsapp\.com\/(?:catalog|channel))\/?[^\s]*/gi;
/** What leads to a number: "call or text me on", "piga simu", "WhatsApp/call:", "📞". */
const CALL_ON =
  /(?:(?:[📞☎📱📲📩☏]\u{FE0F}?|(?<![\p{L}\p{N}])(?:call|text|sms|whats\s?app|watsapp|inbox|dm|contacts?|contact us|piga|nipigie|nicheki|nitext|niinbox|simu|tel|phone|mobile|number|namba|nambari|no|me|us|my|is|ni|via|on|through|kwa|at|or|and|au|reach|hit|up|line)(?![\p{L}\p{N}]))[ .:;/&+,|-]{0,3}){0,8}[(]?\u{E000}(?:[ /,&|-]{0,3}\u{E000})*[)]?/giu;

function withoutContacts(text: string): { text: string; hadContact: boolean } {
  const marked = markPhones(text.replaceAll(CHAT_LINK, GONE));
  return { text: marked.replaceAll(CALL_ON, GONE), hadContact: marked.includes(GONE) };
}

/** What is left around a number may be another one. Each turn is shorter. */
function markPhones(text: string, by = GONE): string {
  return hasPhone(text) ? markPhones(replaceFolded(text, phonesIn, by), by) : text;
}

function withoutPhones(text: string): string {
  return tidyLines(markPhones(text, " "));
}

const NO_OFFERS =
  /(?<![\p{L}\p{N}])(?:(?:price|bei) (?:is |ni )?(?:fixed|firm|final|moja)|fixed price|(?<=\d ?(?:k|\/[-=]|=|bob)? ?)fixed|bei (?:haipungui|haishuki|haiongei)|(?:slightly )?(?:non|not|no)[ -]?(?:negotiable|negotiation|neg|nego)|haina (?:maelewano|mjadala)|no (?:haggling|bargain(?:ing)?|offers|lowballers)|last price)(?![\p{L}\p{N}])/giu;
const OFFERS =
  /(?<![\p{L}\p{N}])(?:(?:(?:price|bei) )?(?:is |ni )?(?:slight(?:ly)? |a ?bit |little |very )?(?:negotiable|negotiatable|negotiation|nego|neg)|bei (?:(?:ina|yaku|ya ku|ni ya ku|inaweza ku) ?)?(?:ongea|ongeleka|zungumzwa|zungumzika|pungua)|inaongeleka|inaongea|maelewano(?: yapo)?|(?:tuna|tuta|tu)ongea|open to offers|make (?:me )?an? offer|(?:or )?best offer|bargainable)(?![\p{L}\p{N}])/giu;

function readOffers(post: string): { takes: boolean | null; without: string } {
  const refused = post.replaceAll(NO_OFFERS, GONE);
  const without = refused.replaceAll(OFFERS, GONE);
  return { takes: refused !== post ? false : without !== refused ? true : null, without };
}

const CURRENCY = String.raw`(?:kes|kshs?|k\.sh|shs?|shilingi)`;
const GROUPED = String.raw`\d{1,3}(?:[, ]\d{3})+(?!\d)(?:\.00?)?|\d{1,7}(?:\.\d{1,2})?(?!\d)`;
const UNGROUPED = String.raw`\d{1,3}(?:,\d{3})+(?!\d)(?:\.00?)?|\d{1,7}(?:\.\d{1,2})?(?!\d)`;
/**
 * Sizes in thousands: "20k mAh", "60k km". Not every unit: of "22k in town" and "5k with charger" 22k and 5k are
 * prices.
 */
const SIZED = String.raw`(?:mah|ma|rpm|kms?|kilomet(?:er|re)s?|miles|mileage|w|watts?|va|[mg]?hz|hertz|lumens?|btus?|dpi|steps|hours?|hrs?|pages?|lit(?:er|re)s?)(?![\p{L}\p{N}])`;
const THOUSAND = String.raw`\d{1,3}(?:\.\d{1,2})? ?k(?! ?(?:ultra|uhd|hd|tv|screen|monitor|display|camera|video|resolution|smart|followers|subs|views|ohm|resistor)|[ -]{0,2}${SIZED})`;
const NAMED = String.raw`(?:(?:asking |selling |last |final )?price|bei|asking(?: for)?|going (?:for|at)|selling (?:it )?(?:for|at)|costs?|@|now|sasa)`;

/** "12500 or exchange with an S10". */
const SWAP = String.raw`(?:exchange|swap|trade|barter)(?![\p{L}\p{N}])`;

/** How sure it is that a number is a price: a bare number counts only where nothing else does. */
const PRICES: readonly (readonly [sure: boolean, pattern: RegExp])[] = [
  [true, amount(`${CURRENCY}[.:]? ?(?:${THOUSAND}|${GROUPED})(?:k)?(?: ?/[-=]| ?=)?`)],
  [true, amount(`(?:${UNGROUPED}) ?k?(?: ?/[-=]| ?=|/-| ?(?:${CURRENCY}|bob|shillings?))`)],
  [true, amount(SWAHILI_AMOUNT)],
  [true, amount(THOUSAND)],
  [true, amount(`(?<=(?<![\\p{L}\\p{N}])${NAMED} {0,2}(?:is |ni |ya )?[:=@~-]{0,2} {0,2})(?:${UNGROUPED})${NO_UNIT}`)],
  [true, amount(`(?:${UNGROUPED})(?= ?(?:\u{E000}|only|tu(?![\\p{L}])|each|per piece|last))`)],
  [
    false,
    amount(
      String.raw`(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{2,5})(?= {0,2}(?:[\n;!|\u{E000}]|,(?!\d)|\.\s|\.?$)| or ${SWAP})${NO_UNIT}`,
    ),
  ],
];

function amount(pattern: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}.,/#-])(?:${pattern})(?![\p{L}\p{M}\p{N}])`, "giu");
}

/** A price that isn't theirs: what it cost before, what the ride costs. */
const OTHERS_PRICE =
  /(?<![\p{L}\p{N}])(?:was|were|before|from|original(?:ly)?|bought|buying|nilinunua|retail(?:s|ing)?|shop|market|worth|instead of|top[ -]?up|add|deliver(?:y|ies|ed)?|fare|deposit|shipping|transport|save|discount|less|over|under|zaidi ya)(?![\p{L}\p{N}])[^\n\d,;]{0,18}$/iu;
/** What somebody pays besides the thing that they give in exchange. */
const TOPS_UP = /^ {0,2}(?:top(?:ping)?[ -]?up|on top)(?![\p{L}\p{N}])/iu;
const BARE_MIN = 500;
const BARE_STEP = 50;

interface Found {
  start: number;
  end: number;
  value: number;
  isSure: boolean;
}

function readPrice(post: string): Pick<PostReading, "price" | "hasPrices"> & { without: string } {
  const found = pricesIn(post);
  const sure = found.filter(({ isSure }) => isSure);
  const among = sure.length > 0 ? sure : found;
  const current = among.filter(({ start }) => NOW.test(post.slice(Math.max(0, start - 24), start)));
  const values = new Set((current.length > 0 ? current : among).map(({ value }) => value));
  const [price] = values;
  if (price === undefined) return { price: FREE.test(post) ? 0 : null, hasPrices: false, without: post };
  if (values.size > 1) return { price: null, hasPrices: true, without: post };
  let [without, end] = ["", 0];
  for (const one of among.filter(({ value }) => value === price)) {
    without += post.slice(end, one.start).replace(BEFORE_PRICE, "") + GONE;
    end = one.end + (AFTER_PRICE.exec(post.slice(one.end))?.[0].length ?? 0);
  }
  return { price, hasPrices: false, without: without + post.slice(end) };
}

const NOW = /(?<![\p{L}\p{N}])(?:now|sasa|reduced to|clearance)(?![\p{L}\p{N}])[^\n\d]{0,12}$/iu;
const FREE =
  /(?<![\p{L}\p{N}])(?:giving (?:it |them |this )?away|free of charge|for free(?! delivery)|napeana|naipeana|ya bure)(?![\p{L}\p{N}])/iu;
const BEFORE_PRICE =
  /(?:(?<![\p{L}\p{N}])(?:(?:asking |selling |last |final )?price|bei|asking|going|selling(?: it)?|costs?|for|at|kwa|only|is|ni|now|sasa)(?![\p{L}\p{N}])[ :=@~-]{0,3}|@ {0,2}){1,4}$/iu;
const AFTER_PRICE = /^ {0,2}(?:only|tu|bob)(?![\p{L}\p{N}])/iu;

/** The prices of a post from left to right. Of two that overlap the longer one counts. */
function pricesIn(post: string): Found[] {
  const all = PRICES.flatMap(([isSure, pattern]) =>
    [...post.matchAll(pattern)].flatMap((match): Found[] => {
      const [text] = match;
      const value = readSaidAmount(text.replace(/^@ ?/, ""));
      if (value === null || !isPrice(value) || (!isSure && !isBarePrice(value))) return [];
      if (/^\d+$/.test(text) && isYear(value)) return [];
      if (OTHERS_PRICE.test(post.slice(Math.max(0, match.index - 40), match.index))) return [];
      const end = match.index + text.length;
      if (TOPS_UP.test(post.slice(end, end + 16))) return [];
      return [{ start: match.index, end, value, isSure }];
    }),
  ).toSorted(
    (one, other) => other.end - other.start - (one.end - one.start) || Number(other.isSure) - Number(one.isSure),
  );
  const kept: Found[] = [];
  for (const one of all) if (kept.every(({ start, end }) => one.end <= start || one.start >= end)) kept.push(one);
  return kept.toSorted((one, other) => one.start - other.start);
}

function isPrice(value: number): boolean {
  return Number.isInteger(value) && value >= PAYOUT_LIMITS.min && value <= PAYMENT_LIMITS.max;
}

function isBarePrice(value: number): boolean {
  return value >= BARE_MIN && value % BARE_STEP === 0;
}

function isYear(value: number): boolean {
  return value > 1950 && value < 2050 && value % BARE_STEP !== 0;
}

function said(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, "iu");
}

/** The worst first, so that "brand new, has a crack" is fair. */
const CONDITION_WORDS: readonly (readonly [Condition, RegExp])[] = [
  [
    "fair",
    said(
      "(?<!no )(?:cracked|cracks?|faulty|spoilt|broken|dents?|torn)|needs? (?:a )?(?:repair|new)|not working|fair condition|ime(?:pasuka|vunjika|haribika)|ina (?:ufa|crack)|hai(?:fanyi|washi)",
    ),
  ],
  [
    "like_new",
    said(
      "(?:like|as|almost|nearly) (?:brand )?new|(?:barely|hardly|rarely|lightly|gently) used|used (?:only )?(?:once|twice)|used for (?:only |just |about )?(?:a|one|two|1|2|few|a few) (?:days?|weeks?|months?)|mint(?: condition)?|kama mpya",
    ),
  ],
  [
    "good",
    said(
      "(?:good|great|perfect|excellent|clean|tip ?top) condition|in good shape|ex[- ]?uk|refurb(?:ished)?|second[ -]?hand|pre[- ]?owned|mtumba|(?:works|working) (?:well|perfectly|perfect|fine|great|100%)|(?<!(?:not|never|un|been) )used|hali nzuri|iko (?:sawa|poa|fiti|freshi?)|inafanya (?:kazi )?(?:vizuri|poa)",
    ),
  ],
  [
    "new",
    said(
      "brand[ -]?new|never (?:been )?used|not (?:been )?used|unused|unopened|sealed|mpya(?: kabisa)?|(?:selling|nauza) (?:a |my )?new(?! (?:balance|era|look|testament|edition|version))",
    ),
  ],
];

/** What stands before the name: "Hi guys, quick sale! I'm selling my". */
const LEAD =
  /^(?:(?:hi|hey|hello|hae|habari|niaje|sasa|good (?:morning|afternoon|evening))(?: (?:guys|everyone|everybody|all|wadau|wasee|comrades|comrade|team|fam|people|class))?|(?:wasee|wadau|guys|comrades)|(?:anyone|anybody|who is) (?:interested in|looking for)|(?:i'?m |i am |am )?(?:selling|disposing|letting go|giving away|offloading)(?: of| off)?|(?:nauza|ninauza|nauzia|tunauza|nasell|nadispose|naipeana|napeana)|(?:quick |hot |urgent |clearance |flash |moving out )?sale|(?:up )?for sale|on sale|(?:still )?available|inauzwa|zinauzwa|i have|niko na|nko na|item|product|name|what)(?![\p{L}\p{N}'])[ :!*.,~–-]{0,5}/iu;
const DETERMINER = /^(?:a|an|my|our|this|these|some|hii|used|brand[ -]?new|new)(?![\p{L}\p{N}'-]) +/iu;
const PICTURES =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{FE0F}|\u{200D}|\u{20E3}|[•●▪►➤✓]/gu;
/** Where a thing's name ends and what is said of it begins. */
const ENDS_NAME =
  /(?: (?:in (?:good|great|perfect|excellent|mint)|(?:or |for )?(?:exchange|swap) (?:with|for|na)|or (?:exchange|swap|trade)|ina|iko|bado|because|coz|cause|since|imetumika|used for|used only|still|comes with|located|nipo|available|reason)(?![\p{L}\p{N}]).*)$/iu;
/** How to reach somebody, and nothing else: "Whatsapp", "call or text only". */
const CONTACT_ONLY =
  /^(?:(?:calls?|text|sms|whats\s?app|watsapp|inbox|dms?|contacts?|piga|nipigie|nicheki|nitext|niinbox|me|us|my|is|ni|no|on|via|at|or|and|au|only|number|please|pls|now|here|for|price|more|info|details)(?![\p{L}\p{N}])[^\p{L}\p{N}]*)+$/iu;
const NO_SPECIFICATION = /(?<![\p{L}])(?:used|imetumika|months?|years?|weeks?|bought|reason)(?![\p{L}])/iu;
const NAME_AIM = 60;

/** The first thing that is named, with the specifications after it: "Hp laptop, core i5, 8gb". */
function nameOf(post: string): string {
  for (const line of post.split("\n")) {
    const parts = line
      .replaceAll(PICTURES, " ")
      .split(/[;|!?()\u{E000}]|,(?!\d{3})| [-–—] |\.(?: |$)/u)
      .map((part) => part.replaceAll(/\s+/gu, " ").trim());
    const at = parts.findIndex((part) => namesSomething(withoutLead(part)));
    const first = withoutLead(parts[at] ?? "");
    if (first === "") continue;
    let name = first.replace(ENDS_NAME, "").replace(/ (?:for|on) sale:? ?/iu, " ") || first;
    for (const part of parts.slice(at + 1)) {
      const joined = `${name}, ${part}`;
      if (
        !/\d/.test(part) ||
        !/\p{L}/u.test(part) ||
        NO_SPECIFICATION.test(part) ||
        part.split(" ").length > 4 ||
        joined.length > NAME_AIM ||
        hasPhone(joined)
      )
        break;
      name = joined;
    }
    return capitalized(withoutPhones(shortened(name)));
  }
  return "";
}

function namesSomething(part: string): boolean {
  return /\p{L}{2}/u.test(part) && !CONTACT_ONLY.test(part);
}

function withoutLead(part: string): string {
  let [text, before] = [part.replace(/^[^\p{L}\p{N}"“(]+/u, ""), ""];
  while (text !== before) {
    before = text;
    text = text.replace(LEAD, "");
  }
  return text === part ? text : text.replace(DETERMINER, "").replace(DETERMINER, "").trim();
}

/** Cut between words. */
function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= LISTING_MAX.name) return name;
  const cut = letters.slice(0, LISTING_MAX.name).join("");
  const end = cut.lastIndexOf(" ");
  return (end > 0 ? cut.slice(0, end) : cut).trim();
}

/** Lines without what stood around the words that were taken out. */
function tidyLines(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => {
      const kept = line
        .replaceAll(/([.,;?!]) {0,2}\u{E000}(?: {0,2}\u{E000})* {0,2}([.,;])/gu, (_, before: string, after: string) =>
          before === "," ? after : before,
        )
        .replaceAll(GONE, " ")
        .replaceAll(/\s+/gu, " ")
        .replaceAll(/\( ?\)|\[ ?\]/g, "")
        .replaceAll(/(?: ?[,;|])+ ?(?=[,;|.]|$)/g, "")
        .replaceAll(/ (?=[,;.])/g, "")
        .replace(/^[ ,;|:–-]+/u, "")
        .replace(/[ ,;|:@–-]+$/u, "");
      // Of "Price: 1,500" nothing is left.
      return kept === "" && line.trim() !== "" ? [] : [kept];
    })
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
