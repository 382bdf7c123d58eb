/** Characters that look like letters of ours: for names that pass for others, and for prohibited words in disguise. */

/**
 * By the letter that they look like: "а" of Cyrillic, small capitals, letters in boxes and flags; by 1 for an upright
 * stroke, which is an i or an l. Made from Unicode's table of confusable characters
 * (https://unicode.org/Public/security/10.0.0/confusables.txt, the lines of one letter) and the names of Unicode's
 * Latin letters. Letters that NFKD makes plain by itself aren't here (it makes ς of ϲ), nor is an upper-case letter
 * whose lower case is.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  1: "ǀӏᛁ⏽Ⲓⵏꓲ𐌉𐌠",
  a: "ɑαаᎪᗅᴀᶏⱥꓮ🅐🅰🇦",
  b: "ƀƃƄɓʙΒБВЬѣҍᏏᏴᖯᗷᵬᶀꓐꞗꞴ𐌁🅑🅱🇧",
  c: "¢ςƈȼɕсҫᴄⲥꓚꞓꞔꮯ𐌂𐐽𑣩𑣲𝼝🅒🅲🇨",
  d: "ÐđƌȡɖɗԁᎠᏧᑯᗞᗪᴅᵭᶁᶑ₫ꓒꓓꟈ🅓🅳🇩",
  e: "ɇΕеҽҿᎬᴇᶒ℮ⱸⴹꓰꬲꬴ𑢦𑢮🅔🅴🇪",
  f: "ƒϜքᖴᵮᶂẝꓝꜰꞙꬵ𑣂𝈓🅕🅵🇫",
  g: "ƍǥɠɡɢʛԌցᏀᏳᶃꓖꞡ🅖🅶🇬",
  h: "ħɦʜΗНћҢһӇӉհᎻᏂᏲᕼⱨⲎꓧꚕꞕ𐓍🅗🅷🇭",
  i: "ıɨɩɪιіᵻᵼᶖꙇꭵ𑣃𝼚🅘🅸🇮",
  j: "ɉʝϳјᎫᒍᴊꓙ🅙🅹🇯",
  k: "ƙΚКҚҞᏦᛕᴋᶄⱪⲔꓗꝁꝃꝅꞣ🅚🅺🇰",
  l: "łƚȴɫɬɭʟᏞᒪᴌᶅⱡⳐꓡꝉꞎꬷꬸꬹ𐐛𑢲𝈪𝼄𝼑𝼓🅛🅻🇱",
  m: "ɱΜϺМӍᎷᗰᛖᴍᵯᶆⲘꓟꬺ𐌑🅜🅼🇲",
  n: "ƞȵɲɳɴΝηոռᑎᵰᶇⲚꓠꓵꞑꞥꬻ𝉅🅝🅽🇳",
  o: "øɵθοσоѳөօᴏᴑ⊖⊝ⱺⲟⴱⵁⵔꓳꝋꝍꬽꬾꭴꮎꮻ𐐬𐓪𑢵𑣈𑣗𑣠𝈚𝼛🅞🅾🇴",
  p: "ƥρрᏢᑭᴘᵱᵽᶈⲣꓑꝑꝓꝕ🅟🅿🇵",
  q: "ɋʠԛգզⵕꝗꝙꞯ🅠🆀🇶",
  r: "ɍɼɽɾʀгғᎡᏒᖇᴦᵲᵳᶉⲅꓣꞧꭆꭇꭈꭉꮁ𐒴𝈖𝼖🅡🆁🇷",
  s: "ƽȿʂѕՏᏕᵴᶊꓢꜱꞩꟊꮪ𐑈𑣁𝼞🅢🆂🇸",
  t: "ŧƫƭȶʈΤТҬᎢᴛᵵⱦⲦꓔ𐌕𑢼𝼉🅣🆃🇹",
  u: "Ʉυսᑌᴜᵾᶙꓴꞟꞹꭎꭒꮜ𐓶𑣘🅤🆄🇺",
  v: "ʋνѵᐯᴠᶌⱱⱴⴸꓦꝟꮩ𑣀𝈍🅥🆅🇻",
  w: "ɯѡѽԝաᏇᏔᗯᴡ₩ⱳꓪꝡꮃ𑣦𑣯𝈢🅦🆆🇼",
  x: "ΧхҲᕁᕽ᙭ᚷᶍⲬⵝꓫꞳꭖꭗꭘꭙ𐌗𐌢𑣬🅧🆇🇽",
  y: "ƴɏɣʏΥγГуҒүұᎩᎱᎽᒥỿⲄⲨꓬꭚ𑢤𑣜🅨🆈🇾",
  z: "ƶȥɀʐʑΖᴢᵶᶎⱬꓜꮓ𐋵𑢩𑣄𑣥🅩🆉🇿",
};

const LETTERS = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, alike]) => [...alike].map((one) => [one, letter] as const)),
);
/** Signs that stand for letters, and small letters that look like ours where a whole word is in their alphabet. */
const STAND_INS = pairs("@a $s !1 |1 €e мm нh кk тt вb пn εe ιi μm ρp σs τt χx υu νn");
/** Digits that stand for letters: "c0ca1ne". A 1 also stands for an l. */
export const DIGIT_LETTERS = pairs("0o 1i 3e 4a 5s 7t 8b");

function pairs(text: string): ReadonlyMap<string, string> {
  return new Map(text.split(" ").map((pair) => [...pair] as [string, string]));
}

/** The small letter of ours that a character looks like, 1 for an upright stroke; any other character in lower case. */
export function letterLike(character: string): string {
  const lower = character.toLowerCase();
  return STAND_INS.get(lower) ?? LETTERS.get(character) ?? LETTERS.get(lower) ?? lower;
}

/** Ticks, boxes with one, and the square root that passes for one; but "√2" is mathematics. */
export const TICKS = /[☐-☒✅✓✔🗵🗸🗹]|√(?![\p{N}(])/u;
/** Stars like those of a rating. */
export const RATING_STARS = /[★☆⭐✦✧✩-✰⍟⚝٭🌟🤩]/u;
