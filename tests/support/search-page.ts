import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { lookUpSearch, type SearchPage, searchProducts } from "#app/catalogue/search/search.server.ts";
import { readSearch } from "#app/catalogue/search/read-search.ts";
import type { Store } from "#app/db/client.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

interface Input {
  text: string;
  after: string | null;
  filters?: Partial<ListFilters>;
  campus?: string | null;
}

/** A page of what a search finds; without products where it shows only what is nearest. */
export async function readSearchPage(store: Store, input: Input): Promise<SearchPage> {
  const page = await readNearestPage(store, input);
  return page.nearest ? { ...page, products: [], next: null } : page;
}

/** A page of results in two round trips, as the app reads it: what it looks up first is read with the viewer. */
export async function readNearestPage(
  store: Store,
  { text, after, filters = {}, campus = null }: Input,
): Promise<SearchPage> {
  const read = readSearch(text, CAMPUSES, campus);
  const { vocabulary, table } = await lookUpSearch(store.db, read.words);
  const asked = { ...NO_LIST_FILTERS, ...read.filters, ...filters };
  return searchProducts(store, { text: read.words, after, campus, filters: asked, vocabulary }, table);
}
