import "./public-product.css";
import { publicAwayText } from "#app/accounts/profile/holiday.ts";
import { CONDITION_LABELS, UNCONFIRMED_TEXT } from "#app/catalogue/catalogue-rules.ts";
import { largestPath, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { unitPrice } from "#app/catalogue/selling/price-step-rules.ts";
import type { OtherListings, PublicProduct } from "#app/catalogue/product/public-product.server.ts";
import { publicCategoryPath, publicProductPath, publicShopPath } from "#app/public-links.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { StatusBadge } from "#app/ui/badge.tsx";
import { brand } from "#app/ui/page/brand.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { Price } from "#app/ui/price.tsx";
import { whatsAppLink } from "#app/ui/sharing/share-texts.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { ListingBadge } from "#app/catalogue/selling/components/listing-badge.tsx";
import { FactsList } from "./facts-list.tsx";
import { MoneyPromise } from "./money-promise.tsx";
import { PriceSteps } from "./price-steps.tsx";
import { SellerRow } from "./seller-row.tsx";
import { PublicCard, PublicCards } from "#app/catalogue/browse/components/public-card.tsx";
import { publicPhoto } from "#app/catalogue/photos/components/public-photo.ts";

interface PublicProductViewProps {
  product: PublicProduct;
  /** What such a thing usually goes for, in words; null where nobody knows. */
  guide: string | null;
  others: OtherListings;
  /** This site's own, for the link to share. */
  origin: string;
}

/** The public page of a product. It works without scripts. */
export function PublicProductView({ product, guide, others, origin }: PublicProductViewProps) {
  const { seller } = product;
  const away = product.status === "active" && seller.awayUntil !== null;
  const canBuy = product.status === "active" && !away;
  return (
    <article className="page public-product">
      <div className="split">
        <Photos images={product.images} name={product.name} />
        <div className="stack">
          <header className="stack stack--tight">
            <div className="row">
              <Price amount={product.price} original={product.originalPrice} large />
              {(product.stockLabel || product.status !== "active") && (
                <ListingBadge status={product.status} label={product.stockLabel} />
              )}
              {product.wholesale && <StatusBadge tone="blue">Wholesale</StatusBadge>}
            </div>
            {guide && <p className="quiet small">{withWholeAmounts(guide)}</p>}
            {product.feeText && <p className="quiet small">{withWholeAmounts(product.feeText)}</p>}
            <h1 className="public-product__name">{withWholeAmounts(product.name)}</h1>
            <SellerRow
              href={publicShopPath({ id: seller.id, title: seller.shopTitle })}
              name={seller.name}
              picture={{ name: seller.name, url: seller.logoUrl }}
              verified={seller.verified}
              verifiedAs={seller.verifiedAs}
              featured={product.featured}
              rating={product.rating ?? null}
              facts={[seller.campusLocation]}
              answers={seller.answers}
            />
            {canBuy && product.price > 0 && <MoneyPromise text={product.promise} />}
            <div className="public-product__facts row">
              {product.condition && <Chip>{CONDITION_LABELS[product.condition]}</Chip>}
              {product.categoryKey ? (
                <a className="chip-quiet" href={publicCategoryPath(product.categoryKey)}>
                  {product.category}
                </a>
              ) : (
                <Chip>{product.category}</Chip>
              )}
              {product.location && <Chip>{product.location}</Chip>}
              <span className="quiet small">{product.listed}</span>
            </div>
            <FactsList facts={product.facts} />
            {product.handover && <p className="small">{product.handover}</p>}
          </header>
          {product.status === "sold" && <Callout tone="orange">{soldText(others)}</Callout>}
          {product.status === "out_of_stock" && <Callout tone="orange">{OUT_OF_STOCK_TEXT}</Callout>}
          {product.status === "unconfirmed" && <Callout tone="orange">{UNCONFIRMED_TEXT}</Callout>}
          {away && (
            <Callout tone="orange">{publicAwayText({ seller: seller.name, until: seller.awayUntil ?? 0 })}</Callout>
          )}
          <PriceSteps product={product} />
          {product.status !== "sold" && <Actions product={product} canBuy={canBuy} />}
          <p className="public-product__description">{product.description || "No description available"}</p>
          <TextWarning>{product.warning}</TextWarning>
          <p>
            <a
              className={buttonClass({ variant: "soft" })}
              href={whatsAppLink(product, origin + publicProductPath(product))}
              rel="noreferrer"
            >
              Share on WhatsApp
            </a>
          </p>
        </div>
      </div>
      <Others others={others} />
    </article>
  );
}

/** Both buttons lead into the app, where what was pressed takes effect. */
function Actions({ product, canBuy }: { product: PublicProduct; canBuy: boolean }) {
  return (
    <form className="sticky-bar" method="post" action={publicProductPath(product)}>
      {/* What the buyer sees, so that nothing is ordered at another price. */}
      <input type="hidden" name="quantity" value={product.buyQuantity} />
      <input type="hidden" name="price" value={unitPrice(product, product.buyQuantity)} />
      <input type="hidden" name="revision" value={product.revision} />
      <Button type="submit" name="action" value="message" variant="soft">
        Message the seller
      </Button>
      {canBuy && (
        <Button type="submit" name="action" value="buy">
          Buy on {brand.name}
        </Button>
      )}
    </form>
  );
}

/** Points only to what stands below. */
function soldText({ kind, listings }: OtherListings): string {
  const sold = "This item has been sold.";
  if (listings.length === 0) return sold;
  return `${sold} Have a look at ${kind === "similar" ? "similar ones" : "what is new"} below.`;
}

const OUT_OF_STOCK_TEXT = "This item is out of stock at the moment. You can ask the seller when there will be more.";

/** In the place of a product that can't be shown. */
export function MissingProduct({ state, others }: { state: "gone" | "unknown"; others: OtherListings }) {
  return (
    <div className="page">
      {state === "gone" ? (
        <EmptyState
          level={1}
          icon="package"
          title="This item is no longer here"
          sentence="It has been removed. Have a look at what others are selling."
        />
      ) : (
        <EmptyState
          level={1}
          icon="search-x"
          title="We can't find this item"
          sentence="Please check that you have the whole link. Or have a look at what is new."
        />
      )}
      <Others others={others} />
    </div>
  );
}

/** A row of photos to scroll. Each leads to its file. */
function Photos({ images, name }: { images: readonly ShownImage[]; name: string }) {
  const saver = useDataSaver();
  if (images.length === 0) return <img className="public-product__photo" src="/art/no-photo.svg" alt={name} />;
  return (
    <ul
      className="public-product__photos"
      role="list"
      aria-label={`Photos of ${name}`}
      data-many={images.length > 1 || undefined}
    >
      {images.map((image, index) => {
        const photo = { sizes: "(max-width: 768px) 100vw, 580px", saver, detailed: true, priority: index === 0 };
        return (
          <li key={image.key}>
            <a href={largestPath(image)} aria-label={`Photo ${index + 1} of ${images.length}`}>
              <img
                {...publicPhoto(image, photo)}
                className="public-product__photo"
                alt={index === 0 ? name : ""}
                fetchPriority={index === 0 && !saver ? "high" : undefined}
              />
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Others({ others: { kind, listings } }: { others: OtherListings }) {
  if (listings.length === 0) return null;
  const title = kind === "similar" ? "Similar items" : `New on ${brand.name}`;
  return (
    <section className="stack public-product__others">
      <h2>{title}</h2>
      <PublicCards label={title}>
        {listings.map((listing) => (
          <PublicCard key={listing.id} listing={listing} />
        ))}
      </PublicCards>
    </section>
  );
}
