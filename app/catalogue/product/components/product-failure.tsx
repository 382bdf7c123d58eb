import { LinkButton } from "#app/ui/button.tsx";
import { LoadFailed } from "#app/ui/feedback/load-failed.tsx";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

const FAILED = "Failed to load product details";

/** Shown when a product doesn't exist or couldn't be loaded. */
export function ProductFailure({ error }: { error: unknown }) {
  const missing = {
    icon: "search",
    title: "Product Not Found",
    sentence: "The product you're looking for doesn't exist or has been removed.",
    action: <LinkButton to="/studentmarketplace">Back to Marketplace</LinkButton>,
  } as const;
  return (
    <ScreenFailed title={FAILED} error={error} missing={missing}>
      <LoadFailed title={FAILED} />
    </ScreenFailed>
  );
}
