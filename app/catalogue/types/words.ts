import { foldText } from "#app/platform/folded-text.ts";

/** A run of letters, or of digits: "fx-991ES" is "fx", "991" and "es". So it doesn't matter how somebody writes it. */
export interface Token {
  text: string;
  /** Where it begins and ends in the text that it is of. */
  from: number;
  to: number;
}

export function tokensOf(text: string): Token[] {
  const { plain, positions } = foldText(text);
  const tokens: Token[] = [];
  for (const { 0: run, index } of plain.matchAll(/\p{L}+(?:'s?(?!\p{L}))?|\p{N}+/gu)) {
    const end = index + run.length;
    tokens.push({ text: run.replace(/'s?$/, ""), from: positions[index] ?? 0, to: positions[end] ?? text.length });
  }
  return tokens;
}

/** How phrases are compared: without spaces, and with "#" for each number. */
export function keyOf(tokens: readonly string[]): string {
  return tokens.join("").replaceAll(/\p{N}+/gu, "#");
}

/** A noun and its English plural. */
export function withPlural(phrase: string): string[] {
  if (/(?:[^aeiou]y)$/.test(phrase)) return [phrase, `${phrase.slice(0, -1)}ies`];
  if (/(?:s|x|z|ch|sh)$/.test(phrase)) return [phrase, `${phrase}es`];
  if (/(?:[^f]fe|[lra]f)$/.test(phrase)) return [phrase, `${phrase}s`, phrase.replace(/fe?$/, "ves")];
  return [phrase, `${phrase}s`];
}
