import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { publicProductName } from "./public-listings.server.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";
import { COVER, FOR_SALE, NEWEST_FIRST } from "#app/catalogue/listing-columns.server.ts";

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
  const rows = await read(
    db,
    build
      .select({ id: productRow.id, name: productRow.name, price: productRow.price, image: COVER })
      .from(productRow)
      .where(FOR_SALE)
      .orderBy(...NEWEST_FIRST)
      .limit(LOOKED_AT),
  );
  return rows
    .map(({ image, ...row }) => ({ ...row, name: publicProductName(row.name), image: image && toShown(image) }))
    .toSorted((one, other) => Number(other.image !== null) - Number(one.image !== null))
    .slice(0, PREVIEWED);
}
