import type { ListedProduct } from "#app/catalogue/browse/browse.server.ts";
import { remembered } from "#app/catalogue/browse/remembered-pages.ts";

/** Notes in remembered lists what an owner has changed. Back loads only a list's first page again. */
export function changeRemembered(
  id: string,
  change: Partial<Pick<ListedProduct, "status" | "stock" | "updatedAt">>,
): void {
  for (const [key, pages] of remembered) {
    const changed = pages.map((page) => ({
      ...page,
      products: page.products.map((product) => (product.id === id ? { ...product, ...change } : product)),
    }));
    remembered.set(key, changed);
  }
}
