import type { Handover } from "#app/db/states/handover.ts";
import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { withPlural } from "#app/catalogue/types/words.ts";

interface More {
  /** Where it isn't that of its list. */
  category?: string;
  /** Where it isn't the name with an s. */
  plural?: string;
  of?: readonly string[];
  parent?: string;
  handover?: Handover;
  /** Separated by commas. */
  signs?: string;
}

type Written = Omit<ItemType, "category"> & Pick<More, "category">;

/** The types of a list, whose category is this one unless they have their own. */
export function inCategory(category: string, types: readonly Written[]): ItemType[] {
  return types.map((type) => ({ category, ...type }));
}

/** Shorthands for the long lists: code, name, other names separated by commas, and special fields. */
export const thing = writerOf("thing");
export const accessory = writerOf("accessory");
export const service = writerOf("service");

function writerOf(kind: ItemType["kind"]) {
  return (id: string, name: string, names = "", more: More = {}): Written => {
    const { plural = withPlural(name).at(-1) ?? name, signs = "", ...fields } = more;
    return { id, name, plural, kind, ...fields, names: wordsOf(names), signs: wordsOf(signs) };
  };
}

function wordsOf(list: string): string[] {
  return list.split(",").flatMap((words) => words.trim() || []);
}
