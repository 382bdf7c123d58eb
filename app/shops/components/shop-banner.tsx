import "./shops.css";
import { Photo } from "#app/ui/photo.tsx";

/** Our own banners come in two widths, px. */
const OURS = /^\/files\/img\/[0-9a-f]+\/1600\.webp$/;

/** A shop's banner. Without one it is a plain band of colour. One that fails to load shows the placeholder. */
export function ShopBanner({ url }: { url: string | null }) {
  if (!url) return <div className="shop-banner shop-banner--plain" />;
  return (
    <div className="shop-banner">
      <Photo
        src={url}
        srcSet={OURS.test(url) ? `${url.replace("1600.webp", "800.webp")} 800w, ${url} 1600w` : undefined}
        sizes="(max-width: 1200px) 100vw, 1200px"
        alt=""
        fill
        flat
        priority
      />
    </div>
  );
}
