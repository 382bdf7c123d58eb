import { findMisspelled, findPhrases } from "./find-phrases.ts";
import type { ItemType } from "./item-type.ts";
import type { TypeTable } from "./type-table.ts";
import { tokensOf } from "./words.ts";

/** Words of a search that name a type. */
export interface NamedType {
  /** The types' ids. Several if people call different things so. `withNarrower` adds what they include. */
  types: string[];
  /** The places of the words in the search that this covers. */
  words: number[];
  /** Whether the name was misspelled by one letter. */
  misspelled: boolean;
}

/**
 * The types that a search names: its longest phrases, in singular or plural, joined or apart. A name of six letters or more
 * may have one mistake. An accessory named with its thing is the accessory: "charger laptop" is a laptop charger.
 */
export function typesNamed(words: readonly string[], table: TypeTable): NamedType[] {
  const tokens = words.flatMap((word, at) => tokensOf(word).map(({ text }) => ({ text, word: at })));
  const texts = tokens.map(({ text }) => text);
  const exact = findPhrases(texts, table).flatMap(({ meanings, from, to }) => {
    const named = meanings.filter(({ isName }) => isName);
    if (named.length === 0) return [];
    return [{ types: named.map(({ type }) => type), words: wordsIn(tokens.slice(from, to)), misspelled: false }];
  });
  const covered = new Set(exact.flatMap((found) => found.words));
  const misspelled = words.flatMap((word, at) => {
    const meanings = covered.has(at) ? null : findMisspelled(word, table);
    return meanings ? [{ types: meanings.map(({ type }) => type), words: [at], misspelled: true }] : [];
  });
  const named = [...exact, ...misspelled].toSorted((one, other) => (one.words[0] ?? 0) - (other.words[0] ?? 0));
  return joinAccessory(named, table).map((found) => ({ ...found, types: found.types.map(({ id }) => id) }));
}

interface Named {
  types: ItemType[];
  words: number[];
  misspelled: boolean;
}

function wordsIn(tokens: readonly { word: number }[]): number[] {
  return [...new Set(tokens.map(({ word }) => word))];
}

/** Makes one of an accessory, or a service, and the thing that it is for. */
function joinAccessory(named: Named[], table: TypeTable): Named[] {
  for (const accessory of named) {
    for (const thing of named) {
      const ids = new Set(thing.types.map(({ id }) => id));
      const narrower = accessory.types.flatMap((type) => [type, ...(table.narrower.get(type.id) ?? [])]);
      const types = narrower.filter((type) => type.of?.some((id) => ids.has(id)));
      if (accessory === thing || types.length === 0) continue;
      const words = [...accessory.words, ...thing.words].toSorted((a, b) => a - b);
      const joined = { types, words, misspelled: accessory.misspelled || thing.misspelled };
      return [joined, ...named.filter((other) => other !== accessory && other !== thing)];
    }
  }
  return named;
}
