/** The filters of the feed, a search, a category and a seller's list, as they are in the list's address. */
import { categoryPath, type Condition, CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import { formatKes } from "#app/ui/money.ts";

/** "best" is the list's own order (`LIST_KINDS`): of a search, how well a listing fits the words. */
export type ListSort = "best" | "newest" | "price-asc" | "price-desc";

export const LIST_SORTS: Record<ListSort, string> = { best: "Best match", ...OWN_LABELS.sorts };

/** Which listings a list shows, and in which order. */
export interface ListFilters {
  /** KES, whole; null where it is open. Both ends count. */
  min: number | null;
  max: number | null;
  /** Empty means all. */
  conditions: readonly Condition[];
  /** The names of campuses, sorted. Empty means all. */
  campuses: readonly string[];
  /** The id of a type of thing. */
  type: string | null;
  /** Only listings of shops that deliver. */
  delivery: boolean;
  /** Only listings of verified students and businesses. */
  verified: boolean;
  /** Only wholesale listings. */
  wholesale: boolean;
  sort: ListSort;
}

export const NO_LIST_FILTERS: ListFilters = {
  min: null,
  max: null,
  conditions: [],
  campuses: [],
  type: null,
  delivery: false,
  verified: false,
  wholesale: false,
  sort: "best",
};

const SWITCHES = ["delivery", "verified", "wholesale"] as const;

/** The parameters of an address for filters. The same filters always make the same ones. */
export function writeListFilters(filters: ListFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (filters.min !== null) params.set("min", String(filters.min));
  if (filters.max !== null) params.set("max", String(filters.max));
  for (const condition of filters.conditions) params.append("condition", condition);
  for (const campus of filters.campuses) params.append("campus", campus);
  if (filters.type !== null) params.set("type", filters.type);
  for (const name of SWITCHES) if (filters[name]) params.set(name, "1");
  if (filters.sort !== NO_LIST_FILTERS.sort) params.set("sort", filters.sort);
  return params;
}

/** Whether they are what a list has by itself. */
export function hasNone(filters: ListFilters): boolean {
  return writeListFilters(filters).size === 0;
}

/** What differs between the lists that can be filtered. */
export interface ListKind {
  /** The orders to choose from. The first is its own, which has no place in its address. */
  sorts: readonly [own: ListSort, ...ListSort[]];
  /** KES. A price range that ends here has no upper end, so that dearer things aren't hidden from people who set none. */
  priceMax: number;
  /** KES: the price is chosen with a slider of such steps; null where it is typed. */
  priceStep: number | null;
  /** The words of the button that applies the filters, and of the one that clears them. `found`: "12 results", once counted. */
  apply: (found: string | null) => string;
  clear: string;
}

/** Nothing costs more. */
const TYPED = { priceMax: 100_000_000, priceStep: null };
const WORDS = { apply: (found: string | null) => `Show ${found ?? "results"}`, clear: "Clear all" };

export const LIST_KINDS = {
  search: { sorts: ["best", "newest", "price-asc", "price-desc"], ...TYPED, ...WORDS },
  // Without words none is better than another.
  wordless: { sorts: ["newest", "price-asc", "price-desc"], ...TYPED, ...WORDS },
  category: {
    sorts: ["price-asc", "price-desc", "newest"],
    priceMax: 100_000,
    priceStep: 1_000,
    apply: (found) => (found === null ? "Apply Filters" : `Apply Filters: ${found}`),
    clear: "Reset Filters",
  },
} as const satisfies Record<string, ListKind>;

/** A list that can be filtered. */
export interface ListPlace {
  /** Its address without a query. */
  path: string;
  /** What is searched for, without what reads as filters; empty for a list that is no search. */
  words: string;
  /** Whose list it is, where it is one seller's. */
  sellerId?: string;
  /** The category's id or name, where it is a category's. */
  category?: string;
}

export function kindOf({ words, category }: ListPlace): ListKind {
  if (category !== undefined) return LIST_KINDS.category;
  return words === "" ? LIST_KINDS.wordless : LIST_KINDS.search;
}

/** The order that a list has. */
export function sortOf({ sort }: Pick<ListFilters, "sort">, kind: ListKind): ListSort {
  return sort === "best" ? kind.sorts[0] : sort;
}

/** The list of everything for sale. */
export const FEED: ListPlace = { path: "/studentmarketplace", words: "" };

/** A search without words: everything, under the name of what it is limited to. */
export const SEARCH: ListPlace = { path: "/search", words: "" };

/** What one seller has for sale. */
export function sellerList(sellerId: string): ListPlace {
  return { path: `/seller/${sellerId}`, words: "", sellerId };
}

/** What is for sale in a category, by its id or name. */
export function categoryList(category: string): ListPlace {
  return { path: categoryPath(category), words: "", category };
}

/** The address of a list with these filters. */
export function listPath({ path, words }: ListPlace, filters: ListFilters): string {
  const params = new URLSearchParams([...(words ? [["q", words]] : []), ...writeListFilters(filters)]);
  return params.size === 0 ? path : `${path}?${params.toString()}`;
}

/** Something that a list is limited to. */
export interface ActiveChip {
  label: string;
  /** The filters without it. */
  without: ListFilters;
}

/** What the filters limit a list to, one chip for each thing that can be taken off. The order isn't one. */
export function activeChips(filters: ListFilters, typeName: string | null = null): ActiveChip[] {
  const { min, max, conditions, campuses, type } = filters;
  const chip = (label: string, change: Partial<ListFilters>): ActiveChip => ({
    label,
    without: { ...filters, ...change },
  });
  const isUsed = conditions.length === USED.length && USED.every((condition) => conditions.includes(condition));
  return [
    ...(type === null ? [] : [chip(typeName ?? type, { type: null })]),
    ...(min === null && max === null ? [] : [chip(priceLabel(min, max), { min: null, max: null })]),
    ...(isUsed
      ? [chip("Used", { conditions: [] })]
      : conditions.map((one) =>
          chip(CONDITION_LABELS[one], { conditions: conditions.filter((other) => other !== one) }),
        )),
    ...campuses.map((one) => chip(one, { campuses: campuses.filter((other) => other !== one) })),
    ...SWITCHES.filter((name) => filters[name]).map((name) => chip(SWITCH_LABELS[name], { [name]: false })),
  ];
}

/** Every condition but new. */
export const USED: readonly Condition[] = ["like_new", "good", "fair"];

export const SWITCH_LABELS = { delivery: "Seller delivers", ...OWN_LABELS.filters } as const satisfies Record<
  (typeof SWITCHES)[number],
  string
>;

function priceLabel(min: number | null, max: number | null): string {
  if (max === null) return `From ${formatKes(min ?? 0)}`;
  if (max === 0) return "Free";
  return min === null ? `Up to ${formatKes(max)}` : `${formatKes(min)} to ${formatKes(max)}`;
}
