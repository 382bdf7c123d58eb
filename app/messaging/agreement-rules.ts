/**
 * Whether a buyer's words agree to how an item reaches them (commerce spec §4). Money is released at the end of what follows, and
 * there is an "Agree" button for every other case: so a doubt is never an agreement.
 */

/** Commerce spec §4, agreement auto-detection. */
export const AGREEING_WORDS = [
  "yes",
  "ok",
  "okay",
  "sure",
  "agreed",
  "agree",
  "confirm",
  "confirmed",
  "sounds good",
  "perfect",
  "works for me",
  "that works",
  "good",
  "fine",
  "alright",
  "accept",
  "go ahead",
] as const;

/** Any of these in a message, and nothing in it counts: refusals, conditions, second thoughts. */
const DOUBTING_WORDS = [
  "no|not|nope|nah|never|none|nothing|neither|nor|without|hapana|sio|si|sitaki|siwezi|bado",
  "cannot|cant|dont|doesnt|didnt|wont|isnt|arent|wasnt|werent|wouldnt|couldnt|shouldnt|havent|hasnt|aint",
  "disagree|disagreed|decline|reject|refuse|cancel|cancelled|refund|wrong|too late",
  "if|unless|maybe|perhaps|might|whether|instead|except|however",
  "wait|hold on|later|think about it|get back|let me|lemme|used to",
];

/** Words that doubt elsewhere and welcome here. */
const WELCOMING_PHRASES = [
  "no problems?",
  "no worries",
  "no issues?",
  "no wahala",
  "no stress",
  "not a problem",
  "no doubt",
  "not bad",
  "hakuna shida",
  "hakuna matata",
];

/** An agreeing word means something else in these: greetings, requests, promises, reports of what others said. */
const OTHER_MEANINGS = [
  "good (?:morning|afternoon|evening|night|day|bye|luck)",
  "(?:make|makes|made|making|be) sure",
  "(?:please|kindly|pls|plz|will|ll|shall|to|before|after|could|would|did|do|you|they|he|she) (?:\\S+ )?(?:agreed?|confirm(?:ed)?|accept)",
];

/** A sentence that begins like this asks, with or without its question mark. */
const ASKING_WORDS =
  "is|are|am|was|were|do|does|did|can|could|will|would|shall|should|may|have|has|what|whats|when|where|who|which|why|how";

const doubt = words(DOUBTING_WORDS.join("|"));
const negation = /\p{L}n't(?!\p{L})/u;
const welcome = words(WELCOMING_PHRASES.join("|"), "g");
const otherMeaning = words(OTHER_MEANINGS.join("|"), "g");
const question = new RegExp(`\\?|^(?:${ASKING_WORDS})(?![\\p{L}\\p{N}])`, "u");
const agreeing = words(AGREEING_WORDS.join("|"));

/** True where `text` holds one of the agreeing words as a whole word, in a sentence that asks nothing, of a message without a doubt. */
export function readsAsAgreement(text: string): boolean {
  const said = plain(text).replaceAll(welcome, " ");
  if (negation.test(said) || doubt.test(said.replaceAll("'", ""))) return false;
  return sentencesOf(said).some(
    (sentence) =>
      !question.test(sentence) &&
      agreeing.test(sentence.replaceAll("'", " ").replaceAll(/ +/g, " ").replaceAll(otherMeaning, " ")),
  );
}

/** Lower case, straight apostrophes, single spaces. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/[^\S\n]+/g, " ");
}

function sentencesOf(text: string): string[] {
  return (text.match(/[^.!?;\n]+\?*/g) ?? []).map((sentence) => sentence.trim());
}

/** Matches any of the alternatives where it stands as a word of its own; "-" and "'" join words. */
function words(alternatives: string, flags = ""): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_]['-]?)(?:${alternatives})(?!['-]?[\\p{L}\\p{N}_])`, `u${flags}`);
}
