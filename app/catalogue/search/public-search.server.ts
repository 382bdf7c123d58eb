import { listCampusNames } from "#app/accounts/profile/campuses.server.ts";
import { type PublicListing, publicProductName } from "#app/catalogue/browse/public-listings.server.ts";
import { STATUS_LABELS } from "#app/catalogue/catalogue-rules.ts";
import type { ProductSummary } from "#app/catalogue/products.server.ts";
import type { Store } from "#app/db/client.ts";
import { readSearchAddress } from "./search-address.ts";
import { lookUpSearch, searchProducts } from "./search.server.ts";

export interface PublicResults {
  listings: PublicListing[];
  /** The next page's cursor; null at the end. */
  next: string | null;
  /** Nothing matches the text, and these have a similar spelling. */
  respelled: boolean;
  /** Nothing matches the text, and these come nearest. */
  isNear: boolean;
}

/** What a member's search at the same address finds, with what visitors may see of it. Three round trips. */
export async function searchPublicly(store: Store, params: URLSearchParams): Promise<PublicResults> {
  const campuses = await listCampusNames(store.db);
  const { words, filters } = readSearchAddress(params, { campuses, campusLocation: null });
  const { vocabulary, table } = await lookUpSearch(store.db, words);
  const after = params.get("after");
  const found = await searchProducts(
    store,
    // Nobody.
    { campus: null, text: words, vocabulary, after, filters },
    table,
  );
  return {
    listings: found.products.map(toPublic),
    next: found.next,
    respelled: found.respelled,
    isNear: found.nearest !== null,
  };
}

/** Copies each field by its name, so that nothing else is public by accident. */
function toPublic({ id, name, price, originalPrice, image, condition, location, stockLabel, status }: ProductSummary) {
  return {
    id,
    name: publicProductName(name),
    price,
    originalPrice: originalPrice ?? null,
    image,
    condition,
    location,
    stockLabel: stockLabel ?? (status === "active" ? null : STATUS_LABELS[status]),
  };
}
