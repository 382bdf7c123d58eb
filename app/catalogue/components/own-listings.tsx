import type { ReactNode } from "react";
import type { ProductPage } from "#app/catalogue/browse.server.ts";
import { OwnerMenu } from "./owner-controls.tsx";
import { ProductFeed } from "./product-feed.tsx";

interface OwnListingsProps {
  /** The first page, as `listOwnListings` answers it. */
  first: ProductPage;
  /** The address whose loader answers further pages, asked with `after`. */
  path: string;
  /** What to show where there is none. */
  empty: ReactNode;
}

/** A seller's own listings, sold ones too, each with its status and its menu. */
export function OwnListings({ first, path, empty }: OwnListingsProps) {
  return (
    <ProductFeed
      label="Your listings"
      first={first}
      path={path}
      empty={empty}
      cardParts={(product) => ({ owned: true, corner: <OwnerMenu product={product} /> })}
    />
  );
}
