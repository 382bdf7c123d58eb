import "./shops.css";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { bannerPhoto } from "#app/shops/banner.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";

const SIZES = "(max-width: 1200px) 100vw, 1200px";

/** A shop's banner. Without one it is a plain band of colour. One that fails to load shows the placeholder. */
export function ShopBanner({ url }: { url: string | null }) {
  if (!url) return <div className="shop-banner shop-banner--plain" />;
  const { srcSet } = { srcSet: undefined, ...imageSources(bannerPhoto(url), SIZES) };
  return (
    <div className="shop-banner">
      <Photo src={url} srcSet={srcSet} sizes={SIZES} alt="" fill flat priority />
    </div>
  );
}
