import type { ItemType, WordUse } from "./item-type.ts";
import { ITEM_TYPES } from "./item-types.ts";
import { KEPT_TABLE, makeTypeTable, type TypeTable } from "./type-table.ts";

/** What admins changed in the table. */
export interface TypeChanges {
  added: readonly Pick<ItemType, "id" | "name" | "plural" | "category">[];
  words: readonly { typeId: string; word: string; use: WordUse }[];
}

/** The table as it counts: what is kept in the code, with what admins changed. */
export function tableWith(changes: TypeChanges): TypeTable {
  if (changes.added.length === 0 && changes.words.length === 0) return KEPT_TABLE;
  const key = JSON.stringify(changes);
  if (latest?.key !== key) latest = { key, table: makeTypeTable(changedTypes(changes)) };
  return latest.table;
}

/** Making a table takes longer than what is asked of it, and changes are rare. */
let latest: { key: string; table: TypeTable } | null = null;

function changedTypes({ added, words }: TypeChanges): ItemType[] {
  const all: ItemType[] = [
    ...ITEM_TYPES,
    ...added.map((type) => ({ ...type, kind: "thing" as const, names: [], signs: [] })),
  ];
  const changed = Map.groupBy(words, ({ typeId }) => typeId);
  return all.map((type) => {
    const own = changed.get(type.id) ?? [];
    const without = (list: readonly string[]) => list.filter((word) => !own.some((change) => change.word === word));
    const used = (use: WordUse) => own.filter((change) => change.use === use).map(({ word }) => word);
    return {
      ...type,
      names: [...without(type.names), ...used("name")],
      signs: [...without(type.signs), ...used("sign")],
    };
  });
}
