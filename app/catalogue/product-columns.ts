/**
 * Lists of products on their way to the browser. A page carries each product twice, as HTML and as data for the scripts,
 * so the data is one short text: JSON by columns, `{"name":"Desk\\nLamp","price":[900,400],"status":["active"]}`. It names
 * each field once instead of once a product, and compresses to half of what the objects take.
 */
import type { ListedProduct } from "./browse.server.ts";

/** Products as text, from `packProducts`. */
export type PackedProducts = string & { readonly packed: "products" };

/** A page of products, whatever else it has, with the products packed. */
export type Packed<Page extends { products: readonly ListedProduct[] }> = Omit<Page, "products"> & {
  products: PackedProducts;
};

type Row = Record<string, unknown>;
/** The values of a field: one that all rows share, all of them, or texts in lines. */
type Column = [unknown] | unknown[] | string;

interface Packet {
  count: number;
  fields: Record<string, Column>;
  images: Record<string, Column>;
}

export function packPage<Page extends { products: readonly ListedProduct[] }>(page: Page): Packed<Page> {
  return { ...page, products: packProducts(page.products) };
}

export function unpackPage<Page extends { products: PackedProducts }>(page: Page) {
  return { ...page, products: unpackProducts(page.products) };
}

export function packProducts(products: readonly ListedProduct[]): PackedProducts {
  const packet: Packet = {
    count: products.length,
    fields: toColumns(products.map(({ image: _image, ...fields }) => fields)),
    images: toColumns(products.map(({ image }) => image && { ...image, widths: image.widths.join(" ") })),
  };
  return JSON.stringify(packet) as PackedProducts;
}

export function unpackProducts(packed: PackedProducts): ListedProduct[] {
  const { count, fields, images } = JSON.parse(packed) as Packet;
  const photos = toRows(images, count);
  return toRows(fields, count).map((row, at) => {
    const image = photos[at];
    const widths = String(image?.widths).split(" ").map(Number);
    return { ...row, image: image?.key ? { ...image, widths } : null } as unknown as ListedProduct;
  });
}

/** A field that only some rows have is null in the others. */
function toColumns(rows: readonly (object | null)[]): Record<string, Column> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))];
  return Object.fromEntries(
    names.map((name) => [name, toColumn(rows.map((row) => (row as Row | null)?.[name] ?? null))]),
  );
}

function toColumn(values: unknown[]): Column {
  const [first] = values;
  if (typeof first !== "object" || first === null) if (values.every((value) => value === first)) return [first];
  return values.every((value) => typeof value === "string" && !value.includes("\n")) ? values.join("\n") : values;
}

function fromColumn(column: Column): unknown[] {
  return typeof column === "string" ? column.split("\n") : column;
}

function toRows(columns: Record<string, Column>, count: number): Row[] {
  const fields = Object.entries(columns).map(([name, column]) => [name, fromColumn(column)] as const);
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values.length === 1 ? values[0] : values[at]])),
  );
}
