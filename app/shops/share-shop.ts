import { publicShopPath } from "#app/public-links.ts";
import type { Shareable } from "#app/ui/sharing/share-texts.ts";

/** `id` is the seller's. */
export function shareableShop({ id, publicTitle }: { id: string; publicTitle: string }): Shareable {
  return {
    name: publicTitle,
    price: null,
    path: publicShopPath({ id, title: publicTitle }),
    posterPath: `/seller/${id}/poster`,
  };
}
