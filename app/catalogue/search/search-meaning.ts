/** What a search is about: its words, and the types of things that they name. */
import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { recogniseType } from "#app/catalogue/types/recognise-type.ts";
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
  kin: string[];
  /** What people call it. */
  names: string[];
  /** The places of its words in the search. */
  words: number[];
}

export interface Meaning {
  words: string[];
  named: MeantType[];
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
  const named = typesNamed(spelled, table).map(({ types, words: places }) => {
    const all = [...new Set(types.flatMap((id) => withNarrower(id, table)))];
    const names = all.flatMap((id) => table.types.get(id)?.names ?? []);
    return {
      id: types[0] ?? "",
      types: all,
      kin: kinOf(types, table).filter((id) => !all.includes(id)),
      names: names.map((name) => splitAgain(name)).filter(Boolean),
      words: places,
    };
  });
  const isExtra = ({ id }: MeantType) => table.types.get(id)?.kind !== "thing";
  const head = named.find(isExtra) ?? named.at(-1) ?? null;
  const model = head ? null : (recogniseType({ name: text, category: "" }, table)?.type ?? null);
  const about = head?.id ?? model;
  return { words, named, head, model, category: (about && table.types.get(about)?.category) || null };
}

function kinOf(types: readonly string[], table: TypeTable): string[] {
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
