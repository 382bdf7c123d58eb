import { Suspense } from "react";
import type { CardParts } from "#app/catalogue/browse/components/product-card.tsx";
import type { ProductStatus } from "#app/catalogue/catalogue-rules.ts";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { AddToCart } from "./add-to-cart.tsx";
import { useBasket } from "./basket-provider.tsx";
import { WishlistHeart } from "./wishlist-heart.tsx";

/** Few products of a grid are the viewer's own, so their menu is loaded only when there is one. */
const OwnerMenu = lazyPart(
  async () => (await import("#app/catalogue/selling/components/owner-controls.tsx")).OwnerMenu,
  // The card leads to the product's page, where all of it can be done, too.
  () => null,
);

interface Listed {
  id: string;
  name: string;
  price: number;
  status: ProductStatus;
  stock: number | null;
  sellerId: string;
}

/**
 * The heart and Add to Cart for the cards of a screen. The seller's own products get their menu. The screen must also
 * render `CardForms` once, which the buttons submit.
 */
export function useBasketCardParts(): (product: Listed) => CardParts {
  const viewerId = useBasket()?.viewerId;
  return (product) => {
    if (product.sellerId !== viewerId)
      return {
        corner: <WishlistHeart product={product} isSecond={product.status === "active"} />,
        action: <AddToCart product={product} />,
      };
    return { owned: true, corner: <OwnerCorner product={product} /> };
  };
}

/** Only the browser renders the menu: its script comes late, and a translator would change the texts before. */
function OwnerCorner({ product }: { product: Listed }) {
  const isScripted = useScripted();
  return (
    <div className="photo-card__corner">
      {isScripted && (
        <Suspense>
          <OwnerMenu product={product} />
        </Suspense>
      )}
    </div>
  );
}
