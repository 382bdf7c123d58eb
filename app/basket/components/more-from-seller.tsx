import "#app/catalogue/product/components/product.css";
import { Link } from "react-router";
import { ProductCard } from "#app/catalogue/browse/components/product-card.tsx";
import type { ProductSummary } from "#app/catalogue/products.server.ts";
import { ProductGrid } from "#app/ui/product-grid.tsx";
import { type Basket, BasketContext } from "./basket-provider.tsx";
import { CardForms } from "./card-forms.tsx";
import { useBasketCardParts } from "./card-parts.tsx";

interface MoreFromSellerProps {
  sellerId: string;
  products: readonly ProductSummary[];
  /** Nobody can buy from a seller on holiday. */
  isAway: boolean;
  /** The viewer's. A part that starts late must begin with what the server rendered. */
  basket: Basket | null;
}

/** The seller's other products, on a product's page. */
export function MoreFromSeller({ sellerId, products, isAway, basket }: MoreFromSellerProps) {
  return (
    <BasketContext value={basket}>
      <CardForms />
      <section className="stack product__more" aria-labelledby="more-from-seller">
        <div className="section-head">
          <h2 id="more-from-seller">More from this seller</h2>
          <Link className="section-head__link" to={`/seller/${sellerId}`}>
            See all
          </Link>
        </div>
        <ProductGrid label="More from this seller">
          {products.map((product) => (
            <Card key={product.id} product={product} isAway={isAway} />
          ))}
        </ProductGrid>
      </section>
    </BasketContext>
  );
}

function Card({ product, isAway }: { product: ProductSummary; isAway: boolean }) {
  const parts = useBasketCardParts()(product);
  return <ProductCard product={product} level={3} {...parts} {...(isAway && { action: undefined })} />;
}
