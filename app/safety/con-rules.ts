/**
 * Finds the commonest cons besides a plain request to pay directly: a payment that only an SMS or a screenshot proves,
 * money "sent by mistake" that should go back, a phone to borrow, and fees before anybody has seen the thing. English,
 * Swahili and Sheng.
 *
 * As in leads-away-rules.ts, no two repetitions of a pattern can match the same characters.
 */

/** What a folded text tries, the worst first; null for none of these. */
export function findCon(plain: string): "reversal" | "payment" | "borrowing" | "proof" | null {
  const text = ` ${plain.replaceAll(OFFICIAL, " ")} `;
  if (REVERSALS.some((pattern) => pattern.test(text))) return "reversal";
  if (FEES.some((pattern) => pattern.test(text))) return "payment";
  if (BORROWED.some((pattern) => pattern.test(text))) return "borrowing";
  return PROOFS.some((pattern) => pattern.test(text)) ? "proof" : null;
}

/** What people say about paying here is no con: "I'll pay the deposit on Chuoni". */
const OFFICIAL =
  /\b(?:pay|paid|paying|lipa|nimelipa|nitalipa|send|sent|check)(?: \S+){0,4} (?:on|through|by|via|in|kwa|na|hapa) chuoni\b/g;

/** Up to so many words between two parts of a pattern. */
const words = (most: number) => `(?: \\S+){0,${most}}`;

/** A sum, and not any number: "KES 200", "1,500", "2k", "300 bob"; not "3 options". */
const SUM = "(?:(?:kes|ksh|kshs|sh)\\.? ?\\d[\\d,.]*|\\d[\\d,.]*(?:k\\b|/=| ?bob)|\\d{3,}|\\d{1,3},\\d{3})";
const MONEY = `(?:money|cash|payment|amount|fare|pesa|doo|dooh|ganji|chapaa|hela|mkwanja|${SUM})`;
const ASKED = "(?:send|pay|transfer|tuma|utume|lipa|ulipe|weka|uweke|leta|drop|nitumie|nirushie|rusha|m-?pesa)";
const TRANSPORT =
  "(?:fare|boda(?: ?boda)?|nduthi|rider|transport|fuel|mafuta|courier|parcel|matatu|delivery (?:money|fees?|fare|pesa|cash))";
const FIRST = "(?:first|before|kwanza|mapema|upfront|in advance|now|sasa|kabla)";
const FEE = "(?:viewing|view|visit|booking|reservation|commitment|holding|agent|agency)";

const FEES = [
  // "There is a viewing fee", but not "no viewing fee".
  new RegExp(`(?<!\\b(?:no|without|any|zero|free|hakuna|bila) )\\b${FEE} (?:fees?|charges?|money|pesa|cash)\\b`),
  new RegExp(
    `\\b${ASKED}${words(3)} (?:ya|for) (?:ku(?:onyeshwa|onyesha|oneshwa|onesha|ona|view|shika|hold|book)|viewing|booking|holding|${TRANSPORT})\\b`,
  ),
  new RegExp(`\\b${ASKED}${words(4)} ${TRANSPORT}${words(2)} ${FIRST}\\b`),
  new RegExp(`\\b${TRANSPORT}(?: [a-z]+)? (?:first|kwanza|upfront|in advance)\\b`),
  new RegExp(
    `\\b(?:send|tuma|utume|nitumie|nirushie)(?: me)? (?:kes|ksh|kshs|sh)?\\.? ?\\d[\\d,]*(?:/=|bob)? (?:for|ya) (?:the |my )?${TRANSPORT}\\b`,
  ),
  // "Weka deposit ndogo", but not "I'll pay the deposit".
  new RegExp(
    `(?<!\\b(?:i'll|i will|i can|can i|should i|do i|to|nita|we) )\\b${ASKED}${words(3)} (?:deposit|dipo|advance|booking|commitment|nusu|half)\\b`,
  ),
  new RegExp(
    `\\b(?:deposit|half|nusu|kitu kidogo)${words(2)} (?:first|kwanza|upfront|in advance|(?:now|sasa)${words(2)} (?:to|kwa|on))\\b`,
  ),
  /\b(?:half|nusu|balance|the rest|deposit|money|pesa|cash)(?: \S+){0,2} (?:to|on|kwa|via) (?:my|this|that|hii|hiyo) (?:number|no\.?|namba|nambari|line|till|paybill|account|simu)\b/,
  /\b(?:the|my|our|this|use|hii|hiyo) (?:till|paybill)(?: number)? (?:is|ni|ya|for|of|belongs|yangu)\b/,
];

