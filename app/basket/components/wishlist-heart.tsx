import { PhotoButton } from "#app/ui/button.tsx";
import { BasketForm } from "./basket-form.tsx";
import { useBasket } from "./basket-provider.tsx";

/** The heart on a photo: adds a product to the wishlist or removes it. A seller's own products have none. */
export function WishlistHeart({ product }: { product: { id: string; name: string } }) {
  const wished = useBasket()?.wishlist.has(product.id) ?? false;
  return (
    <BasketForm
      change={{ intent: wished ? "remove-from-wishlist" : "add-to-wishlist", productId: product.id }}
      visitorText="Please login to add items to wishlist"
    >
      <PhotoButton type="submit" icon="heart" label={`Save ${product.name} to wishlist`} pressed={wished} />
    </BasketForm>
  );
}
