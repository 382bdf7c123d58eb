/** The filters of the feed, a search, a category and a seller's list, as they are in the list's address. */
import { ALL_CAMPUSES } from "./campus-choice.ts";
import { categoryPath, type Condition, CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import { formatKes } from "#app/ui/money.ts";

/** "best" is the list's own order (`LIST_KINDS`): of a search, how well a listing fits the words. */
export type ListSort = "best" | "newest" | "price-asc" | "price-desc";

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
  /** What things of the type have, by the ids of facts: of each one of these choices. */
  facts: Readonly<Record<string, readonly string[]>>;
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
  facts: {},
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
  for (const [id, values] of Object.entries(filters.facts)) for (const value of values) params.append(id, value);
  for (const name of SWITCHES) if (filters[name]) params.set(name, "1");
  if (filters.sort !== NO_LIST_FILTERS.sort) params.set("sort", filters.sort);
  return params;
}

/** Whether they are what a list has by itself. */
export function hasNone(filters: ListFilters): boolean {
  return writeListFilters(filters).toString() === "";
}

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

/** The words of what clears the filters of a list. */
export function clearText({ category }: ListPlace): string {
  return category === undefined ? "Clear all" : "Reset Filters";
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
  // Our oldest browsers don't know how many parameters there are (`size`).
  const query = params.toString();
  return query === "" ? path : `${path}?${query}`;
}

/**
 * The address of a list for somebody who has chosen these filters. The feed would show the own campus again, unless all
 * are asked for.
 */
export function chosenPath(list: ListPlace, filters: ListFilters): string {
  return hasNone(filters) && list.path === FEED.path ? `${list.path}?campus=${ALL_CAMPUSES}` : listPath(list, filters);
}

/** A fact of things ("Size") as filters show it. The server sends those of a list, because the table of all is long. */
export interface FilterFact {
  /** The parameter of the address. */
  id: string;
  label: string;
  /** A choice says nothing without the label. */
  needsLabel?: true;
  choices: readonly { value: string; label: string }[];
}

/** How things are called that filters name by codes. */
export interface FilterNames {
  /** What listings of the type are called, where the filters name one. */
  typeName?: string | null;
  facts?: readonly FilterFact[];
}

/** Something that a list is limited to. */
export interface ActiveChip {
  label: string;
  /** The filters without it. */
  without: ListFilters;
}

/** What the filters limit a list to, one chip for each thing that can be taken off. The order isn't one. */
export function activeChips(filters: ListFilters, { typeName, facts: named = [] }: FilterNames = {}): ActiveChip[] {
  const { min, max, conditions, campuses, type, facts } = filters;
  const chip = (label: string, change: Partial<ListFilters>): ActiveChip => ({
    label,
    without: { ...filters, ...change },
  });
  const isUsed = conditions.length === USED.length && USED.every((condition) => conditions.includes(condition));
  return [
    ...(type === null ? [] : [chip(typeName ?? type, { type: null })]),
    ...Object.entries(facts).flatMap(([id, values]) =>
      values.map((one) => chip(choiceName(id, one, named), { facts: withoutChoice(facts, id, one) })),
    ),
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

/** "Size 41", "HP". */
function choiceName(id: string, value: string, named: readonly FilterFact[]): string {
  const fact = named.find((one) => one.id === id);
  const label = fact?.choices.find((choice) => choice.value === value)?.label ?? value;
  return fact?.needsLabel ? `${fact.label} ${label}` : label;
}

function withoutChoice(facts: ListFilters["facts"], id: string, value: string): ListFilters["facts"] {
  const { [id]: values = [], ...others } = facts;
  const left = values.filter((one) => one !== value);
  return left.length === 0 ? others : { ...facts, [id]: left };
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
