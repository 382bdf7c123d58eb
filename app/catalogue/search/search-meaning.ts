/** What a search is about: its words, the types of things that they name, and what they say that such a thing has. */
import type { Fact } from "#app/catalogue/facts/fact.ts";
import { findFacts, type SaidFact } from "#app/catalogue/facts/listing-facts.ts";
import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import { typesNamed } from "#app/catalogue/types/type-names.ts";
import { type TypeTable, withNarrower } from "#app/catalogue/types/type-table.ts";
import { type KnownWords, similarWords, type Vocabulary } from "./known-words.ts";
import { splitWords } from "./search-words.ts";

/** Words of a search that name a type. */
export interface MeantType {
  /** The type's id. */
  id: string;
  /** Its id, and those of all that it includes, and of what else people call so. */
  types: string[];
  /** Other types of the same wider one: earphones for earbuds. */
  similar: string[];
  /** What people call it. */
  names: string[];
  /** The places of its words in the search. */
  words: number[];
}

/** Words of a search that say what a thing has: "size 41", "8/256". */
export interface SaidWords {
  /** The places of its words in the search. */
  words: number[];
  /** All of these. Where nobody knows the type of the thing, a value may be of several facts. */
  values: { value: string; facts: Fact[] }[];
}

export interface Meaning {
  words: string[];
  named: MeantType[];
  said: SaidWords[];
  /** The thing that is looked for; the others are what it is for or made of. Null where no type is named. */
  head: MeantType | null;
  /** The type of the model that is looked for ("thinkpad"), where no type is named. */
  model: string | null;
  /** The category of the type, where there is one. */
  category: string | null;
}

/** What a tidied text means. A word that no listing has may be a misspelled name. */
export function meaningOf(text: string, table: TypeTable, known: Vocabulary): Meaning {
  const words = splitWords(turnAround(text));
  const covered = new Set(typesNamed(words, table).flatMap((found) => found.words));
  const spelled = words.map((word, at) => (covered.has(at) ? word : respelled(word, known.get(word))));
  const all = typesNamed(spelled, table).map(({ types, words: places }) => {
    const meant = [...new Set(types.flatMap((id) => withNarrower(id, table)))];
    const names = meant.flatMap((id) => table.types.get(id)?.names ?? []);
    return {
      id: types[0] ?? "",
      types: meant,
      similar: similarTypes(types, table).filter((id) => !meant.includes(id)),
      names: names.map((name) => splitAgain(name)).filter(Boolean),
      words: places,
    };
  });
  const saidOf = (types: readonly string[] | null) => wordsSaid(text, words, findFacts(text, types, table));
  const recognized = recognizeType({ name: text, category: "" }, table)?.type ?? null;
  const things = [...all.map(({ types }) => types), ...(recognized === null ? [] : [[recognized]])];
  // "Ram" in "laptop 8gb ram" and "infinix 8gb ram" says what these have.
  const isOfAnother = (one: MeantType) =>
    things.some(
      (types) =>
        !types.some((type) => one.types.includes(type)) &&
        saidOf(types).some((said) => one.words.every((at) => said.words.includes(at))),
    );
  const named = all.filter((one) => !isOfAnother(one));
  const isExtra = ({ id }: MeantType) => table.types.get(id)?.kind !== "thing";
  const head = named.find(isExtra) ?? named.at(-1) ?? null;
  const model = head ? null : recognized;
  const about = head?.id ?? model;
  const said = saidOf(head?.types ?? (model === null ? null : [model])).flatMap((one) => {
    // "Ram" in "8gb ram" is the thing itself.
    const others = one.words.filter((at) => !named.some((type) => type.words.includes(at)));
    return others.length === 0 ? [] : [{ ...one, words: others }];
  });
  return { words, named, said, head, model, category: (about && table.types.get(about)?.category) || null };
}

/** The types of the thing that is looked for; none where nobody knows it. */
export function typesLookedFor({ head, model }: Meaning): readonly string[] {
  return head?.types ?? (model === null ? [] : [model]);
}

/** The words by which a text says its facts. Of what overlaps, the longest counts. */
function wordsSaid(text: string, words: readonly string[], facts: readonly SaidFact[]): SaidWords[] {
  const places = Map.groupBy(facts.filter(isMeant(text)), ({ from, to }) => `${from} ${to}`);
  const found = [...places.values()].map((values) => readSaid(text, words, values));
  const kept: SaidWords[] = [];
  for (const said of found.toSorted((one, other) => other.words.length - one.words.length)) {
    const isFree = said.words.every((at) => at >= 0 && kept.every((one) => !one.words.includes(at)));
    if (said.words.length > 0 && isFree) kept.push(said);
  }
  return kept;
}

function readSaid(text: string, words: readonly string[], values: readonly SaidFact[]): SaidWords {
  const [{ from, to } = { from: 0, to: 0 }] = values;
  return {
    words: splitWords(text.slice(from, to)).map((word) => words.indexOf(word)),
    values: [...Map.groupBy(values, ({ value }) => value)].map(([value, of]) => ({
      value,
      facts: of.map(({ fact }) => fact),
    })),
  };
}

/** A model line says the brand of a listing, but who searches for "elitebook" wants no other HP. */
function isMeant(text: string): (said: SaidFact) => boolean {
  return ({ fact, value, from, to }) =>
    !fact.namesImply ||
    value ===
      text
        .slice(from, to)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function similarTypes(types: readonly string[], table: TypeTable): string[] {
  const wider = types.flatMap((id) => table.types.get(id)?.parent ?? []);
  return [...new Set(wider.flatMap((id) => withNarrower(id, table)))];
}

function respelled(word: string, known: KnownWords | undefined): string {
  return known?.starts?.length === 0 && known.inner.length === 0 ? (similarWords(word, known)[0] ?? word) : word;
}

/** What somebody may be typing: types whose names begin so, as they are shown, or else what people call them. */
export function typesBeginning(text: string, table: TypeTable): ItemType[] {
  const begun = text.toLowerCase();
  const isBegun = (name: string) => name.toLowerCase().startsWith(begun);
  const [shown, called] = [[] as ItemType[], [] as ItemType[]];
  for (const type of table.types.values()) {
    if (isBegun(type.plural) || isBegun(type.name)) shown.push(type);
    else if (type.names.some(isBegun)) called.push(type);
  }
  return [...shown.toSorted((one, other) => one.plural.length - other.plural.length), ...called];
}

/** "Charger for my laptop" and "charger ya laptop" as "laptop charger": the last noun says what the thing is. */
function turnAround(text: string): string {
  const match = /^(.+?)\s+(?:for|ya|wa|za|la|cha|vya|kwa)\s+(.+)$/iu.exec(text);
  return match ? `${match[2]} ${match[1]}` : text;
}

/** A name as the index splits it. */
function splitAgain(name: string): string {
  return splitWords(name).join(" ");
}