const PROOFS = [
  // "Check your SMS", "angalia message ya M-Pesa": what a fake message is for.
  /\b(?:check|see|look at|angalia|cheki|ona|confirm) (?:your |ur |the |hiyo |your m-?pesa )?(?:sms|sms ya m-?pesa|m-?pesa(?: sms| messages?)?|messages? (?:from|ya) m-?pesa|confirmation messages?)\b/,
  new RegExp(
    `\\bi(?:'ve| have| had)?(?: just| already)? (?:sent|transferred|deposited|wired)(?: you| u)? (?:the |your |all |all the |that |half )?${MONEY}(?! (?:photos?|pics?|pictures?|messages?|pages?|pdfs?|links?))(?:\\b|(?=\\D))`,
  ),
  new RegExp(
    `\\b(?:nimetuma|nimekutumia|nishatuma|nimeshatuma|nimeshakutumia|nimekurushia|nimesend|nimekusendia|nimerusha)(?: \\S+)? ${MONEY}`,
  ),
  /\b(?:screen ?shots?|proof|picha|pic|photo) (?:of|ya) (?:the |my |your )?(?:payment|m-?pesa|malipo|transaction|transfer)\b/,
  /\b(?:payment|m-?pesa|transaction) (?:screen ?shot|proof)\b/,
  /\b(?:money|payment|pesa|cash|it|they) (?:will|'ll|itakuja|ita|shall) ?reflect\b|\b(?:pesa|doo) (?:ita|itaingia|inakuja)(?:ngia)? (?:baadaye|soon|kesho)\b/,
  /\bm-?pesa (?:is|imekuwa|ina) (?:delay(?:ed|ing)?|slow|down|lag)\S*(?: \S+){0,6} (?:sent|paid|nimetuma|nimelipa)\b/,
];

const BACK = "(?:reverse|refund|return|send back|give back|rudisha|urudishe|nirudishie|nireverse|nirefund)";
const WRONGLY = "(?:by mistake|by accident|kimakosa|kwa makosa|too much|extra|zaidi|twice)";
const REVERSALS = [
  // "Refund the extra I sent", but not "return policy, comes with an extra charger".
  new RegExp(
    `\\b${BACK}(?: (?:the|that|my|me|us|hiyo|ile))* (?:extra|excess|overpayment)(?= (?:i|u|you|we|one|money|cash|pesa|amount|kes|ksh|\\d+|please|pls)\\b|[\\s,.!?]*$)`,
  ),
  new RegExp(`\\b${BACK}${words(5)} (?:by mistake|by accident|kimakosa|iliyozidi)\\b`),
  new RegExp(
    `\\b(?:sent|transferred|deposited|nimetuma|nilituma|nimekutumia)${words(3)} ${MONEY}${words(3)} ${WRONGLY}\\b`,
  ),
  /\b(?:sent|nimetuma|nilituma|nimekutumia)(?: you| u| it)* (?:too much|zaidi|by mistake|by accident|kimakosa|kwa makosa)\b(?! (?:info|detail))/,
  /\b(?:paid|nimelipa|nililipa)(?: you| u| it)* (?:by mistake|by accident|kimakosa|kwa makosa|twice)\b/,
  /\b(?:please|pls|plz|kindly|tafadhali|can you|could you) reverse\b|\breverse (?:the|that|my|this|it|hiyo)(?: \S+)? ?(?:money|payment|transaction|cash|m-?pesa|pesa|please|pls)\b/,
  /\b(?:i|we)(?:'ll| will|'m going to| can)? reverse (?:the|it|your|my) ?(?:money|payment|transaction|m-?pesa)?\b/,
  /\b(?:wrong number|namba (?:mbaya|isiyo))(?: \S+){0,6} (?:send (?:it )?back|return|reverse|rudisha|nirudishie)\b/,
  /\bnirudishie (?:pesa|doo|cash|hela|balance|change)\b/,
];

const BORROWED = [
  /\b(?:can i|could i|may i|let me|lemme|i'll|i will|i need to|i want to|help me)(?: \S+){0,2} (?:use|check (?:on|with)|log ?in (?:on|with)|text (?:from|with)|call (?:from|with)) your phone(?! (?:number|case|cover|charger|bag|stand|with|as|on safaricom))/,
  /\b(?:borrow|lend me|hand me) your phone(?! (?:number|case|cover|charger|bag|stand))/,
  /\b(?:kutumia|nitumie|niazime|niazimie|nikopeshe|nisaidie(?: na)?|naomba|nishikie|unipe) simu yako\b(?! (?:number|namba))/,
  /\b(?:ni|nika|ni?)?(?:text|call|sms|confirm|check|login) (?:na|kwa) simu yako\b/,
];
