import { KEPT_TABLE, withNarrower } from "./type-table.ts";

/** What listings of a type are called: "Laptops". Null for no type, and for one that nobody knows. */
export function typeNamed(id: string | null): string | null {
  return (id !== null && KEPT_TABLE.types.get(id)?.plural) || null;
}

/** The types that belong to a category. `includes`: the ids of a type and of all narrower ones. */
export function typesIn(category: string): { id: string; name: string; includes: string[] }[] {
  return [...KEPT_TABLE.types.values()]
    .filter((type) => type.category === category)
    .map(({ id, plural }) => ({ id, name: plural, includes: withNarrower(id, KEPT_TABLE) }));
}
