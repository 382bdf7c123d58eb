import { targetOf } from "#app/basket/basket-rules.ts";
import type { CardForm } from "./card-forms.tsx";
import { useBasket } from "./basket-provider.tsx";

const FORM = "add-to-cart" satisfies CardForm;

interface AddToCartProps {
  product: { id: string; name: string; price: number; status: string; stock: number | null };
}

/**
 * Add to Cart on a card. It is small, so that photos stand out, and gold once the product is in the cart. "Not
 * Available" when it can't be bought.
 */
export function AddToCart({ product }: AddToCartProps) {
  const basket = useBasket();
  if (product.status !== "active") return <span className="photo-card__unavailable">Not Available</span>;
  const inCart = basket?.cart.has(product.id);
  return (
    <button
      className={inCart ? "cart-button cart-button--in" : "cart-button"}
      form={FORM}
      name="productId"
      value={product.id}
      data-price={product.price}
      aria-label={
        !inCart
          ? `Add ${product.name} to cart`
          : product.stock === 1
            ? `${product.name} is in your cart`
            : `Add another ${product.name} to cart`
      }
      aria-busy={basket?.pending.has(targetOf({ intent: FORM, productId: product.id })) || undefined}
    />
  );
}
