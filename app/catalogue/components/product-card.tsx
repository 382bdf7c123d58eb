import "./catalogue.css";
import type { ReactNode } from "react";
import type { ListedProduct } from "#app/catalogue/browse.server.ts";
import { imageSources } from "#app/catalogue/image-sources.ts";
import { categoryPath, CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { FeaturedMark, StatusBadge } from "#app/ui/badge.tsx";
import { Link } from "#app/ui/link.tsx";
import { Marked } from "#app/ui/marked.tsx";
import { Photo } from "#app/ui/photo.tsx";
import { Price } from "#app/ui/price.tsx";
import { PhotoCard, photoShape } from "#app/ui/product-grid.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { useListingState } from "./listing-state.ts";

/** Rendered width of a card's photo, in 4, 3 or 2 columns. */
const SIZES = "(max-width: 768px) 44vw, (max-width: 1280px) 30vw, 280px";

/**
 * What a screen adds to a card from folders that the catalogue must not import: the wishlist's heart and the cart's
 * button.
 */
export interface CardParts {
  /** At the corner of the photo. */
  corner?: ReactNode;
  /** Small buttons next to the price. */
  actions?: ReactNode;
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

/** A product in a grid. */
export function ProductCard({ product, mark, priority, level, corner, actions, foot, badge, owned }: ProductCardProps) {
  const { status, deleted } = useListingState(product);
  if (deleted) return null;
  return (
    <PhotoCard
      to={`/product/${product.id}`}
      level={level}
      name={<Marked text={product.name} pattern={mark} />}
      shape={photoShape(product.image?.width, product.image?.height)}
      photo={<Photo {...imageSources(product.image, SIZES)} alt="" fill priority={priority} />}
      price={<Price amount={product.price} original={product.originalPrice} />}
      note={
        <Marked
          text={product.excerpt ?? product.about ?? "No description available"}
          pattern={product.excerpt && mark}
        />
      }
      facts={[
        CONDITION_LABELS[product.condition],
        product.location,
        !owned && product.rating !== undefined && <Rating key="rating" rating={product.rating} />,
      ]}
      badge={
        <>
          {badge ? (
            badge
          ) : owned || product.stockLabel || status !== "active" ? (
            <ListingBadge status={status} label={product.stockLabel} />
          ) : (
            product.featured && <FeaturedMark />
          )}
          {product.wholesale && <StatusBadge tone="blue">Wholesale</StatusBadge>}
        </>
      }
      corner={corner}
      actions={actions}
      foot={
        <>
          {product.categoryKey ? (
            <Link className="chip chip--quiet category-link" to={categoryPath(product.categoryKey)}>
              {product.category}
            </Link>
          ) : (
            <span className="chip chip--quiet category-link">{product.category}</span>
          )}
          {owned ? (
            foot
          ) : (
            <Link
              className="seller-link"
              to={`/seller/${product.sellerId}`}
              aria-label={`View Seller of ${product.name}`}
            >
              View Seller
            </Link>
          )}
        </>
      }
    />
  );
}
