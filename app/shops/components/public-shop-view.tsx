import "./public-shop.css";
import { VerifiedMark } from "#app/accounts/components/verified-mark.tsx";
import { publicAwayText } from "#app/accounts/profile/holiday.ts";
import { NewListings, PublicListings, SeeAll } from "#app/catalogue/browse/components/public-list-view.tsx";
import { publicPhoto } from "#app/catalogue/photos/components/public-photo.ts";
import type { PublicListing } from "#app/catalogue/browse/public-listings.server.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { shopCrumbs } from "#app/shops/public-shop-meta.ts";
import type { PublicShop, PublicShopPage } from "#app/shops/public-shop.server.ts";
import { FeaturedMark } from "#app/ui/badge.tsx";
import { Breadcrumbs } from "#app/ui/page/breadcrumbs.tsx";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { Rating } from "#app/ui/rating.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";

const BANNER_SIZES = "(max-width: 1200px) 100vw, 1200px";

/** The public page of a shop. It works without scripts. */
export function PublicShopView({ shop, listings }: { shop: PublicShop; listings: readonly PublicListing[] }) {
  const { title, awayUntil } = shop;
  const crumbs = shopCrumbs(shop).slice(0, -1);
  const saver = useDataSaver();
  return (
    <div className="page stack stack--loose">
      <header className="stack stack--tight">
        {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} current={title} />}
        {shop.banner && (
          <img
            {...publicPhoto(shop.banner, { sizes: BANNER_SIZES, saver, priority: true })}
            className="public-shop__banner"
            alt=""
          />
        )}
        {shop.logoUrl !== null && <Avatar name={title} url={shop.logoUrl} large className="public-shop__logo" />}
        <h1 className="public-shop__title">{title}</h1>
        {(VERIFIED.isVerified(shop.level) || shop.featured) && (
          <div className="row row--tight">
            <VerifiedMark level={shop.level} name={shop.verifiedAs} />
            {shop.featured && <FeaturedMark />}
          </div>
        )}
        <p className="quiet">
          {shop.seller && `Sold by ${shop.seller} · `}
          {shop.campusLocation && `${shop.campusLocation} · `}
          <Rating rating={shop.rating} />
        </p>
        {awayUntil !== null && <Callout tone="orange">{publicAwayText({ seller: title, until: awayUntil })}</Callout>}
        {shop.description && <p className="public-shop__description">{shop.description}</p>}
        <TextWarning>{shop.warning}</TextWarning>
      </header>
      {listings.length > 0 ? (
        <PublicListings label={`Products of ${title}`} listings={listings} />
      ) : (
        <EmptyState
          icon="package"
          title="Nothing for sale at the moment"
          sentence="Come back later, or have a look at what others sell."
        />
      )}
      <SeeAll path={`/seller/${shop.id}`} />
    </div>
  );
}

/** In the place of a shop that can't be shown. */
export function MissingShop({ state, listings }: Extract<PublicShopPage, { state: "gone" | "unknown" }>) {
  return (
    <div className="page stack stack--loose">
      {state === "gone" ? (
        <EmptyState
          level={1}
          icon="store"
          title="This shop is no longer here"
          sentence="Have a look at what others are selling."
        />
      ) : (
        <EmptyState
          level={1}
          icon="search-x"
          title="We can't find this shop"
          sentence="Please check that you have the whole link. Or have a look at what is new."
        />
      )}
      <NewListings listings={listings} />
    </div>
  );
}
