import { OwnerMenu } from "#app/catalogue/components/owner-controls.tsx";
import type { CardParts } from "#app/catalogue/components/product-card.tsx";
import type { ProductStatus } from "#app/catalogue/rules.ts";
import { AddToCart } from "./add-to-cart.tsx";
import { useBasket } from "./basket-provider.tsx";
import { WishlistHeart } from "./wishlist-heart.tsx";

interface Listed {
  id: string;
  name: string;
  status: ProductStatus;
  sellerId: string;
}

/** Heart and Add to Cart for the cards of a grid; a seller's own have their menu (commerce spec §2). */
export function useBasketCardParts(): (product: Listed) => CardParts {
  const viewerId = useBasket()?.viewerId;
  return (product) =>
    product.sellerId === viewerId ? { owned: true, corner: <OwnerMenu product={product} /> } : { corner: <WishlistHeart product={product} />, actions: <AddToCart product={product} /> };
}
