import type { ItemType } from "#app/catalogue/types/item-type.ts";

interface More {
  of?: readonly string[];
  parent?: string;
  /** Separated by commas. */
  signs?: string;
}

/** Shorthands for the long lists: code, name, plural, category, other names separated by commas, and special fields. */
export const thing = writerOf("thing");
export const accessory = writerOf("accessory");
export const service = writerOf("service");

function writerOf(kind: ItemType["kind"]) {
  return (
    id: string,
    name: string,
    plural: string,
    category: string,
    names = "",
    { signs = "", ...more }: More = {},
  ): ItemType => ({ id, name, plural, category, kind, ...more, names: wordsOf(names), signs: wordsOf(signs) });
}

function wordsOf(list: string): string[] {
  return list.split(",").flatMap((words) => words.trim() || []);
}
