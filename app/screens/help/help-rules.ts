/** Finds questions by the words that people type. Pure. */
import type { HelpQuestion } from "./questions.ts";

/** Words that say nothing about a question. */
const FILLERS = new Set(
  "a an and are at be by can did do does don't for from get had has have how i i'm if in is it its me my no not of on or our so that the their them then there they this to up was we what when where who why will with you your ni na ya wa kwa je".split(
    " ",
  ),
);
/** How many questions a search shows. */
const SHOWN_MAX = 8;

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/m-pesa/g, "mpesa")
    .replaceAll(/hand-?over/g, "handover")
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== "");
}

/** "refunded", "refunds" and "refunding" are one word. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:'s|ing|ed|es|s)$/, "") : word;
}

function searchedWords(query: string): string[] {
  const words = wordsOf(query);
  const telling = words.filter((word) => !FILLERS.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(stem))];
}

/** How well a text has a word: 2 as a whole, 1 as a beginning of at least three letters, 0 not at all. */
function match(words: readonly string[], word: string): number {
  if (words.includes(word)) return 2;
  return word.length >= 3 && words.some((each) => each.startsWith(word)) ? 1 : 0;
}

/**
 * The questions for what somebody typed, the best first. A question with a word in its title, or among the words to
 * find it by, comes before one that has it only in its answer. What fits half as well as the best is left out.
 */
export function searchHelp(questions: readonly HelpQuestion[], query: string): readonly HelpQuestion[] {
  const words = searchedWords(query);
  const scored = questions.map((question) => {
    const named = wordsOf(`${question.question} ${question.words}`).map(stem);
    const answered = wordsOf(question.answer.join(" ")).map(stem);
    const scores = words.map((word) => 4 * match(named, word) || match(answered, word));
    return { question, score: scores.reduce((sum, score) => sum + score, 0) };
  });
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > 0 && score * 2 > best)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ question }) => question);
}
