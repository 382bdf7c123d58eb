import "./product.css";
import { Link } from "react-router";
import type { ReactNode } from "react";
import { LevelMark } from "#app/accounts/components/level-mark.tsx";
import { categoryPath, CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import type { ProductPageSummary } from "#app/catalogue/product/product-page-summary.server.ts";
import { shareableProduct } from "#app/catalogue/product/share-product.ts";
import type { ProductDetail } from "#app/catalogue/products.server.ts";
import { BackButton } from "#app/ui/page/back-button.tsx";
import { FeaturedMark, StatusBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { Price } from "#app/ui/price.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";
import { PhotoGallery } from "#app/catalogue/photos/components/photo-gallery.tsx";
import { PriceSteps } from "./price-steps.tsx";

interface ProductViewProps {
  product: ProductDetail;
  summary: ProductPageSummary;
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
export function ProductView({ product, summary, corner, notice, contact, report, children, more }: ProductViewProps) {
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
              {summary.badge && <StatusBadge tone={summary.badge.tone}>{summary.badge.text}</StatusBadge>}
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
          {product.wholesale && <PriceSteps product={product} />}
          {children}
          <p className="product__description">{product.description || "No description available"}</p>
          {contact !== undefined && <TextWarning>{summary.warning}</TextWarning>}
          <SellerBox product={product} summary={summary} contact={contact} />
          {report}
        </div>
      </div>
      {more}
    </article>
  );
}

function SellerBox({
  product: { seller, featured, rating },
  summary: { verified, answers },
  contact,
}: Pick<ProductViewProps, "product" | "summary" | "contact">) {
  const name = seller.name || "Anonymous Seller";
  return (
    <section className="card product__seller" aria-label="Seller">
      <span className="product__seller-mark" aria-hidden="true">
        {(seller.shopName || name).charAt(0).toUpperCase()}
      </span>
      <div className="product__seller-words">
        <p className="product__seller-name">{name}</p>
        {(verified || featured) && (
          <div className="row row--tight">
            {verified && <LevelMark level={verified} name={seller.verifiedAs} />}
            {featured && <FeaturedMark />}
          </div>
        )}
        <p className="quiet">
          {[seller.shopName, seller.campusLocation || "Location not specified"].filter(Boolean).join(" · ")}
        </p>
        <p className="quiet">
          <Rating rating={rating} />
          {answers && ` · ${answers}`}
        </p>
      </div>
      <div className="product__seller-ways">
        {contact}
        <LinkButton to={`/seller/${seller.id}`} variant="soft" icon="store">
          View Shop
        </LinkButton>
      </div>
    </section>
  );
}
