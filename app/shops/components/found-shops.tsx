import "./found-shops.css";
import { Link } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import type { FoundShop } from "#app/catalogue/search/search.server.ts";
import { bannerPhoto } from "#app/shops/banner.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { Rating } from "#app/ui/rating.tsx";

const SIZES = "96px";

/** Shops whose names have the words of a search, in a row above its products. */
export function FoundShops({ shops }: { shops: readonly FoundShop[] }) {
  if (shops.length === 0) return null;
  return (
    <ul className="found-shops" role="list" aria-label="Shops">
      {shops.map(({ id, name, logoUrl, bannerUrl, rating }) => (
        <li key={id}>
          <Link className="found-shop" to={`/seller/${id}`}>
            <span className="found-shop__picture">
              {logoUrl !== null ? (
                <Photo src={logoUrl} alt="" fill flat />
              ) : bannerUrl === null ? (
                <Icon name="store" />
              ) : (
                <Photo
                  {...{ srcSet: undefined, ...imageSources(bannerPhoto(bannerUrl), SIZES) }}
                  src={bannerUrl}
                  alt=""
                  fill
                  flat
                />
              )}
            </span>
            <span className="found-shop__words">
              <span className="found-shop__name">{name}</span>
              <span className="quiet small">
                <Rating rating={rating} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
