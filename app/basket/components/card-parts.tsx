import type { ReactNode } from "react";
import { AddToCart } from "./add-to-cart.tsx";
import { useBasket } from "./basket-provider.tsx";
import { WishlistHeart } from "./wishlist-heart.tsx";

interface Listed {
  id: string;
  name: string;
  status: string;
  sellerId: string;
}

/** Heart and Add to Cart for the cards of a grid; a seller's own cards stay bare (commerce spec §2). */
export function useBasketCardParts(): (product: Listed) => { corner?: ReactNode; actions?: ReactNode } {
  const viewerId = useBasket()?.viewerId;
  return (product) =>
    product.sellerId === viewerId ? {} : { corner: <WishlistHeart product={product} />, actions: <AddToCart product={product} /> };
}
