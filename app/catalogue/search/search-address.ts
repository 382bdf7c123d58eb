import type { ListFilters } from "#app/catalogue/browse/list-filters.ts";
import { LIST_KINDS } from "#app/catalogue/browse/list-kinds.ts";
import { readListFilters } from "#app/catalogue/browse/read-list-filters.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { readSearch } from "./read-search.ts";
import { tidySearchText } from "./search-text.ts";

/**
 * What the address of a search asks for: the words to look up, and the filters, of which the words may have named some.
 * `campuses`: the names of all. `campusLocation`: the viewer's; null for a visitor.
 */
export function readSearchAddress(
  params: URLSearchParams,
  { campuses, campusLocation }: { campuses: readonly string[]; campusLocation: string | null },
): { words: string; filters: ListFilters } {
  const { words, filters } = readSearch(tidySearchText(params.get("q")), campuses, campusLocation);
  return { words, filters: { ...readListFilters(params, LIST_KINDS.search, FILTER_FACTS), ...filters } };
}
