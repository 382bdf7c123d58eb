/**
 * Finds the commonest cons besides a plain request to pay directly: a PIN that "receives" money, a payment that only an
 * SMS or a screenshot proves, money "sent by mistake" that should go back, a phone to borrow, and fees before anybody
 * has seen the thing. English, Swahili and Sheng.
 *
 * As in leads-away-rules.ts, no two repetitions of a pattern can match the same characters.
 */

export type Con = "pin" | "reversal" | "payment" | "borrowing" | "proof";

/** What a folded text tries, the worst first; null for none of these. */
export function findCon(plain: string): Con | null {
  const text = plain
    .replaceAll(/\bm[- ]?pesa/g, "mpesa")
    .replaceAll(/(?<=[a-z])[013](?=[a-z])/g, (digit) => ({ 0: "o", 1: "i", 3: "e" })[digit] ?? digit)
    .replaceAll(/(?<=[a-z])-(?=[a-z])/g, " ")
    .replaceAll(OFFICIAL, " ");
  return CONS.find(([, patterns]) => patterns.some((pattern) => pattern.test(text)))?.[0] ?? null;
}

/** What people say about paying here is no con: "I'll pay the deposit on Chuoni". */
const OFFICIAL =
  /\b(?:pay|paid|paying|lipa|nimelipa|nitalipa)(?: (?:the|for|it|you|my|deposit|money|rent|here|all|everything))* (?:on|through|via|kwa|na) chuoni\b/g;

/** Up to so many words between two parts of a pattern. */
const words = (most: number) => `(?: \\S+){0,${most}}`;

/** A sum, and not any number: "KES 200", "1,500", "2k", "soo tatu"; not "3 options", "500 ml". */
const SUM =
  "(?:(?:kes|ksh|kshs|sh)\\.? ?\\d[\\d,.]*|\\d[\\d,.]*(?:k\\b|/=| ?bob)|(?:\\d{1,3},\\d{3}|\\d{3,})(?![\\d,])(?! ?(?:ml|l|g|kg|gb|tb|mb|mah|w|watts?|cm|mm|m|inch|pages?|pieces|pcs|photos?|pics?|pictures?|videos?|copies|questions)\\b)|(?:soo|mia|elfu|thao) \\w+)";
const CASH = "(?:money|cash|payment|amount|fare|pesa|doo|dooh|ganji|chapaa|hela|mkwanja)";
const MONEY = `(?:${CASH}|${SUM})`;
const ASKED = "(?:send|pay|transfer|tuma|utume|lipa|ulipe|weka|uweke|leta|nitumie|nirushie|rusha)";
const FIRST = "(?:first|before|kwanza|mapema|upfront|in advance|kabla)";
const FEE = "(?:viewing|visit|booking|reservation|commitment|holding|agent|agency)";
const RIDE = "(?:boda(?: ?boda)?|nduthi|rider|transport|fuel|courier|delivery|matatu)";
const SEEING = "(?:viewing|site visit|(?:ya )?ku(?:ona|view|onyeshwa)(?: nyumba| room| keja| house)?)";

