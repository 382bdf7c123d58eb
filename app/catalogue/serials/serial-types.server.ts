import { inArray, sql } from "drizzle-orm";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { KEPT_TABLE, withNarrower } from "#app/catalogue/types/type-table.ts";
import { SERIAL_TYPES } from "./serial-types.ts";

const KEPT = SERIAL_TYPES.flatMap((wide) => withNarrower(wide, KEPT_TABLE));

/** SQL on `productRow`: whether its buyer should ask about its serial number. */
export const HAS_SERIAL = sql`iif(${inArray(productRow.type, KEPT)}, 1, 0)`.inlineParams();
