import { publicProductPath } from "#app/public-links.ts";
import type { Shareable } from "#app/ui/sharing/share-texts.ts";

export function shareableProduct({ id, name, price }: { id: string; name: string; price: number }) {
  return {
    name,
    price,
    path: publicProductPath({ id, name }),
    posterPath: `/product/${id}/poster`,
  } satisfies Shareable;
}