const FEES = [
  // "There is a viewing fee", but not "no viewing fee".
  new RegExp(`(?<!\\b(?:no|without|any|zero|free|hakuna|bila) )\\b${FEE} (?:fees?|charges?|money|pesa|cash)\\b`),
  new RegExp(`\\b${SEEING}(?: (?:is|ni|costs?|fee))*(?: only)? ${SUM}`),
  new RegExp(`\\b(?:agent|reservation|booking|membership)(?: fee)? (?:is|ni|of) ${SUM}`),
  new RegExp(`${SUM}(?: bob)? (?:to see|before i show|ya kuona)\\b`),
  new RegExp(
    `\\b${ASKED}${words(3)} (?:ya|for) (?:ku(?:onyeshwa|onyesha|oneshwa|onesha|ona|view|shika|hold|book)|viewing|booking|holding)\\b`,
  ),
  new RegExp(
    `\\blipa (?:ya )?viewing\\b|\\b${ASKED}${words(2)} (?:za|ya|for|for the|for my) (?:${RIDE}|mafuta|fare)\\b`,
  ),
  new RegExp(
    `\\b(?:send|tuma|nitumie|pay)(?: me)?(?: the| your| some| a)? (?:fare|${RIDE} (?:money|fare|fees?|pesa|cash))\\b`,
  ),
  new RegExp(`\\b(?:pay|lipa)(?: the)? (?:${RIDE}|driver)${words(1)} (?:${FIRST}|i come)\\b`),
  new RegExp(`\\b(?:fare|(?:fuel|boda|transport) money|mafuta) (?:first|kwanza|upfront|in advance)\\b`),
  // "Weka deposit ndogo", but not "I'll pay the deposit".
  new RegExp(
    `(?<!\\b(?:i'll|i will|i can|can i|must i|should i|do i|to|then|and|nita|we) )\\b${ASKED}${words(3)} (?:deposit|dipo|booking|commitment)\\b`,
  ),
  /\b(?:leta|send|tuma|weka)(?: an?| the)? advance\b|\bpay (?:half|nusu|50 ?%)(?! price)/,
  new RegExp(`\\b(?:deposit|half|nusu|kitu kidogo|50 ?%)${words(2)} (?:first|kwanza|upfront)\\b`),
  new RegExp(
    `\\b${ASKED}${words(2)} (?:${SUM}|token|something|kitu)${words(3)} (?:reserve|secure|hold it|show|nikuwekee|nikuekee|nishike|nikushikie|nikuonyeshe)\\b`,
  ),
  new RegExp(`\\b(?:lipa|tuma|pay)${words(2)} (?:kwanza|first)${words(2)} (?:nikuonyeshe|nikutumie|i show|i send)\\b`),
  /\b(?:half|nusu|balance|the rest|deposit|money|pesa|cash)(?: \S+){0,2} (?:to|on|kwa|via) (?:my|this|that|hii|hiyo) (?:number|no\.?|namba|nambari|line|till|paybill|account|simu)\b/,
  /\b(?:till|paybill)(?: number)? (?:is|ni) (?:for (?:my|the|our)|ya|\d)|\buse (?:the |my )?till ya\b/,
];

/** A PIN pays, and never receives. */
const PINS = [
  /\bpin\b(?: \S+){0,5} (?:to (?:receive|accept|get)|ndio|ukubali|kukubali|kupokea|upokee|iingie)\b/,
  /\b(?:approve|accept|kubali)(?: \S+){0,3} (?:prompt|stk)\b|\b(?:kukubali|kupokea) pesa\b/,
  /\*334#|\bchoose reverse\b/,
];

