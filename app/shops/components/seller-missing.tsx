import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";

/** Shown when there is no seller at this address. */
export function SellerMissing() {
  return (
    <div className="page">
      <EmptyState
        level={1}
        icon="store"
        title="Seller Not Found"
        sentence="The seller you are looking for does not exist or has been removed."
        action={<LinkButton to="/studentmarketplace">Back to Marketplace</LinkButton>}
      />
    </div>
  );
}
