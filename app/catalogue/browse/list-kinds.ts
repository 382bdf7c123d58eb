/** What differs between the lists that can be filtered. Apart from list-filters.ts, because only the form needs it. */
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import type { ListFilters, ListPlace, ListSort } from "./list-filters.ts";

export const LIST_SORTS: Record<ListSort, string> = { best: "Best match", ...OWN_LABELS.sorts };

export interface ListKind {
  /** The orders to choose from. The first is its own, which has no place in its address. */
  sorts: readonly [own: ListSort, ...ListSort[]];
  /**
   * KES. A price range that ends here has no upper end, so that dearer things aren't hidden from people who set none.
   */
  priceMax: number;
  /** KES: the price is chosen with a slider of such steps; null where it is typed. */
  priceStep: number | null;
  /** The words of the button that applies the filters. `found`: "12 results", once counted. */
  apply: (found: string | null) => string;
}

/** Nothing costs more. */
const PRICE_MAX = 100_000_000;
const show = (found: string | null) => `Show ${found ?? "results"}`;

export const LIST_KINDS = {
  search: { sorts: ["best", "newest", "price-asc", "price-desc"], priceMax: PRICE_MAX, priceStep: null, apply: show },
  // Without words none is better than another.
  wordless: { sorts: ["newest", "price-asc", "price-desc"], priceMax: PRICE_MAX, priceStep: null, apply: show },
  category: {
    sorts: ["price-asc", "price-desc", "newest"],
    priceMax: 100_000,
    priceStep: 1_000,
    apply: (found) => (found === null ? "Apply Filters" : `Apply Filters: ${found}`),
  },
} as const satisfies Record<string, ListKind>;

export function kindOf({ words, category }: ListPlace): ListKind {
  if (category !== undefined) return LIST_KINDS.category;
  return words === "" ? LIST_KINDS.wordless : LIST_KINDS.search;
}

/** The order that a list has. */
export function sortOf({ sort }: Pick<ListFilters, "sort">, kind: ListKind): ListSort {
  return sort === "best" ? kind.sorts[0] : sort;
}
