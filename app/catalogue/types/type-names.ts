import { findMisspelled, findPhrases } from "./find-phrases.ts";
import type { ItemType } from "./item-type.ts";
import type { Phrase, TypeTable } from "./type-table.ts";
import { tokensOf } from "./words.ts";

/** Words of a search that name a type. */
export interface NamedType {
  /** The types' ids. Several if people call different things so. `withNarrower` adds what they include. */
  types: string[];
  /** The places of the words in the search that this covers. */
  words: number[];
}

/**
 * The types that a search names: its longest phrases, in singular or plural, joined or apart. A name of six letters or
 * more may have one mistake. An accessory named with its thing is the accessory: "charger laptop" is a laptop charger.
 * A brand's model names no type, because who searches for "elitebook" wants that and no other laptop.
 */
export function typesNamed(words: readonly string[], table: TypeTable): NamedType[] {
  const tokens = words.flatMap((word, at) => tokensOf(word).map(({ text }) => ({ text, word: at })));
  const phrases = findPhrases(
    tokens.map(({ text }) => text),
    table,
  );
  const covered = new Set<number>();
  const exact = phrases.flatMap(({ meanings, from, to }) => {
    const places = [...new Set(tokens.slice(from, to).map(({ word }) => word))];
    // A word of several parts, like "s/mc", may end one phrase and begin another.
    if (places.some((at) => covered.has(at))) return [];
    for (const at of places) covered.add(at);
    return [{ meanings, words: places }];
  });
  const misspelled = words.flatMap((word, at) => {
    const meanings = covered.has(at) ? null : findMisspelled(word, table);
    return meanings ? [{ meanings, words: [at] }] : [];
  });
  const found = [...exact, ...misspelled];
  return (joinAccessory(found, table) ?? found.map(namesOnly))
    .filter(({ types }) => types.length > 0)
    .toSorted((one, other) => (one.words[0] ?? 0) - (other.words[0] ?? 0));
}

interface Found {
  meanings: readonly Phrase[];
  words: number[];
}

function namesOnly({ meanings, ...found }: Found): NamedType {
  return { types: meanings.flatMap(({ isName, type }) => (isName ? type.id : [])), ...found };
}

/** Makes one of an accessory or a service and the thing that it is for; null where there are no such two. */
function joinAccessory(found: Found[], table: TypeTable): NamedType[] | null {
  for (const accessory of found) {
    for (const thing of found) {
      const types = accessory === thing ? [] : accessoriesOf(thing, accessory, table);
      if (types.length === 0) continue;
      const joined = {
        types: types.map(({ id }) => id),
        words: [...accessory.words, ...thing.words].toSorted((a, b) => a - b),
      };
      return [joined, ...found.filter((other) => other !== accessory && other !== thing).map(namesOnly)];
    }
  }
  return null;
}

function accessoriesOf(thing: Found, accessory: Found, table: TypeTable): ItemType[] {
  const things = new Set(thing.meanings.flatMap(({ isName, type }) => (isName ? type.id : [])));
  return accessory.meanings
    .flatMap(({ type }) => [type, ...(table.narrower.get(type.id) ?? [])])
    .filter((type) => type.of?.some((id) => things.has(id)));
}
