/**
 * The pages of products that lists have loaded, by the entry in the browser's history that showed them. Back finds them
 * again.
 */
import type { ProductPage } from "./browse.server.ts";

export const remembered = new Map<string, ProductPage[]>();
const REMEMBERED_MAX = 20;

export function rememberPages(key: string, pages: ProductPage[]): void {
  remembered.delete(key);
  remembered.set(key, pages);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}

/** The pages of a list whose first page was just loaded. The others have its data of the products that it has, too. */
export function recallPages(key: string, first: ProductPage): ProductPage[] {
  const pages = remembered.get(key) ?? [];
  if (pages.length < 2) return [first];
  const fresh = new Map(first.products.map((product) => [product.id, product]));
  return pages.map((page) => ({ ...page, products: page.products.map((product) => fresh.get(product.id) ?? product) }));
}
