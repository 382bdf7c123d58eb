/** Reads the filters of a list from its address. Apart from list-filters.ts, because few screens read amounts. */
import { CONDITIONS } from "#app/catalogue/labels.ts";
import { readAmount, unclearText } from "#app/platform/number-rules.ts";
import { ALL_CAMPUSES } from "./campus-choice.ts";
import type { FilterFact, ListFilters } from "./list-filters.ts";
import { LIST_KINDS, type ListKind } from "./list-kinds.ts";

/**
 * What an address asks for. What it doesn't know it ignores, and ends that were swapped it swaps back. `facts`: those
 * that are known, with their choices.
 */
export function readListFilters(
  params: URLSearchParams,
  kind: ListKind,
  facts: readonly Pick<FilterFact, "id" | "choices">[],
): ListFilters {
  const type = params.get("type") ?? "";
  const [, ...others] = kind.sorts;
  return {
    ...orderedPrices(readEnd(params.get("min")), readEnd(params.get("max")), kind.priceMax),
    conditions: CONDITIONS.filter((condition) => params.getAll("condition").includes(condition)),
    campuses: readCampuses(params.getAll("campus")),
    type: /^[a-z0-9-]{1,60}$/.test(type) ? type : null,
    facts: Object.fromEntries(facts.flatMap((fact) => readChoices(params, fact))),
    delivery: params.get("delivery") === "1",
    verified: params.get("verified") === "1",
    wholesale: params.get("wholesale") === "1",
    sort: others.find((sort) => sort === params.get("sort")) ?? "best",
  };
}

/**
 * The choices of a fact in an order that doesn't depend on the list: the form of a type knows fewer choices than the
 * server.
 */
function readChoices(params: URLSearchParams, { id, choices }: Pick<FilterFact, "id" | "choices">) {
  const asked = params.getAll(id);
  const values = choices.flatMap(({ value }) => (asked.includes(value) ? value : []));
  const ordered = values.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return values.length === 0 ? [] : [[id, ordered] as const];
}

/** More names than a list is limited to, and longer ones than a campus has, are nobody's wish. */
const CAMPUSES_MAX = 20;
const CAMPUS_NAME_MAX = 60;

/** A campus that isn't on our list has nothing for sale, so no list of names is needed here. */
function readCampuses(named: readonly string[]): string[] {
  const names = named.filter((name) => name !== "" && name !== ALL_CAMPUSES && name.length <= CAMPUS_NAME_MAX);
  return [...new Set(names)].toSorted().slice(0, CAMPUSES_MAX);
}

/** What is wrong with a price that was typed; null where it is empty or fine. */
export function priceError(typed: string): string | null {
  const reading = readAmount(typed);
  if (reading.ok || reading.code === "empty") return null;
  return unclearText(typed, reading) ?? "Enter a price in whole shillings, such as 2,500";
}

/** The prices of an address as they were typed, if one of them can't be read; else null. */
export function unreadablePrices(params: URLSearchParams): { min: string; max: string } | null {
  const typed = { min: params.get("min") ?? "", max: params.get("max") ?? "" };
  return priceError(typed.min) === null && priceError(typed.max) === null ? null : typed;
}

function readEnd(text: string | null): number | null {
  const reading = readAmount(text ?? "");
  return reading.ok ? reading.value : null;
}

/** A price range in its order. It has no lower end at 0, and no upper one from `priceMax` on (KES). */
export function orderedPrices(
  min: number | null,
  max: number | null,
  priceMax: number = LIST_KINDS.search.priceMax,
): Pick<ListFilters, "min" | "max"> {
  const [low, high] = min !== null && max !== null && min > max ? [max, min] : [min, max];
  return {
    min: low === 0 || low === null ? null : Math.min(low, priceMax),
    max: high === null || high >= priceMax ? null : high,
  };
}
