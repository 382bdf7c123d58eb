import { targetOf } from "#app/basket/basket-rules.ts";
import { IconButton } from "#app/ui/button.tsx";
import { BasketForm } from "./basket-form.tsx";
import { useBasket } from "./basket-provider.tsx";

interface AddToCartProps {
  product: { id: string; name: string; status: string; stock: number | null };
}

/**
 * Add to Cart on a card. It is small, so that photos stand out, and gold once the product is in the cart. "Not
 * Available" when it can't be bought.
 */
export function AddToCart({ product }: AddToCartProps) {
  const basket = useBasket();
  if (product.status !== "active") return <span className="photo-card__unavailable">Not Available</span>;
  const change = { intent: "add-to-cart", productId: product.id, quantity: 1 } as const;
  const inCart = basket?.cart.has(product.id) ?? false;
  return (
    <BasketForm change={change} visitorText="Please login to add items to cart">
      <IconButton
        type="submit"
        size="small"
        icon="shopping-cart"
        tone={inCart ? "gold" : "gray"}
        label={
          !inCart
            ? `Add ${product.name} to cart`
            : product.stock === 1
              ? `${product.name} is in your cart`
              : `Add another ${product.name} to cart`
        }
        aria-busy={basket?.pending.has(targetOf(change)) || undefined}
      />
    </BasketForm>
  );
}
