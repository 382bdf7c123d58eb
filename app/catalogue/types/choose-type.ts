import type { FactFieldData } from "#app/catalogue/facts/fact-field-rules.ts";
import { factFields } from "#app/catalogue/facts/listing-facts.ts";
import { hasSerial } from "#app/catalogue/serials/serial-types.ts";
import { findPhrases } from "./find-phrases.ts";
import type { ItemType } from "./item-type.ts";
import { recognizeType } from "./recognize-type.ts";
import type { TypeTable } from "./type-table.ts";
import { tokensOf } from "./words.ts";

/** Chosen instead of a type where none fits. No type's id. */
export const NO_TYPE = "none";

/** Whether a choice can be saved. An admin may have removed the type since the form was opened. */
export function isChoice(chosen: string | null, table: TypeTable): boolean {
  return chosen === null || chosen === NO_TYPE || table.types.has(chosen);
}

/** A choice in words. */
export function choiceText(chosen: string, table: TypeTable): string {
  if (chosen === "") return "what its name says";
  return chosen === NO_TYPE ? "none of these" : (table.types.get(chosen)?.name ?? chosen);
}

/**
 * The columns of a listing that say what it is. What its seller chose (`chosen`: a type's id, or NO_TYPE) no rule
 * changes; null leaves it to the rules.
 */
export function typeColumns(
  listing: { name: string; category: string },
  chosen: string | null,
  table: TypeTable,
): { type: string | null; typeChosen: boolean } {
  if (chosen !== null) return { type: chosen === NO_TYPE ? null : chosen, typeChosen: true };
  return { type: recognizeType(listing, table)?.type ?? null, typeChosen: false };
}

type Choice = Pick<ItemType, "id" | "name">;

/** What the form shows about the type while a listing is written. */
export interface TypeSuggestion {
  /** What the rules say, and in which category it belongs; null if they aren't sure. */
  found: { id: string; name: string; category: string; because: string } | null;
  /** The types to choose from, in groups: the closest (`category` is null), then those of each category. */
  groups: { category: string | null; types: Choice[] }[];
  /** The fields for what such a thing has: its brand, its size … */
  facts: FactFieldData[];
  /** Such a thing has a serial number, by which a stolen one is found. */
  hasSerial: boolean;
}

/**
 * `all`: the types of all categories, or only of the listing's. `own`: one that must be among them. `chosen`: what its
 * seller chose; null leaves it to the rules.
 */
export function suggestType(
  listing: { name: string; category: string },
  table: TypeTable,
  { all, own = null, chosen = null }: { all: boolean; own?: string | null; chosen?: string | null },
): TypeSuggestion {
  const recognized = recognizeType(listing, table);
  const found = recognized && table.types.get(recognized.type);
  const closest = closestTypes(listing.name, found ?? null, table);
  const rest = [...table.types.values()].filter(({ id }) => !closest.some((type) => type.id === id));
  const offered = rest.filter(({ id, category }) => all || category === listing.category || id === own);
  const byCategory = [...Map.groupBy(offered, ({ category }) => category)];
  const { type } = typeColumns(listing, chosen, table);
  return {
    found:
      found && recognized
        ? { id: found.id, name: found.name, category: found.category, because: recognized.because }
        : null,
    groups: [
      { category: null, types: closest.map(choiceOf) },
      ...byCategory.map(([category, types]) => ({
        category,
        types: types.map(choiceOf).toSorted((one, other) => one.name.localeCompare(other.name)),
      })),
    ].filter(({ types }) => types.length > 0),
    facts: factFields({ name: listing.name, type }, table),
    hasSerial: hasSerial(type, table),
  };
}

function choiceOf({ id, name }: ItemType): Choice {
  return { id, name };
}

/** More would no longer be the closest. */
const CLOSEST_MAX = 8;

/** The type that was found, what else the name mentions, and the wider and narrower types of these. */
function closestTypes(name: string, found: ItemType | null, table: TypeTable): ItemType[] {
  const tokens = tokensOf(name).map(({ text }) => text);
  const mentioned = findPhrases(tokens, table).flatMap(({ meanings }) => meanings.map(({ type }) => type));
  const first = found ? [found, ...mentioned] : mentioned;
  const around = first.flatMap(({ id, parent }) => [
    ...(table.narrower.get(id) ?? []),
    ...(parent === undefined ? [] : [table.types.get(parent), ...(table.narrower.get(parent) ?? [])]),
    ...[...table.types.values()].filter(({ of }) => of?.includes(id)),
  ]);
  return [...new Set([...first, ...around])].filter((type) => type !== undefined).slice(0, CLOSEST_MAX);
}
