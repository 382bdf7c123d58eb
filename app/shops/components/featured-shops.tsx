import "./shops.css";
import { Link, useNavigate } from "react-router";
import type { ReactNode } from "react";
import { cardSources } from "#app/catalogue/photos/image-sources.ts";
import type { ListedShop } from "#app/shops/shops.server.ts";
import { FeaturedMark } from "#app/ui/badge.tsx";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { EmptyState, ErrorState } from "#app/ui/feedback/state.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { FollowButton, useFollow } from "./follow-button.tsx";

/** The shops on the home page, with their newest products. */
export function FeaturedShops({ shops }: { shops: readonly ListedShop[] }) {
  return (
    <Section>
      {shops.length === 0 ? (
        <EmptyState
          icon="store"
          title="No featured shops found"
          sentence="Shops appear here when they have something for sale."
        />
      ) : (
        <ShopCards shops={shops} level={3} />
      )}
    </Section>
  );
}

/** A grid of shops. `level`: the level of their headings. */
export function ShopCards({ shops, level }: { shops: readonly ListedShop[]; level: 2 | 3 }) {
  return (
    <ul className="featured-shops" role="list">
      {shops.map((shop) => (
        <li key={shop.id}>
          <ShopCard shop={shop} level={level} />
        </li>
      ))}
    </ul>
  );
}

/** Shown when the shops couldn't be loaded. The rest of the home page stays. */
export function FeaturedShopsFailure() {
  return (
    <Section>
      <ErrorState title="Error loading shops: the server did not answer" />
    </Section>
  );
}

export function FeaturedShopsSkeleton() {
  return (
    <Section>
      <ShopCardsSkeleton />
    </Section>
  );
}

/** The skeleton of six shops. */
export function ShopCardsSkeleton() {
  return (
    <div className="featured-shops" role="status" aria-busy="true" aria-label="Loading shops">
      {[0, 1, 2, 3, 4, 5].map((index) => (
        <div key={index} className="shop-card">
          <div className="shop-card__photos">
            {[0, 1, 2].map((photo) => (
              <span key={photo} className="skeleton shop-card__photo" />
            ))}
          </div>
          <div className="shop-card__foot shop-card__foot--waiting" />
        </div>
      ))}
    </div>
  );
}

function Section({ children }: { children: ReactNode }) {
  return (
    <section className="stack featured" aria-labelledby="featured-shops">
      <div className="section-head">
        <h2 id="featured-shops">Featured Shops</h2>
        <Link className="section-head__link" to="/studentmarketplace/shops">
          Explore All Shops
          <Icon name="chevron-right" size="small" />
        </Link>
      </div>
      {children}
    </section>
  );
}

function ShopCard({ shop, level }: { shop: ListedShop; level: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  const navigate = useNavigate();
  const follow = useFollow(shop, () =>
    toast.success(`You follow ${shop.name}`, {
      duration: 6000,
      action: { label: "See what they list", onPress: () => void navigate("/following") },
    }),
  );
  return (
    <article className="shop-card" aria-label={shop.name}>
      {shop.featured && (
        <div className="shop-card__mark">
          <FeaturedMark />
        </div>
      )}
      {shop.products.length === 0 ? (
        <p className="shop-card__photos shop-card__photos--none">Nothing for sale right now</p>
      ) : (
        <ul className="shop-card__photos" role="list" data-count={shop.products.length}>
          {shop.products.map(({ id, name, price, image }) => (
            <li key={id} className="shop-card__photo">
              {/* With the keyboard a card has two stops: its shop, which has these, and Follow. */}
              <Link to={`/product/${id}`} viewTransition tabIndex={-1} aria-label={`${name}, ${formatPrice(price)}`}>
                <Photo {...cardSources(image)} alt="" fill flat />
                <span className="shop-card__price">{formatPrice(price)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="shop-card__foot">
        {shop.logoUrl !== null && <Avatar name={shop.name} url={shop.logoUrl} className="shop-card__logo" />}
        <div className="shop-card__words">
          <Heading className="shop-card__name">
            <Link to={`/seller/${shop.id}`}>{shop.name}</Link>
          </Heading>
          <p className="shop-card__facts">
            {shop.campusLocation || "Not specified"} · <Rating rating={shop.rating} />
          </p>
        </div>
        {!shop.own && <FollowButton shop={shop} follow={follow} small />}
      </div>
    </article>
  );
}
