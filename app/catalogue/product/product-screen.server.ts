import { type ProductSummary, toSummary } from "#app/catalogue/products.server.ts";
import { read } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { findProductPage, type ProductPageData } from "./product-page.server.ts";
import { SIMILAR, SIMILAR_SHOWN } from "./similar.server.ts";

/** What a member's page of a product shows. */
export interface ProductScreenData extends ProductPageData {
  /** Others like it, without those that stand in `more`. */
  similar: ProductSummary[];
}

/** The product with the seller's others and those like it, or null. */
export async function openProductScreen(
  store: Store,
  productId: string,
  viewerId: string,
): Promise<ProductScreenData | null> {
  const [page, alike] = await Promise.all([
    findProductPage(store, productId, viewerId),
    read(store.db, SIMILAR({ productId, viewerId, now: store.now() })),
  ]);
  if (!page) return null;
  const listed = new Set(page.more.map(({ id }) => id));
  const similar = alike.filter(({ id }) => !listed.has(id)).slice(0, SIMILAR_SHOWN);
  return { ...page, similar: similar.map(toSummary) };
}
