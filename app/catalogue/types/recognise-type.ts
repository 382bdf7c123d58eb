import { findPhrases } from "./find-phrases.ts";
import type { ItemType } from "./item-type.ts";
import type { Phrase, TypeTable } from "./type-table.ts";
import { type Token, tokensOf } from "./words.ts";

export interface Recognised {
  /** The type's id. */
  type: string;
  /** The words of the listing that say so, as they were written. */
  because: string;
}

/**
 * What a listing is, by its name; null if the rules aren't sure. The first part of the name that means anything counts:
 * what follows a comma, "with" or "for" comes along with the thing. In that part, what a thing is called counts more than a
 * brand's model, an accessory or a service more than the thing that it is for, and the last word more than earlier ones:
 * a "laptop table" is a table.
 */
export function recogniseType(
  listing: { name: string; description: string; category: string },
  table: TypeTable,
): Recognised | null {
  const tokens = tokensOf(listing.name);
  const parts = partsOf(listing.name, tokens);
  const found = parts.flatMap((part) => meaningsIn(part, listing.category, table));
  const first = found[0];
  if (!first) return null;
  const here = found.filter(({ part }) => part === first.part);
  const best = here.toSorted(
    (one, other) => strengthOf(other.phrase) - strengthOf(one.phrase) || other.to.to - one.to.to,
  )[0];
  if (!best) return null;
  const others = new Set(found.flatMap(({ phrase }) => (phrase === best.phrase ? [] : [phrase.type.id])));
  const type = narrowerOf(best.phrase.type, others, table);
  return { type: type.id, because: listing.name.slice(best.from.from, best.to.to) };
}

interface Meaning {
  phrase: Phrase;
  part: readonly Token[];
  from: Token;
  to: Token;
}

/** What comes after these words comes along with the thing, or says what it is for. */
const BORDER = /[,;:|()[\]–—+&/•]|\s-\s|\b(?:with|without|for|from|plus|and|na|ya|wa|za|la|cha|vya|kwa)\b/iu;

function partsOf(name: string, tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const before = name.slice(tokens[at - 1]?.to ?? 0, token.from);
    if (BORDER.test(before)) parts.push([]);
    if (BORDER.test(token.text)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

function meaningsIn(part: readonly Token[], category: string, table: TypeTable): Meaning[] {
  const phrases = findPhrases(
    part.map(({ text }) => text),
    table,
  );
  return phrases.flatMap(({ meanings, from, to }) => {
    const phrase = meantBy(meanings, category);
    const [first, last] = [part[from], part[to - 1]];
    return phrase && first && last ? [{ phrase, part, from: first, to: last }] : [];
  });
}

/** Which of several types a phrase means: that of the listing's category. */
function meantBy(meanings: readonly Phrase[], category: string): Phrase | null {
  if (meanings.length === 1) return meanings[0] ?? null;
  const fitting = meanings.filter(({ type }) => type.category === category);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function strengthOf({ isName, type }: Phrase): number {
  if (!isName) return 0;
  return type.kind === "thing" ? 1 : 2;
}

/** "Charger" with "laptop" is a laptop charger. */
function narrowerOf(type: ItemType, others: ReadonlySet<string>, table: TypeTable): ItemType {
  const narrower = (table.narrower.get(type.id) ?? []).filter(({ of = [] }) => of.some((id) => others.has(id)));
  return narrower.length === 1 && narrower[0] ? narrower[0] : type;
}
