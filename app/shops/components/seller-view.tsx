import "./shops.css";
import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { holidayText } from "#app/accounts/profile/holiday.ts";
import { VerifiedMark } from "#app/accounts/components/verified-mark.tsx";
import { answerText, recordTexts } from "#app/accounts/trust/reliability-rules.ts";
import { ListControls, type ListControlsProps, NoneMatch } from "#app/catalogue/browse/components/list-controls.tsx";
import { hasNone, listPath, sellerList } from "#app/catalogue/browse/list-filters.ts";
import { ProductFeed } from "#app/catalogue/browse/components/product-feed.tsx";
import type { CardParts } from "#app/catalogue/browse/components/product-card.tsx";
import type { ProductSummary } from "#app/catalogue/products.server.ts";
import { shareableShop } from "#app/shops/share-shop.ts";
import { countOf } from "#app/shops/shop-rules.ts";
import type { Following, SellerPage, SellerProfile } from "#app/shops/shops.server.ts";
import { FeaturedMark, StatusBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { pageTitle } from "#app/ui/page/page-meta.ts";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { FollowButton, useFollow } from "./follow-button.tsx";
import { FollowForVisitors } from "./follow-for-visitors.tsx";
import { RatingDistribution } from "./rating-distribution.tsx";
import { ShopBanner } from "./shop-banner.tsx";

interface SellerViewProps {
  page: SellerPage & Pick<ListControlsProps, "unreadable">;
  /** Null for a visitor. */
  viewerId: string | null;
  cardParts: (product: ProductSummary) => CardParts;
  /** The newest reviews, with a link to all of them. Leave it out when there are none. */
  reviews?: ReactNode;
  /** The link to report the seller. */
  report?: ReactNode;
}

/** From so many listings on, filters help. */
const MANY = 8;

/** A seller's page: their shop and their products for sale. */
export function SellerView({ page, viewerId, cardParts, reviews, report }: SellerViewProps) {
  const { seller, filters } = page;
  const list = sellerList(seller.id);
  useEffect(() => {
    // The seller's name may still be loading.
    document.title = pageTitle(seller.title);
  }, [seller.title]);
  return (
    <div className="page seller">
      <ShopBanner url={seller.bannerUrl} />
      <ShopFront key={seller.id} seller={seller} viewerId={viewerId} />
      {(seller.distribution.length > 0 || reviews) && (
        <section className="stack seller-reviews" aria-labelledby="reviews-of-seller">
          <h2 id="reviews-of-seller">Reviews</h2>
          <div className="seller-reviews__body">
            {seller.distribution.length > 0 && <RatingDistribution shares={seller.distribution} />}
            {reviews && <div>{reviews}</div>}
          </div>
        </section>
      )}
      <section className="stack" aria-labelledby="products-by-seller">
        <h2 id="products-by-seller">Products by this Seller</h2>
        {viewerId !== null && (!hasNone(filters) || page.next !== null || page.products.length >= MANY) && (
          <ListControls
            list={list}
            filters={filters}
            facts={page.facts}
            unreadable={page.unreadable}
            prices={page.products.map(({ price }) => price)}
          />
        )}
        <ProductFeed
          label="Products by this Seller"
          first={page}
          path={listPath(list, filters)}
          // Nobody can buy from a seller on holiday.
          cardParts={(product) => ({ ...cardParts(product), ...(seller.awayUntil !== null && { action: undefined }) })}
          empty={
            !hasNone(filters) ? (
              <NoneMatch list={list} />
            ) : (
              <EmptyState
                icon="package"
                title="This seller has no active products at the moment."
                sentence="Come back later, or browse other sellers."
                action={
                  <LinkButton to="/studentmarketplace" variant="soft">
                    Back to Marketplace
                  </LinkButton>
                }
              />
            )
          }
        />
      </section>
      {report}
    </div>
  );
}

function ShopFront({ seller, viewerId }: { seller: SellerProfile; viewerId: string | null }) {
  return (
    <header className="shop-front">
      <Avatar name={seller.title} url={seller.pictureUrl} large className="shop-front__mark" />
      <div className="shop-front__words">
        <div className="row">
          <h1>{seller.title}</h1>
          <VerifiedMark level={seller.level} name={seller.verifiedAs} />
          {seller.featured && <FeaturedMark />}
        </div>
        <p className="shop-front__fact">
          <Icon name="map-pin" size="small" />
          {seller.campusLocation || "Not specified"}
        </p>
        {seller.awayUntil !== null && (
          <p className="shop-front__away">
            <StatusBadge tone="orange">{`On ${holidayText(seller.awayUntil)}`}</StatusBadge>
          </p>
        )}
      </div>
      <ShopActions seller={seller} viewerId={viewerId} />
      <Reliability seller={seller} />
      {seller.description && <p className="shop-front__description">{seller.description}</p>}
      <ShopFacts seller={seller} />
      <TextWarning>{seller.warning}</TextWarning>
    </header>
  );
}

/** Rating, followers, and the buttons to follow and share. */
function ShopActions({ seller, viewerId }: { seller: SellerProfile; viewerId: string | null }) {
  const { id, title, shop } = seller;
  if (!shop) {
    return (
      <div className="shop-front__ways">
        <ShareButton shared={shareableShop(seller)} />
      </div>
    );
  }
  if (viewerId === null || viewerId === id) {
    return (
      <>
        <RatingAndFollowers rating={seller.rating} followers={shop.followers} />
        <div className="shop-front__ways">
          {viewerId === null ? (
            <FollowForVisitors shop={{ id, name: title }} />
          ) : (
            <LinkButton to="/myshop" icon="store">
              My Shop
            </LinkButton>
          )}
          <ShareButton shared={shareableShop(seller)} />
        </div>
      </>
    );
  }
  return <Followable seller={seller} shop={shop} />;
}

function Followable({ seller, shop }: { seller: SellerProfile; shop: Following }) {
  const { id, title, rating } = seller;
  const followed = { id, name: title, follows: shop.follows };
  const follow = useFollow(followed);
  return (
    <>
      <RatingAndFollowers rating={rating} followers={shop.followers + Number(follow.follows) - Number(shop.follows)} />
      <div className="shop-front__ways">
        <FollowButton shop={followed} follow={follow} />
        <ShareButton shared={shareableShop(seller)} />
      </div>
      {follow.follows && (
        <p className="shop-front__followed small">
          You follow {title}.{" "}
          <Link className="text-link" to="/following">
            See what they list
          </Link>
        </p>
      )}
    </>
  );
}

function RatingAndFollowers({ rating, followers }: { rating: SellerProfile["rating"]; followers: number }) {
  return (
    <p className="shop-front__standing">
      <span>
        <Rating rating={rating} />
      </span>
      <span>{countOf(followers, "follower", "followers")}</span>
    </p>
  );
}

/** How the seller has answered and delivered, from enough data on. */
function Reliability({ seller: { answerMs, record, meetings } }: { seller: SellerProfile }) {
  const facts = [
    ...(answerMs === null ? [] : [answerText(answerMs)]),
    ...recordTexts(record),
    ...(meetings === null ? [] : [meetings]),
  ];
  if (facts.length === 0) return null;
  return (
    <ul className="shop-front__reliability" role="list" aria-label="Reliability">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

/** The details that the shop has filled in. */
function ShopFacts({ seller }: { seller: SellerProfile }) {
  const { offersDelivery, preferredContact, email, hours, policies } = seller;
  if (!offersDelivery && !preferredContact && !email && !hours && !policies) return null;
  return (
    <div className="shop-facts">
      {offersDelivery && <p className="shop-facts__delivery">✓ Offers delivery</p>}
      <dl className="shop-facts__list" hidden={!preferredContact && !email}>
        {preferredContact && <Fact name="Preferred contact">{preferredContact}</Fact>}
        {email && (
          <Fact name="Email">
            <a className="text-link" href={`mailto:${email}`}>
              <EmailAddress address={email} />
            </a>
          </Fact>
        )}
      </dl>
      {(hours || policies) && (
        <details className="shop-facts__more">
          <summary>Hours and policies</summary>
          <dl className="shop-facts__list">
            {hours && <Fact name="Hours">{hours}</Fact>}
            {policies && <Fact name="Policies">{policies}</Fact>}
          </dl>
        </details>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="shop-facts__fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The skeleton of a seller's page with 4 products. */
export function SellerSkeleton() {
  return (
    <div className="page seller">
      <div className="shop-banner skeleton" />
      <div className="shop-front" aria-hidden="true">
        <span className="avatar shop-front__mark" />
        <div className="shop-front__words">
          <Skeleton shape="title" />
          <Skeleton shape="text" className="skeleton--short" />
        </div>
      </div>
      <ProductGridSkeleton count={4} />
    </div>
  );
}
