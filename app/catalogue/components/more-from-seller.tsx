import "./product.css";
import type { ProductSummary } from "#app/catalogue/products.server.ts";
import { Link } from "#app/ui/link.tsx";
import { ProductGrid } from "#app/ui/product-grid.tsx";
import { type CardParts, ProductCard } from "./product-card.tsx";

interface MoreFromSellerProps {
  sellerId: string;
  products: readonly ProductSummary[];
  cardParts: (product: ProductSummary) => CardParts;
}

/** The seller's other products; nothing if there are none. */
export function MoreFromSeller({ sellerId, products, cardParts }: MoreFromSellerProps) {
  if (products.length === 0) return null;
  return (
    <section className="stack product__more" aria-labelledby="more-from-seller">
      <div className="section-head">
        <h2 id="more-from-seller">More from this seller</h2>
        <Link className="section-head__link" to={`/seller/${sellerId}`}>
          See all
        </Link>
      </div>
      <ProductGrid label="More from this seller">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} level={3} {...cardParts(product)} />
        ))}
      </ProductGrid>
    </section>
  );
}
