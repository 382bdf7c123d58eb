import type { CardForm } from "./card-forms.tsx";
import { useBasket } from "./basket-provider.tsx";

interface WishlistHeartProps {
  product: { id: string; name: string };
  /** The card has another button, which the keyboard stops at instead. */
  isSecond?: boolean;
}

/** The heart on a photo: adds a product to the wishlist or removes it. A seller's own products have none. */
export function WishlistHeart({ product, isSecond }: WishlistHeartProps) {
  const wished = useBasket()?.wishlist.has(product.id) ?? false;
  return (
    <button
      className="heart-button"
      form={(wished ? "remove-from-wishlist" : "add-to-wishlist") satisfies CardForm}
      aria-label={`Save ${product.name} to wishlist`}
      aria-pressed={wished}
      tabIndex={isSecond ? -1 : undefined}
      name="productId"
      value={product.id}
    />
  );
}
