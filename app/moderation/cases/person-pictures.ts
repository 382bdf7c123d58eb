import { portraitPhoto } from "#app/catalogue/photos/portraits.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { bannerPhoto } from "#app/shops/banner.ts";

/** The pictures of a person and their shop, from the paths that are kept of them. */
export function picturesOf({
  photo,
  logo,
  banner,
}: Record<"photo" | "logo" | "banner", string | null>): ProductImage[] {
  return [portraitPhoto(photo), portraitPhoto(logo), bannerPhoto(banner)].flatMap((picture) => picture ?? []);
}
