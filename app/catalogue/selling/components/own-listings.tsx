import type { ReactNode } from "react";
import type { ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { HiddenBadge, HiddenNote } from "./hidden-listing.tsx";
import { OwnerMenu } from "./owner-controls.tsx";
import { StockStepper } from "./stock-stepper.tsx";
import { ProductFeed } from "#app/catalogue/browse/components/product-feed.tsx";

interface OwnListingsProps {
  /** The first page, from `readOwnListings`. */
  first: ProductPage;
  /** The address whose loader returns further pages, with the parameter `after`. */
  path: string;
  /** What to show when there are no listings. */
  empty: ReactNode;
}

/** A seller's own listings, including sold ones, each with its status and its menu. */
export function OwnListings({ first, path, empty }: OwnListingsProps) {
  return (
    <ProductFeed
      label="Your listings"
      first={first}
      path={path}
      empty={empty}
      cardParts={(product) => ({
        owned: true,
        corner: (
          <div className="photo-card__corner">
            <OwnerMenu product={product} />
          </div>
        ),
        action: product.image ? null : (
          <LinkButton
            className="own-listing__photos"
            size="small"
            variant="soft"
            icon="camera"
            to={`/product/${product.id}/edit`}
            // The keyboard comes there by Edit in the menu, without one more stop at each card.
            tabIndex={-1}
          >
            Add photos
            <span className="visually-hidden"> to {product.name}</span>
          </LinkButton>
        ),
        badge: product.hidden && <HiddenBadge hidden={product.hidden} />,
        foot: (
          <>
            {product.hidden && <HiddenNote hidden={product.hidden} />}
            <StockStepper product={product} />
          </>
        ),
      })}
    />
  );
}
