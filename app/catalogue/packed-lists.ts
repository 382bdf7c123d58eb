/** Lists of the catalogue on their way to the browser, as short texts (packed-rows.ts). */
import { packRows, unpackRows } from "#app/platform/packed-rows.ts";
import type { Category, ListedProduct } from "./browse.server.ts";

/** Products as text, from `packProducts`. */
export type PackedProducts = string & { readonly packed: "products" };

/** Categories as text, from `packCategories`. */
export type PackedCategories = string & { readonly packed: "categories" };

/** A page of products, whatever else it has, with the products packed. */
export type Packed<Page extends { products: readonly ListedProduct[] }> = Omit<Page, "products"> & {
  products: PackedProducts;
};

export function packPage<Page extends { products: readonly ListedProduct[] }>(page: Page): Packed<Page> {
  return { ...page, products: packProducts(page.products) };
}

export function unpackPage<Page extends { products: PackedProducts }>(page: Page) {
  return { ...page, products: unpackProducts(page.products) };
}

/** The fields of the picture become fields of the product. */
const OF_IMAGE = "image.";

export function packProducts(products: readonly ListedProduct[]): PackedProducts {
  const rows = products.map(({ image, ...fields }) => {
    const row: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(image ?? {})) row[OF_IMAGE + name] = value;
    return Object.assign(row, fields);
  });
  return packRows(rows) as PackedProducts;
}

export function unpackProducts(packed: PackedProducts): ListedProduct[] {
  return unpackRows(packed).map((row) => {
    const fields: Record<string, unknown> = {};
    const image: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row)) {
      if (name.startsWith(OF_IMAGE)) image[name.slice(OF_IMAGE.length)] = value;
      else fields[name] = value;
    }
    return { ...fields, image: image.key ? image : null } as unknown as ListedProduct;
  });
}

export function packCategories(categories: readonly Category[]): PackedCategories {
  return packRows(categories) as PackedCategories;
}

export function unpackCategories(packed: PackedCategories): Category[] {
  return unpackRows(packed) as unknown as Category[];
}
