import { runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { BrowseInput } from "#app/catalogue/browse/browse.server.ts";
import { lookUpVocabulary, type SearchPage, searchProducts } from "#app/catalogue/search/search.server.ts";

/** A page of results in two round trips, as the app reads it: the word list first, which a page reads with its viewer. */
export async function readSearchPage(store: Store, input: BrowseInput & { text: string }): Promise<SearchPage> {
  const lookup = lookUpVocabulary(input.text);
  const answers = lookup.statements.length > 0 ? await runBatch(store.db, lookup.statements) : [];
  return searchProducts(store, { ...input, vocabulary: lookup.read(answers) });
}
