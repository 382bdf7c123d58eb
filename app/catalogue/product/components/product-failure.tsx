import { LinkButton } from "#app/ui/button.tsx";
import { ScreenFailure } from "#app/ui/feedback/load-failed.tsx";

/** Shown when a product doesn't exist or couldn't be loaded. */
export function ProductFailure({ error }: { error: unknown }) {
  return (
    <ScreenFailure
      error={error}
      missing={{
        title: "Product Not Found",
        sentence: "The product you're looking for doesn't exist or has been removed.",
        action: <LinkButton to="/studentmarketplace">Back to Marketplace</LinkButton>,
      }}
      failed="Failed to load product details"
    />
  );
}
