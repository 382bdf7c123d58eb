import "./product.css";
import type { ReactNode } from "react";
import { VerifiedMark } from "#app/accounts/components/verified-mark.tsx";
import { answerText } from "#app/accounts/reliability-rules.ts";
import type { ProductDetail } from "#app/catalogue/products.server.ts";
import { categoryPath, CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { shareableProduct } from "#app/catalogue/share-product.ts";
import { BackButton } from "#app/ui/back-button.tsx";
import { FeaturedMark, StatusBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { Link } from "#app/ui/link.tsx";
import { Price } from "#app/ui/price.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { ShareButton } from "#app/ui/share-button.tsx";
import { PriceSteps } from "./price-steps.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { PhotoGallery } from "./photo-gallery.tsx";

interface ProductViewProps {
  product: ProductDetail;
  /** At the corner of the photo. */
  corner?: ReactNode;
  /** Above the photos. */
  notice?: ReactNode;
  /** The button to message the seller. */
  contact?: ReactNode;
  /** The link to report it. */
  report?: ReactNode;
  /** The buttons to buy it. */
  children: ReactNode;
  /** At the bottom of the screen. */
  more?: ReactNode;
}

/** The screen of a product: photos, facts, description and seller. */
export function ProductView({ product, corner, notice, contact, report, children, more }: ProductViewProps) {
  return (
    <article className="page product">
      <div className="product__top">
        <BackButton otherwise="/studentmarketplace" />
        {!product.hidden && <ShareButton shared={shareableProduct(product)} />}
      </div>
      {notice}
      <div className="split">
        <PhotoGallery key={product.id} images={product.images} name={product.name} corner={corner} />
        <div className="product__words">
          <header className="stack stack--tight">
            <div className="row">
              <Price amount={product.price} original={product.originalPrice} large />
              {(product.stockLabel || product.status !== "active") && (
                <ListingBadge status={product.status} label={product.stockLabel} />
              )}
              {product.wholesale && <StatusBadge tone="blue">Wholesale</StatusBadge>}
            </div>
            <h1>{product.name}</h1>
            <div className="row">
              <Chip>{CONDITION_LABELS[product.condition]}</Chip>
              {product.categoryKey ? (
                <Link className="chip-quiet" to={categoryPath(product.categoryKey)}>
                  {product.category}
                </Link>
              ) : (
                <Chip>{product.category}</Chip>
              )}
              <Chip>{product.location}</Chip>
            </div>
          </header>
          <PriceSteps product={product} />
          {children}
          <p className="product__description">{product.description || "No description available"}</p>
          <SellerBox product={product} contact={contact} />
          {report}
        </div>
      </div>
      {more}
    </article>
  );
}

function SellerBox({ product, contact }: { product: ProductDetail; contact: ReactNode }) {
  const { seller, featured, rating } = product;
  const name = seller.name || "Anonymous Seller";
  return (
    <section className="card product__seller" aria-label="Seller">
      <span className="product__seller-mark" aria-hidden="true">
        {(seller.shopName || name).charAt(0).toUpperCase()}
      </span>
      <div className="product__seller-words">
        <p className="product__seller-name">{name}</p>
        {(VERIFIED.isVerified(seller.level) || featured) && (
          <div className="row row--tight">
            <VerifiedMark level={seller.level} name={seller.verifiedAs} />
            {featured && <FeaturedMark />}
          </div>
        )}
        <p className="quiet">
          {[seller.shopName, seller.campusLocation || "Location not specified"].filter(Boolean).join(" · ")}
        </p>
        <p className="quiet">
          <Rating rating={rating} />
          {seller.answerMs !== null && ` · ${answerText(seller.answerMs)}`}
        </p>
      </div>
      <div className="product__seller-ways">
        {contact}
        <LinkButton to={`/seller/${seller.id}`} variant="soft" tone="gray" icon="store">
          View Shop
        </LinkButton>
      </div>
    </section>
  );
}
