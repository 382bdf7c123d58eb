/** Words without the differences that the full-text index doesn't see, for comparing them outside it. */

/** Lower case, without accents. */
export function foldWord(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** The words of a text, as the index splits it. */
export function foldedWords(text: string): string[] {
  return foldWord(text)
    .split(/[^\p{L}\p{N}\p{So}\p{Co}]+/u)
    .filter(Boolean);
}

/** No term is longer. */
export const TERM_MAX = 24;
