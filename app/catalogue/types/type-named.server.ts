import { KEPT_TABLE } from "./type-table.ts";

/** What listings of a type are called: "Laptops". Null for no type, and for one that nobody knows. */
export function typeNamed(id: string | null): string | null {
  return (id !== null && KEPT_TABLE.types.get(id)?.plural) || null;
}
