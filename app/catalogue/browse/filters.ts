/** The filters of a category page as they are in its address. So people can share them, and Back undoes them. */
import { readAmount } from "#app/platform/number-rules.ts";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import type { ListFilters } from "./list-filters.ts";
import { CAMPUSES, CONDITIONS } from "#app/catalogue/labels.ts";
import { type Condition } from "#app/catalogue/catalogue-rules.ts";

export type Sort = "price-asc" | "price-desc" | "newest";

export const SORT_LABELS: Record<Sort, string> = OWN_LABELS.sorts;

/** KES. The upper end of the slider means no limit, so that dearer things aren't hidden from people who set none. */
export const PRICE_MAX = 100_000;
export const PRICE_STEP = 1_000;

export interface Filters extends Pick<ListFilters, "wholesale" | "verified"> {
  sort: Sort;
  /** Empty means all. */
  conditions: readonly Condition[];
  /** Empty means all. */
  campuses: readonly string[];
  /** KES, 0 to PRICE_MAX; `max` at PRICE_MAX means no limit. */
  min: number;
  max: number;
}

export const NO_FILTERS: Filters = {
  sort: "price-asc",
  conditions: [],
  campuses: [],
  wholesale: false,
  verified: false,
  min: 0,
  max: PRICE_MAX,
};

/** Reads filters from an address. Unknown values are ignored. */
export function readFilters(params: URLSearchParams): Filters {
  const sort = params.get("sort");
  const ends = [readPrice(params.get("min"), 0), readPrice(params.get("max"), PRICE_MAX)] as const;
  return {
    sort: sort !== null && Object.hasOwn(SORT_LABELS, sort) ? (sort as Sort) : NO_FILTERS.sort,
    conditions: CONDITIONS.filter((condition) => params.getAll("condition").includes(condition)),
    campuses: CAMPUSES.filter((campus) => params.getAll("campus").includes(campus)),
    wholesale: params.get("wholesale") === "1",
    verified: params.get("verified") === "1",
    min: Math.min(...ends),
    max: Math.max(...ends),
  };
}

function readPrice(text: string | null, otherwise: number): number {
  const reading = readAmount(text ?? "");
  return reading.ok ? Math.min(reading.value, PRICE_MAX) : otherwise;
}

/** The address's query for filters; "" when none is set. The same filters always make the same query. */
export function writeFilters(filters: Filters): string {
  const params = new URLSearchParams();
  if (filters.sort !== NO_FILTERS.sort) params.set("sort", filters.sort);
  for (const condition of filters.conditions) params.append("condition", condition);
  for (const campus of filters.campuses) params.append("campus", campus);
  if (filters.wholesale) params.set("wholesale", "1");
  if (filters.verified) params.set("verified", "1");
  if (filters.min > 0) params.set("min", String(filters.min));
  if (filters.max < PRICE_MAX) params.set("max", String(filters.max));
  const query = params.toString();
  return query && `?${query}`;
}

/** The number of active filters. The sort order isn't one. */
export function countFilters(filters: Filters): number {
  const switches = [filters.wholesale, filters.verified, hasPriceRange(filters)];
  return filters.conditions.length + filters.campuses.length + switches.filter(Boolean).length;
}

export function hasPriceRange(filters: Filters): boolean {
  return filters.min > 0 || filters.max < PRICE_MAX;
}