const PROOFS = [
  // "Check your SMS", "angalia message ya M-Pesa": what a fake message is for.
  /\b(?:check|look at|angalia|cheki)(?: your| ur| the| hiyo)? (?:sms(?: ya mpesa)?|mpesa(?: sms| messages?)?|messages? (?:from|ya) mpesa|confirmation messages?)\b(?! (?:number|till|charges|menu|limit|pin|account|in))/,
  /\bpayment done\b|\bscreen ?shot attached\b|\btransaction (?:code|id) (?:is|ni)\b|\bmpesa(?:'?e?d) you\b/,
  // A copied message of M-Pesa.
  /\b[a-z][a-z0-9]{3,9}\.? confirmed\b|\byou have received ksh|\bksh ?[\d,.]+ sent to\b/,
  new RegExp(
    `\\bi(?:'ve| have| had)?(?: just| already)? (?:sent|transferred|deposited|wired)(?: you| u)? (?:the |your |all |all the |that |half )?${MONEY}`,
  ),
  new RegExp(
    `\\b(?:nime|nisha|nimesha|nimeku)(?:tuma|tumia|send|rusha|rushia|lipa|weka| send)(?: \\S+)? (?:${MONEY}|elfu)`,
  ),
  new RegExp(`\\b(?:nimekutumia|nimekurushia|nimekusendia|nimeshakutumia|nimerusha)(?: \\S+)? ${MONEY}`),
  /\b(?:cash|money|pesa) is in your (?:account|mpesa|phone)\b|\b(?:deposited|nimeweka)(?: \S+){0,2} (?:to|in|into|kwa) (?:your|account)\b/,
  /\b(?:screen ?shots?|proof|picha|pic|photo) (?:of|ya) (?:the |my |your )?(?:payment|mpesa|malipo|transaction|transfer)\b(?! on chuoni)/,
  /\b(?:payment|mpesa|transaction) (?:screen ?shot|proof)\b/,
  /\b(?:money|payment|pesa|cash) (?:will|'ll|itakuja|ita|shall) ?reflect(?! (?:here|on chuoni))|\bpesa (?:imeingia|imeenda|imetoka|italand|itaingia)\b|\bitaingia kesho\b/,
  /\b(?:mpesa|bank|network)(?: \S+){0,4} (?:delay|delays|delaying|delayed|24 hours|sent it)\b|\bmessage inakuja\b/,
];

const BACK = "(?:reverse|refund|return|send back|give back|rudisha|urudishe|irudishe|nirudishie|nireverse|nirefund)";
const MISTAKE = "(?:by mistake|by accident|kimakosa|kwa makosa|na makosa)";
const REVERSALS = [
  // "Refund the extra I sent", but not "return policy, comes with an extra charger".
  new RegExp(
    `\\b${BACK}(?: (?:the|that|my|me|us|hiyo|ile))* (?:extra|excess|overpayment)(?= (?:i|u|you|we|one|money|cash|pesa|amount|kes|ksh|\\d+|please|pls)\\b|[\\s,.!?]*$)`,
  ),
  new RegExp(
    `\\b(?:sent|transferred|deposited|nimetuma|nilituma|nimekutumia|umetumiwa)${words(2)} ${MONEY}${words(2)} ${MISTAKE}\\b`,
  ),
  new RegExp(`\\b(?:nimetuma|nilituma|nimelipa|nililipa|paid)(?: you| u| it)* (?:${MISTAKE}|twice|mara mbili)\\b`),
  /\bsent (?:you |u )?(?:too much|double)\b(?! (?:info|detail))|\bnimetuma (?:zaidi|mara mbili)\b|\boverpaid\b|\boverpayment\b/,
  /\baccidentally (?:paid|sent you)\b|\bsend me the difference\b|\breturn (?:one|it|the money)[, ]+i (?:sent|paid)\b/,
  /\b(?:please|pls|plz|kindly|tafadhali|can you|could you) reverse(?=\W*$| (?:it\b|that\b|hiyo|(?:the |my |that )?(?:money|payment|transaction|cash|pesa|mpesa)\b))/,
  /\breverse (?:the |that |my |your |this |hiyo )?(?:money|payment|transaction|cash|mpesa|pesa)\b/,
  /\b(?:wrong number|namba (?:mbaya|isiyo))(?: \S+){0,6} (?:send (?:it )?back|return|reverse|rudisha|nirudishie)\b/,
  /\b(?:nirudishie|rudisha)(?: ile| hiyo)? (?:pesa|doo|cash|hela|balance|change|moja)\b|\btuma change\b/,
];

const THING_OF_PHONE = "(?:number|namba|case|cover|charger|bag|stand|box|receipt)";
const BORROWED = [
  new RegExp(
    `\\b(?:can i|could i|may i|let me|lemme|i'll|i will|i need to|i want to|help me)${words(2)} (?:use|hold|see|borrow|check (?:on|with)|log ?in (?:on|with)|text (?:from|with)|call (?:from|with)) your phone(?! (?:${THING_OF_PHONE}|with|as|for gaming|on safaricom))`,
  ),
  new RegExp(`\\b(?:borrow|lend me|hand me|hand over|give me|pass me) your phone(?! ${THING_OF_PHONE})`),
  new RegExp(
    `\\b(?:niazime|niazimie|nikopeshe|nisaidie(?: na)?|naomba|nishikie|unipe|nipee?|ebu|kutumia) (?:simu|phone)(?: yako)?(?! (?:${THING_OF_PHONE}|kwa|ya|picha|hiyo|at))\\b(?=.*\\b(?:yako|kidogo|nicheki|nipigie|niangalie|nione|nitumie|nitext)\\b)`,
  ),
  /\b(?:nitext|nicall|nicheki|confirm|login) \S+ (?:na|kwa) simu yako\b|\byour phone please\b/,
];

const CONS: readonly (readonly [Con, readonly RegExp[]])[] = [
  ["pin", PINS],
  ["reversal", REVERSALS],
  ["payment", FEES],
  ["borrowing", BORROWED],
  ["proof", PROOFS],
];
