import { Link } from "react-router";
import type { ReactNode } from "react";
import type { ListedProduct } from "#app/catalogue/browse/browse.server.ts";
import { cardSources } from "#app/catalogue/photos/image-sources.ts";
import { categoryPath, CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { FeaturedMark, StatusBadge } from "#app/ui/badge.tsx";
import { Marked } from "#app/ui/marked.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { Price } from "#app/ui/price.tsx";
import { PhotoCard, photoShape } from "#app/ui/product-grid.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { ListingBadge } from "#app/catalogue/selling/components/listing-badge.tsx";
import { useListingState } from "#app/catalogue/selling/components/listing-state.ts";

/**
 * What a screen adds to a card from folders that the catalogue must not import: the wishlist's heart and the cart's
 * button.
 */
export interface CardParts {
  /** At the corner of the photo. */
  corner?: ReactNode;
  /** A small button on the photo. */
  action?: ReactNode;
  /** At the bottom of an owner's card, where others have the link to the seller. */
  foot?: ReactNode;
  /** Instead of the product's status. */
  badge?: ReactNode;
  /** The viewer's own product. Then the card also says that it is active. */
  owned?: boolean;
}

interface ProductCardProps extends CardParts {
  product: ListedProduct;
  /** The pattern of what to highlight (search-marks.ts). */
  mark?: string;
  /** Visible without scrolling. */
  priority?: boolean;
  /** The heading level of its name: 3 within a section. */
  level?: 2 | 3;
}

/**
 * A product in a grid. With the keyboard it has two stops, its name and one button: a list has many cards, and the
 * product's page has the rest.
 */
export function ProductCard({ product, mark, priority, level, corner, action, foot, badge, owned }: ProductCardProps) {
  const { status, deleted } = useListingState(product);
  if (deleted) return null;
  const { id, name, image, price, originalPrice, excerpt, stockLabel, categoryKey, rating } = product;
  const discover = priority ? "render" : "none";
  const state =
    badge ??
    (owned || stockLabel || status !== "active" ? (
      <ListingBadge status={status} label={stockLabel} />
    ) : (
      product.featured && <FeaturedMark />
    ));
  const category = categoryKey ? (
    <Link className="chip-quiet" to={categoryPath(categoryKey)} discover="none" tabIndex={-1}>
      {product.category}
    </Link>
  ) : (
    <span className="chip-quiet">{product.category}</span>
  );
  return (
    <PhotoCard
      to={`/product/${id}`}
      priority={priority}
      level={level}
      name={<Marked text={name} pattern={mark} />}
      shape={photoShape(image?.width, image?.height)}
      photo={<Photo {...cardSources(image)} alt="" bare priority={priority} />}
      price={<Price amount={price} original={originalPrice} />}
      note={<Marked text={excerpt ?? product.about ?? "No description available"} pattern={excerpt && mark} />}
      fact={product.condition === null ? (product.location ?? undefined) : CONDITION_LABELS[product.condition]}
      moreFacts={[
        product.condition === null ? null : product.location,
        !owned && rating !== undefined && <Rating rating={rating} />,
      ]}
      badge={
        (state || product.wholesale) && (
          <>
            {state}
            {product.wholesale && <StatusBadge tone="blue">Wholesale</StatusBadge>}
          </>
        )
      }
      corner={corner}
      action={action}
      foot={
        owned ? (
          <div className="photo-card__foot">
            {category}
            {foot}
          </div>
        ) : (
          <>
            {category}
            <Link
              className="seller-link"
              to={`/seller/${product.sellerId}`}
              discover={discover}
              tabIndex={-1}
              aria-label={`View Seller of ${name}`}
            >
              View Seller
            </Link>
          </>
        )
      }
    />
  );
}
