/**
 * Decides whether a buyer's message accepts the seller's plan for pickup or delivery. The seller ships because of it,
 * and the money is released later, so a doubtful message never counts: for everything not listed here, the buyer has an
 * Agree button.
 *
 * Only a short message counts, as a whole, and every word of it must be known. This leaves no room for a refusal, a
 * complaint, a condition or a second thought next to the "yes".
 */

function phrases(...lists: string[]): string[] {
  return lists.flatMap((list) => list.split(", "));
}

/** Each agrees, alone or with courtesies. English, then Swahili and Sheng. */
const AGREEMENTS = phrases(
  "yes, yeah, yep, yup, ok, okay, okey, sure, sure thing, for sure, of course, deal, absolutely, definitely, agreed",
  "agree, i agree, confirm, confirmed, i confirm, accept, i accept, sounds good, sounds great, sounds perfect",
  "perfect, works for me, that works, that works for me, go ahead, please go ahead, you can go ahead, proceed",
  "please proceed, all good, that's fine, thats fine, it's fine, its fine, that's ok, thats ok, it's ok, its ok",
  "that's okay, thats okay, it's okay, its okay, that's good, thats good, fine by me, fine with me, ok with me",
  "okay with me, sawa, sawasawa, iko sawa, ni sawa, iko poa, iko fiti, ndio, ndiyo, naam, kabisa, nakubali",
  "nimekubali, tumekubaliana, endelea",
);

/** Each agrees alone, but not with only courtesies, as in "Fine, thanks", which answers "How are you?". */
const MOODS = phrases("good, great, fine, alright, poa, fiti");

/** These may accompany an agreement. Alone they agree to nothing. */
const COURTESIES = phrases(
  "thanks, thanks a lot, thank you, thank you so much, thank you very much, thx, please, then, no problem, see you",
  "see you there, see you then, see you soon, see you tomorrow, hi, hello, hey, good morning, good afternoon",
  "good evening, asante, asante sana, shukran, hakuna shida, haina shida, hakuna matata, basi, tu, tuonane",
  "tuonane kesho, habari, bro, sis, boss, sir, madam, man, dear, buda, mkuu, kaka, dada",
);

type Meaning = "agreement" | "mood" | "courtesy";

const MEANINGS = new Map<string, Meaning>([
  ...AGREEMENTS.map((phrase) => [phrase, "agreement"] as const),
  ...MOODS.map((phrase) => [phrase, "mood"] as const),
  ...COURTESIES.map((phrase) => [phrase, "courtesy"] as const),
]);

const WORDS_MAX = 10;
/** Longer than ten words of the lists with their punctuation. */
const LENGTH_MAX = 200;
const PHRASE_WORDS_MAX = 4;

/** Punctuation and friendly emoji, which don't change the meaning. A question mark isn't among them. */
const DECORATION = /[\s.,!;:…"“”()*]|[👍👌🙏✅😊🙂😀😁😃😄🤝💯](?:[\u{1f3fb}-\u{1f3ff}]|\ufe0f)?/gu;

/** Whether the whole message is a short answer that agrees. */
export function readsAsAgreement(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(DECORATION, " ")
    .split(" ");
  const meanings = readMeanings(words.filter((word) => word !== ""));
  return meanings !== null && (meanings.includes("agreement") || isAll(meanings, "mood"));
}

/**
 * The meaning of each phrase, trying the longest known phrase first. Null when a word is unknown or the message is
 * long.
 */
function readMeanings(words: readonly string[]): Meaning[] | null {
  if (words.length > WORDS_MAX) return null;
  const meanings: Meaning[] = [];
  for (let at = 0; at < words.length;) {
    let length = PHRASE_WORDS_MAX;
    while (length > 0 && !MEANINGS.has(words.slice(at, at + length).join(" "))) length -= 1;
    const meaning = MEANINGS.get(words.slice(at, at + length).join(" "));
    if (!meaning) return null;
    meanings.push(meaning);
    at += length;
  }
  return meanings;
}

function isAll(meanings: readonly Meaning[], wanted: Meaning): boolean {
  return meanings.length > 0 && meanings.every((meaning) => meaning === wanted);
}
