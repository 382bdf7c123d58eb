import { asc, eq, sql } from "drizzle-orm";
import { prepareOnce, read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { itemTypes, itemTypeWords } from "#app/catalogue/tables.server.ts";
import { tableWith } from "./type-changes.ts";
import type { TypeTable } from "./type-table.ts";

const ADDED = build
  .select({ id: itemTypes.id, name: itemTypes.name, plural: itemTypes.plural, category: itemTypes.category })
  .from(itemTypes)
  .orderBy(asc(itemTypes.id));
const WORDS = build
  .select({ typeId: itemTypeWords.typeId, word: itemTypeWords.word, use: itemTypeWords.use })
  .from(itemTypeWords)
  .orderBy(asc(itemTypeWords.typeId), asc(itemTypeWords.word));

/** The query for the name of a type that admins added, for a screen that needs no other one: at most one row. */
export function addedType(id: string | null) {
  return ADDED_TYPE({ id: id ?? "" });
}

const ADDED_TYPE = prepareOnce(
  build
    .select({ plural: itemTypes.plural })
    .from(itemTypes)
    .where(eq(itemTypes.id, sql.placeholder("id"))),
);

/** The table of types with what admins changed. One round trip. */
export async function readTypeTable(db: Database): Promise<TypeTable> {
  const { added, words } = await read(db, { added: ADDED, words: WORDS });
  return tableWith({ added, words });
}
