/**
 * Characters that look like one of ours, by the letter that they look like: "а" of Cyrillic, small capitals, letters in boxes and
 * flags. Made from Unicode's table of confusable characters (https://unicode.org/Public/security/10.0.0/confusables.txt, the lines
 * of one letter) and the names of Unicode's Latin letters. Letters that NFKD makes plain by itself aren't here, nor is an upper-case
 * letter whose lower case is. I is written i, and so is l: they look the same.
 */
export const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "ɑαаᎪᗅᴀᶏⱥꓮ🅐🅰🇦",
  b: "ƀƃƄɓʙΒБВЬѣҍᏏᏴᖯᗷᵬᶀꓐꞗꞴ𐌁🅑🅱🇧",
  c: "¢ƈȼɕсҫᴄⲥꓚꞓꞔꮯ𐌂𐐽𑣩𑣲𝼝🅒🅲🇨",
  d: "ÐđƌȡɖɗԁᎠᏧᑯᗞᗪᴅᵭᶁᶑ₫ꓒꓓꟈ🅓🅳🇩",
  e: "ɇΕеҽҿᎬᴇᶒ℮ⱸⴹꓰꬲꬴ𑢦𑢮🅔🅴🇪",
  f: "ƒϜքᖴᵮᶂẝꓝꜰꞙꬵ𑣂𝈓🅕🅵🇫",
  g: "ƍǥɠɡɢʛԌցᏀᏳᶃꓖꞡ🅖🅶🇬",
  h: "ħɦʜΗНћҢһӇӉհᎻᏂᏲᕼⱨⲎꓧꚕꞕ𐓍🅗🅷🇭",
  i: "ıłƚǀȴɨɩɪɫɬɭʟιіӏᏞᒪᛁᴌᵻᵼᶅᶖ⏽ⱡⲒⳐⵏꓡꓲꙇꝉꞎꬷꬸꬹꭵ𐌉𐌠𐐛𑢲𑣃𝈪𝼄𝼑𝼓𝼚🅘🅛🅸🅻🇮🇱",
  j: "ɉʝϳјᎫᒍᴊꓙ🅙🅹🇯",
  k: "ƙΚКҚҞᏦᛕᴋᶄⱪⲔꓗꝁꝃꝅꞣ🅚🅺🇰",
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
