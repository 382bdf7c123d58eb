import { inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Handover, HANDOVERS } from "#app/db/states/handover.ts";
import type { Condition } from "#app/catalogue/catalogue-rules.ts";
import { itemTypes } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { CATEGORY_HANDOVERS, HANDOVER_TERMS, handoverOfType } from "./handover-rules.ts";
import { ITEM_TYPES } from "./item-types.ts";

/** The kept types that aren't simply things. */
const OF_TYPE = JSON.stringify(
  Object.fromEntries(
    ITEM_TYPES.map((type) => [type.id, handoverOfType(type)]).filter(([, handover]) => handover !== "thing"),
  ),
);

/** SQL: how what is in a category goes, where no kept type says it. */
function ofCategory(category: SQLWrapper): SQL {
  const cases = Object.entries(CATEGORY_HANDOVERS).map(([id, handover]) => sql`WHEN ${id} THEN ${handover}`);
  return sql`CASE lower(${category}) ${sql.join(cases, sql` `)} ELSE ${"thing" satisfies Handover} END`;
}

const ADDED_CATEGORY = sql`(SELECT ${itemTypes.category} FROM ${itemTypes} WHERE ${itemTypes.id} = ${productRow.type})`;

/** SQL on `productRow`: how its deal ends. A type that admins added goes as its category does, and so does no type. */
export const HANDOVER: SQL<Handover> = sql<Handover>`(CASE WHEN ${productRow.type} IS NULL
  THEN ${ofCategory(productRow.category)}
  ELSE COALESCE(${OF_TYPE} ->> ${productRow.type}, ${ofCategory(ADDED_CATEGORY)}) END)`.inlineParams();

const WITH_CONDITION = HANDOVERS.filter((handover) => HANDOVER_TERMS[handover].hasCondition);

/** SQL on `productRow`: its condition as people read it; null where new or used says nothing. */
export const SHOWN_CONDITION = sql<Condition | null>`CASE WHEN ${inArray(HANDOVER, WITH_CONDITION)}
  THEN ${productRow.condition} END`.inlineParams();
