import { alias } from "drizzle-orm/sqlite-core";
import { products } from "#app/db/schema.ts";

/** Products, as the fragments of SQL that queries share call them. */
export const p = alias(products, "p");
