import { largestPath } from "#app/catalogue/photos/image-sources.ts";
import { publicShopPath } from "#app/public-links.ts";
import { shareMeta } from "#app/ui/sharing/share-meta.ts";
import type { SellerPage } from "./shops.server.ts";

/** The meta tags of a seller's full page. The public page is the canonical one. `origin`: this site's. */
export function sellerMeta({ seller, products }: Pick<SellerPage, "seller" | "products">, origin: string) {
  const cover = products[0]?.image;
  const banner = seller.bannerUrl?.startsWith("/") ? seller.bannerUrl : null;
  const picture = banner ?? (cover ? largestPath(cover) : null);
  const place = seller.campusLocation ? ` at ${seller.campusLocation}` : "";
  return shareMeta({
    title: seller.title,
    description: seller.description?.trim() || `What ${seller.title} sells${place}.`,
    url: origin + publicShopPath({ id: seller.id, title: seller.publicTitle }),
    type: "profile",
    image: picture ? { url: `${origin}${picture}`, alt: seller.title } : null,
  });
}
