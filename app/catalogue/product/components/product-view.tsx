import "./product.css";
import { Link } from "react-router";
import type { ReactNode } from "react";
import { categoryPath, CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import type { ProductPageSummary } from "#app/catalogue/product/product-page-summary.server.ts";
import { shareableProduct } from "#app/catalogue/product/share-product.ts";
import type { ProductDetail } from "#app/catalogue/product/product-page.server.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { BackButton } from "#app/ui/page/back-button.tsx";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Price } from "#app/ui/price.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";
import { PhotoGallery } from "#app/catalogue/photos/components/photo-gallery.tsx";
import { FactsList } from "./facts-list.tsx";
import { MoneyPromise } from "./money-promise.tsx";
import { PriceSteps } from "./price-steps.tsx";
import { SellerRow } from "./seller-row.tsx";

interface ProductViewProps {
  product: ProductDetail;
  summary: ProductPageSummary;
  /** The button to save it, on the photo. */
  heart?: ReactNode;
  /** What has just happened with it, before anything else. */
  moment?: ReactNode;
  /** Why only its seller sees it. */
  hidden?: ReactNode;
  /** What matters before anything else: why it can't be bought now, or the viewer's own offer. */
  notice?: ReactNode;
  /** What such a thing usually goes for, in words; null where nobody knows. */
  guide: string | null;
  /** Whether the viewer is its seller. */
  isOwner: boolean;
  /** The box to write to the seller, for browsers without scripts. */
  messageBox?: ReactNode;
  /** The link to report it. */
  report?: ReactNode;
  /** The buttons to buy it. */
  children: ReactNode;
  /** At the bottom of the screen. */
  more?: ReactNode;
}

/** The screen of a product: its photos, its seller, what a buyer needs to decide, and the description. */
export function ProductView(props: ProductViewProps) {
  const { product, summary, heart, moment, hidden, notice, guide, isOwner, messageBox, report, children, more } = props;
  return (
    <article className="page product">
      {moment}
      {hidden}
      <div className="split">
        <PhotoGallery
          key={product.id}
          images={product.images}
          name={product.name}
          back={<BackButton otherwise="/studentmarketplace" className="gallery__disc" />}
          tools={
            <>
              {!product.hidden && (
                <ShareButton shared={shareableProduct(product)} compact variant="ghost" className="gallery__disc" />
              )}
              {heart}
            </>
          }
        />
        <div className="product__words">
          {notice && <div className="product__notice">{notice}</div>}
          <ProductHeader product={product} summary={summary} guide={guide} isOwner={isOwner} />
          {product.wholesale && <PriceSteps product={product} />}
          {children}
          <p className="product__description">{product.description || "No description available"}</p>
          {!isOwner && <TextWarning>{summary.warning}</TextWarning>}
          {messageBox}
          {report}
        </div>
      </div>
      {more}
    </article>
  );
}

function ProductHeader({
  product,
  summary,
  guide,
  isOwner,
}: Pick<ProductViewProps, "product" | "summary" | "guide" | "isOwner">) {
  const { seller } = product;
  const name = seller.name || "Anonymous Seller";
  const canBeBought = summary.handover !== null;
  const fee = isOwner ? summary.sellerFeeText : summary.buyerFeeText;
  const agreed = summary.offer?.isAccepted ? product.ownOffer : null;
  return (
    <header className="stack stack--tight">
      <div className="row">
        <Price
          amount={agreed?.amount ?? product.price}
          original={agreed ? product.price : product.originalPrice}
          large
        />
        {summary.badge && <StatusBadge tone={summary.badge.tone}>{summary.badge.text}</StatusBadge>}
        {product.wholesale && <StatusBadge tone="blue">Wholesale</StatusBadge>}
      </div>
      {guide && <p className="quiet small">{withWholeAmounts(guide)}</p>}
      {fee && <p className="quiet small">{withWholeAmounts(fee)}</p>}
      <h1>{withWholeAmounts(product.name)}</h1>
      <SellerRow
        href={`/seller/${seller.id}`}
        name={name}
        picture={{ name: seller.shopName || name, url: seller.pictureUrl }}
        verified={summary.verified}
        verifiedAs={seller.verifiedAs}
        featured={product.featured}
        rating={product.rating}
        facts={[seller.shopName, seller.campusLocation || "Location not specified"]}
        answers={summary.answers}
      />
      {canBeBought && !isOwner && product.price > 0 && <MoneyPromise text={summary.promise} />}
      <div className="row product__facts">
        {product.condition && <Chip>{CONDITION_LABELS[product.condition]}</Chip>}
        {product.location && <Chip>{product.location}</Chip>}
        <span className="quiet small">{summary.listed}</span>
        {product.categoryKey ? (
          <Link className="chip-quiet" to={categoryPath(product.categoryKey)}>
            {product.category}
          </Link>
        ) : (
          <Chip>{product.category}</Chip>
        )}
      </div>
      <FactsList facts={product.facts} />
      {canBeBought && (
        <p className="product__handover">
          <Icon name={seller.offersDelivery ? "truck" : "map-pin"} size="small" />
          {summary.handover}
        </p>
      )}
      {canBeBought && !isOwner && product.hasSerial && (
        <p className="product__handover">
          <Icon name="search" size="small" />
          <TextLink to="/serials">Was it stolen? Check its serial number</TextLink>
        </p>
      )}
    </header>
  );
}
