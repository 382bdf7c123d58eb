/** The filters of the feed and of a search, in the address of the list. */

import { OWN_LABELS } from "#app/platform/label-rules.ts";

/** Which listings a list shows. */
export interface ListFilter {
  /** Wholesale listings only. */
  wholesale: boolean;
  /** Listings of verified students and businesses only. */
  verified: boolean;
}

const LABELS: Record<keyof ListFilter, string> = OWN_LABELS.filters;

const NAMES = Object.keys(LABELS) as (keyof ListFilter)[];

/** What an address asks for. */
export function readListFilter(params: URLSearchParams): ListFilter {
  return { wholesale: params.get("wholesale") === "1", verified: params.get("verified") === "1" };
}

/** A list with filters. */
export interface FilteredList {
  /** The address of the list as it is shown, with its filters. */
  path: string;
  /** A link for each filter that switches it on or off. */
  toggles: { to: string; "aria-current"?: true; children: string }[];
}

/** The list at `path`, which has no filter itself, with the filters that are on. */
export function filteredList(path: string, filter: ListFilter): FilteredList {
  const address = (on: ListFilter) => {
    const set = NAMES.filter((name) => on[name]).map((name) => `${name}=1`);
    return set.length === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${set.join("&")}`;
  };
  return {
    path: address(filter),
    toggles: NAMES.map((name) => ({
      to: address({ ...filter, [name]: !filter[name] }),
      ...(filter[name] && { "aria-current": true }),
      children: LABELS[name],
    })),
  };
}
