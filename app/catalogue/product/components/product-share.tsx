import { shareableProduct } from "#app/catalogue/product/share-product.ts";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";

/** Share, on a product's page. */
export function ProductShare({ product }: { product: Parameters<typeof shareableProduct>[0] }) {
  return <ShareButton shared={shareableProduct(product)} />;
}
