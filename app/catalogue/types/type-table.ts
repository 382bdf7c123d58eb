import type { ItemType } from "./item-type.ts";
import { ITEM_TYPES } from "./item-types.ts";
import { keyOf, tokensOf, withPlural } from "./words.ts";

/** A phrase that means a type. */
export interface Phrase {
  type: ItemType;
  /** Whether people call the type so; otherwise it is a sign of it. */
  isName: boolean;
}

/** The types, and how to find them by their words. */
export interface TypeTable {
  types: ReadonlyMap<string, ItemType>;
  /** The phrases by their key (`keyOf`). One phrase may mean several types, or none, so that no part of it does. */
  phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** The most tokens that a phrase has. */
  longest: number;
  /** The types that each wider one includes. */
  narrower: ReadonlyMap<string, readonly ItemType[]>;
}

/** Phrases that contain the name of a type and don't mean it. "Camera" is the best quality of second-hand clothes. */
const MEANINGLESS = `grade one camera, grade a camera, grade # camera, first camera, mitumba camera, mtumba camera,
  dual camera, front camera, mp camera, dual sim, table top, battery health, battery life, battery #, battery dead,
  no charger, no battery`.split(/,\s*/);

export function makeTypeTable(types: readonly ItemType[]): TypeTable {
  const phrases = new Map<string, Phrase[]>();
  let longest = 1;
  const add = (words: string, phrase?: Phrase) => {
    const tokens = tokensOf(words.replaceAll("#", "0")).map(({ text }) => text);
    longest = Math.max(longest, tokens.length);
    const known = phrases.get(keyOf(tokens)) ?? [];
    if (!phrase || !known.some(({ type }) => type === phrase.type))
      phrases.set(keyOf(tokens), phrase ? [...known, phrase] : known);
  };
  for (const words of MEANINGLESS) add(words);
  for (const type of types) {
    const names = [type.name.toLowerCase(), type.plural.toLowerCase(), ...type.names.flatMap(withPlural)];
    for (const name of names) add(name, { type, isName: true });
    for (const sign of type.signs) add(sign, { type, isName: false });
  }
  const narrower = Map.groupBy(
    types.filter(({ parent }) => parent !== undefined),
    ({ parent }) => parent ?? "",
  );
  return { types: new Map(types.map((type) => [type.id, type])), phrases, longest, narrower };
}

/** The table as it is kept in the code, without what admins changed. */
export const KEPT_TABLE = makeTypeTable(ITEM_TYPES);

/** What listings of a type are called: "Laptops". Null for no type, and for one that the table doesn't have. */
export function pluralOf(id: string | null, table: TypeTable): string | null {
  return id === null ? null : (table.types.get(id)?.plural ?? null);
}

/** The ids of a type and of all that it includes. */
export function withNarrower(id: string, table: TypeTable): string[] {
  return [id, ...(table.narrower.get(id) ?? []).flatMap((type) => withNarrower(type.id, table))];
}

/** The kept types that belong to a category. `includes`: the ids of a type and of all narrower ones. */
export function typesIn(category: string): { id: string; name: string; includes: string[] }[] {
  return [...KEPT_TABLE.types.values()]
    .filter((type) => type.category === category)
    .map(({ id, plural }) => ({ id, name: plural, includes: withNarrower(id, KEPT_TABLE) }));
}
