import {
  type ListFilters,
  listPath,
  NO_LIST_FILTERS,
  SEARCH,
  writeListFilters,
} from "#app/catalogue/browse/list-filters.ts";
import { LIST_KINDS } from "#app/catalogue/browse/list-kinds.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { readListFilters } from "#app/catalogue/browse/read-list-filters.ts";

/** What is searched for: words without what reads as filters, and filters. */
export interface Saved {
  words: string;
  filters: ListFilters;
}

/**
 * The query of a saved search's address, which names it. The same search always makes the same; the order is no part of
 * it.
 */
export function writeSaved({ words, filters }: Saved): string {
  const params = writeListFilters({ ...filters, sort: NO_LIST_FILTERS.sort });
  return new URLSearchParams([...(words ? [["q", words.toLowerCase()]] : []), ...params]).toString();
}

export function readSaved(address: string): Saved {
  const params = new URLSearchParams(address);
  return { words: params.get("q") ?? "", filters: readListFilters(params, LIST_KINDS.search, FILTER_FACTS) };
}

/** Whether we still know all that a saved search asks for. Without a choice that is gone, it would find far more. */
export function isKnown(address: string): boolean {
  return writeSaved(readSaved(address)) === address;
}

/** Where a saved search is opened. */
export function savedPath(address: string): string {
  const { words, filters } = readSaved(address);
  return listPath({ ...SEARCH, words }, filters);
}
