import { LinkButton } from "#app/ui/button.tsx";
import { LoadFailed } from "#app/ui/load-failed.tsx";
import { EmptyState } from "#app/ui/state.tsx";

/** A product's screen without its product: there is none, or it could not be loaded (commerce spec §2, §8). */
export function ProductFailure({ error }: { error: unknown }) {
  const missing = typeof error === "object" && error !== null && "status" in error && error.status === 404;
  return (
    <div className="page">
      {missing ? (
        <EmptyState
          level={1}
          icon="search"
          title="Product Not Found"
          sentence="The product you're looking for doesn't exist or has been removed."
          action={<LinkButton to="/studentmarketplace">Back to Marketplace</LinkButton>}
        />
      ) : (
        <LoadFailed title="Failed to load product details" />
      )}
    </div>
  );
}
