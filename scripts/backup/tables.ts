/** The tables whose rows a copy has, read from the database itself. */
import { isInternal } from "#scripts/schema-objects.ts";
import { CopyFault } from "./copy-fault.ts";

/** A database as the rows of a copy need it: D1, deployed or on this machine. */
export type RowDatabase = Pick<D1Database, "prepare" | "batch">;

export interface CopiedTable {
  name: string;
  columns: string[];
  /** Its number of the row is one of its columns (INTEGER PRIMARY KEY). */
  isNumbered: boolean;
  /** Columns that refer to a table which a restore fills no earlier, such as their own. They are filled last. */
  later: string[];
}

/**
 * The tables of the search, which a restore makes again. D1 lets nobody write what is in a full-text index, and these
 * have no numbers of rows to go by. Any other table of these kinds fails the copy.
 */
const MADE_AGAIN = new Set(["product_search", "shop_search", "search_words", "search_word_parts"]);

interface Listed {
  schema: string;
  name: string;
  type: string;
  /** 1: WITHOUT ROWID. */
  wr: number;
}

interface Column {
  name: string;
  type: string;
  pk: number;
  /** 0: a column like others. Generated ones are never written. */
  hidden: number;
}

interface Reference {
  table: string;
  from: string;
}

/**
 * The tables in the order of a restore: each after those that it refers to.
 * @throws CopyFault for a table that can't be copied
 */
export async function readTables(database: RowDatabase): Promise<CopiedTable[]> {
  const { results } = await database.prepare("PRAGMA table_list").all<Listed>();
  const names = results.filter((table) => table.schema === "main" && isCopied(table)).map(({ name }) => name);
  const ask = async <T>(pragma: string) => {
    const answers = await database.batch<T>(names.map((name) => database.prepare(`PRAGMA ${pragma}(${quoted(name)})`)));
    return new Map(names.map((name, at) => [name, answers[at]?.results ?? []]));
  };
  if (names.length === 0) return [];
  const [columns, references] = [await ask<Column>("table_xinfo"), await ask<Reference>("foreign_key_list")];
  const order = parentsFirst(names.toSorted(), references);
  return order.map((name, at) => {
    const own = (columns.get(name) ?? []).filter(({ hidden }) => hidden === 0);
    const keys = own.filter(({ pk }) => pk > 0);
    return {
      name,
      columns: own.map((column) => column.name),
      isNumbered: keys.length === 1 && keys[0]?.type.toUpperCase() === "INTEGER",
      later: (references.get(name) ?? []).filter(({ table }) => order.indexOf(table) >= at).map(({ from }) => from),
    };
  });
}

function isCopied({ name, type, wr }: Listed): boolean {
  if (isInternal(name) || type === "view" || type === "shadow" || MADE_AGAIN.has(name)) return false;
  if (type !== "table" || wr === 1)
    throw new CopyFault(`A copy can't have the table ${name}: it is ${type === "table" ? "WITHOUT ROWID" : type}.`);
  return true;
}

/** Each table after those that it refers to, as far as that can be. */
function parentsFirst(names: string[], references: Map<string, Reference[]>): string[] {
  const order: string[] = [];
  for (let left = names; left.length > 0;) {
    const waits = (name: string) =>
      (references.get(name) ?? []).some(({ table }) => table !== name && left.includes(table));
    const next = left.filter((name) => !waits(name));
    order.push(...(next.length > 0 ? next : left.slice(0, 1)));
    left = left.filter((name) => !order.includes(name));
  }
  return order;
}

/** A name as SQL takes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
