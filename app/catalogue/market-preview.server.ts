import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import type { ShownImage } from "./image-sources.ts";
import { publicProductName } from "./public-listings.server.ts";
import { FOR_SALE, toShown } from "./products.server.ts";

/** What visitors may see of a product: nothing about its seller. Price in KES. */
export interface PreviewedProduct {
  id: string;
  name: string;
  price: number;
  image: ShownImage | null;
}

const PREVIEWED = 4;
/** How many of the newest listings are read to find enough with a photo. */
const LOOKED_AT = 24;

/** The newest products for sale, those with a photo first, at most four. Reads at most 24 rows by an index. */
export async function listMarketPreview(db: Database): Promise<PreviewedProduct[]> {
  const rows = await db.all<Omit<PreviewedProduct, "image"> & { image: string | null }>(
    sql`SELECT p.id, p.name, p.price, json_extract(p.images, '$[0]') AS image FROM products p
      WHERE ${FOR_SALE} ORDER BY p.created_at DESC, p.id DESC LIMIT ${LOOKED_AT}`,
  );
  return rows
    .map(({ image, ...row }) => ({
      ...row,
      name: publicProductName(row.name),
      image: image ? toShown(JSON.parse(image) as ProductImage) : null,
    }))
    .toSorted((one, other) => Number(other.image !== null) - Number(one.image !== null))
    .slice(0, PREVIEWED);
}
