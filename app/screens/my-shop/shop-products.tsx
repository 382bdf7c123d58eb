import type { ComponentProps } from "react";
import { OwnListings } from "#app/catalogue/selling/components/own-listings.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AddProductButton } from "./shop-dialogs.tsx";

/** The tab of the seller's listings. */
export function ShopProducts({ first }: Pick<ComponentProps<typeof OwnListings>, "first">) {
  return <OwnListings first={first} path="/myshop" empty={<NoListings />} />;
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
