/** What the panel of a category says of the filters of a list: a slider for the price, and no type and no delivery. */
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import type { ListFilters, ListSort } from "./list-filters.ts";
import { readListFilters } from "./read-list-filters.ts";

/** A category has no words that something could fit best, so its own order is by price. */
export type CategorySort = Exclude<ListSort, "best">;

export const CATEGORY_SORTS: Record<CategorySort, string> = OWN_LABELS.sorts;

export function categorySort({ sort }: Pick<ListFilters, "sort">): CategorySort {
  return sort === "best" ? "price-asc" : sort;
}

/** The filters' order for one that was chosen. A category's own has no place in the address. */
export function fromCategorySort(sort: ListSort): Pick<ListFilters, "sort"> {
  return { sort: sort === "price-asc" ? "best" : sort };
}

/** KES. The upper end of the slider means no limit, so that dearer things aren't hidden from people who set none. */
export const PRICE_MAX = 100_000;
export const PRICE_STEP = 1_000;

/** Where the slider's ends stand. */
export function sliderEnds({ min, max }: Pick<ListFilters, "min" | "max">): [min: number, max: number] {
  return [min ?? 0, max ?? PRICE_MAX];
}

/** What the slider's ends mean. */
export function fromSlider([min, max]: readonly [min: number, max: number]): Pick<ListFilters, "min" | "max"> {
  return { min: min === 0 ? null : min, max: max === PRICE_MAX ? null : max };
}

/** The filters of a category's address. What its panel can't show is left out. */
export function readCategoryFilters(params: URLSearchParams): ListFilters {
  const filters = readListFilters(params);
  const [min, max] = sliderEnds(filters).map((end) => Math.min(end, PRICE_MAX)) as [number, number];
  return { ...filters, ...fromSlider([min, max]), ...fromCategorySort(filters.sort), type: null, delivery: false };
}
