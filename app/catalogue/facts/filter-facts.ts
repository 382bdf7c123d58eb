/** The facts by which lists can be filtered. Of the server alone, because the table is long. */
import type { FilterFact, ListFilters } from "#app/catalogue/browse/list-filters.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import type { FactChoice } from "./fact.ts";
import { FACTS } from "./fact-table.ts";
import { factsOfType } from "./listing-facts.ts";

/** All that an address may ask for, each with the choices of all types. */
export const FILTER_FACTS: readonly FilterFact[] = FACTS.filter(
  ({ isFilter, kind }) => isFilter && kind === "choice",
).map(({ of, ...fact }) =>
  toFilter(
    fact,
    of.flatMap(({ choices }) => choices),
  ),
);

/** What the form of a list offers: the facts of things of these types, and what is chosen already. */
export function factsToFilter(types: readonly string[], { facts }: ListFilters, table: TypeTable): FilterFact[] {
  const own = types.flatMap((type) => factsOfType(type, table));
  return FILTER_FACTS.flatMap((fact) => {
    const ofTypes = own.flatMap((one) => (one.fact.id === fact.id ? one.choices : []));
    const chosen = fact.choices.filter(({ value }) => facts[fact.id]?.includes(value));
    const choices = distinct([...ofTypes, ...chosen]);
    return choices.length === 0 ? [] : [{ ...fact, choices }];
  });
}

function toFilter({ id, label, needsLabel }: Omit<FilterFact, "choices">, choices: readonly FactChoice[]): FilterFact {
  return { id, label, ...(needsLabel && { needsLabel }), choices: distinct(choices) };
}

function distinct(choices: FilterFact["choices"]): FilterFact["choices"] {
  return [...new Map(choices.map(({ value, label }) => [value, { value, label }])).values()];
}
