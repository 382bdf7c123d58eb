import { CAMPUSES } from "#app/catalogue/labels.ts";
import type { ListFilters } from "#app/catalogue/browse/list-filters.ts";
import { readListFilters } from "#app/catalogue/browse/read-list-filters.ts";
import { readSearch } from "./read-search.ts";
import { tidySearchText } from "./search-text.ts";

/**
 * What the address of a search asks for: the words to look up, and the filters, of which the words may have named some.
 * `ownCampus`: the viewer's.
 */
export function readSearchAddress(
  params: URLSearchParams,
  ownCampus: string | null,
): { words: string; filters: ListFilters } {
  const { words, filters } = readSearch(tidySearchText(params.get("q")), CAMPUSES, ownCampus);
  return { words, filters: { ...readListFilters(params), ...filters } };
}
