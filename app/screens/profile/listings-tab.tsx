import type { ComponentProps } from "react";
import { OwnListings } from "#app/catalogue/selling/components/own-listings.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";

/** The profile's tab of the member's own listings. */
export function ListingsTab({ first }: Pick<ComponentProps<typeof OwnListings>, "first">) {
  return (
    <section className="stack" aria-labelledby="listings">
      <div className="row row--apart">
        <h2 id="listings">Listings</h2>
        <LinkButton to="/add-product" icon="plus" size="small" variant="soft">
          New Listing
        </LinkButton>
      </div>
      <OwnListings
        first={first}
        path="/profile?tab=listings"
        empty={
          <EmptyState
            icon="store"
            title="You haven't posted any listings yet"
            action={<LinkButton to="/add-product">Create Your First Listing</LinkButton>}
          />
        }
      />
    </section>
  );
}
