import type { ComponentProps } from "react";
import { OwnListings } from "#app/catalogue/selling/components/own-listings.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AddProductButton } from "./shop-dialogs.tsx";

interface ShopProductsProps extends Pick<ComponentProps<typeof OwnListings>, "first"> {
  /** There are more listings than `first` has. */
  hasMore: boolean;
}

const ALL_PATH = "/myshop?all";

/** The tab of the seller's listings: the newest, and all of them at a press. */
export function ShopProducts({ first, hasMore }: ShopProductsProps) {
  return (
    <>
      <OwnListings first={first} path={ALL_PATH} empty={<NoListings />} />
      {hasMore && (
        <LinkButton to={ALL_PATH} variant="soft" wide preventScrollReset>
          Show all listings
        </LinkButton>
      )}
    </>
  );
}

function NoListings() {
  return (
    <EmptyState
      icon="store"
      title="You haven't posted any listings yet"
      sentence="Add a photo, a price and a few words, and your whole campus can buy it."
      action={<AddProductButton>Create Your First Listing</AddProductButton>}
    />
  );
}
