import type { Thing } from "schema-dts";
import { sellerData } from "#app/accounts/profile/seller-data.ts";
import { publicCampusPath, publicShopPath } from "#app/public-links.ts";
import type { Crumb } from "#app/ui/page/breadcrumbs.tsx";
import { brandPicture, shareMeta } from "#app/ui/sharing/share-meta.ts";
import { breadcrumbData, structuredData } from "#app/ui/page/structured-data.ts";
import type { PublicShop } from "./public-shop.server.ts";

/** The way to a shop: its campus and the shop itself. */
export function shopCrumbs({
  id,
  title,
  campusLocation: campus,
  isOnList,
}: Pick<PublicShop, "id" | "title" | "campusLocation" | "isOnList">): Crumb[] {
  return [
    ...(campus !== null && isOnList ? [{ name: campus, path: publicCampusPath(campus) }] : []),
    { name: title, path: publicShopPath({ id, title }) },
  ];
}

/** The meta tags of a shop's public page. `origin`: this site's. */
export function publicShopMeta(shop: PublicShop, origin: string) {
  const { title, campusLocation } = shop;
  const things: Thing[] = [sellerData(shop, origin), ...breadcrumbData(shopCrumbs(shop), origin)];
  return [
    ...shareMeta({
      title,
      description: shop.description ?? `What ${title} sells${campusLocation ? ` at ${campusLocation}` : ""}.`,
      url: origin + publicShopPath(shop),
      type: "profile",
      image: brandPicture(origin),
    }),
    structuredData(things),
  ];
}
