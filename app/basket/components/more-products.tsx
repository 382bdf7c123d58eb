import "#app/catalogue/product/components/product.css";
import { Link } from "react-router";
import type { ReactNode } from "react";
import { ProductCard } from "#app/catalogue/browse/components/product-card.tsx";
import type { ProductSummary } from "#app/catalogue/products.server.ts";
import { ProductGrid } from "#app/ui/product-grid.tsx";
import { type Basket, BasketContext } from "./basket-provider.tsx";
import { CardForms } from "./card-forms.tsx";
import { useBasketCardParts } from "./card-parts.tsx";

interface MoreProductsProps {
  sellerId: string;
  /** Others of the seller. */
  more: readonly ProductSummary[];
  /** Nobody can buy from a seller on holiday. */
  isAway: boolean;
  /** Others like it. */
  similar: readonly ProductSummary[];
  /** The viewer's. A part that starts late must begin with what the server rendered. */
  basket: Basket | null;
}

/** The seller's other products, and similar ones of anybody, on a product's page. */
export function MoreProducts({ sellerId, more, isAway, similar, basket }: MoreProductsProps) {
  if (more.length + similar.length === 0) return null;
  return (
    <BasketContext value={basket}>
      <CardForms />
      {more.length > 0 && (
        <Section
          id="more-from-seller"
          title="More from this seller"
          link={
            <Link className="section-head__link" to={`/seller/${sellerId}`}>
              See all
            </Link>
          }
          products={more}
          isAway={isAway}
        />
      )}
      {similar.length > 0 && <Section id="similar-items" title="Similar items" products={similar} />}
    </BasketContext>
  );
}

interface SectionProps {
  id: string;
  title: string;
  link?: ReactNode;
  products: readonly ProductSummary[];
  isAway?: boolean;
}

function Section({ id, title, link, products, isAway = false }: SectionProps) {
  return (
    <section className="stack product__more" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {link}
      </div>
      <ProductGrid label={title}>
        {products.map((product) => (
          <Card key={product.id} product={product} isAway={isAway} />
        ))}
      </ProductGrid>
    </section>
  );
}

function Card({ product, isAway }: { product: ProductSummary; isAway: boolean }) {
  const parts = useBasketCardParts()(product);
  return <ProductCard product={product} level={3} {...parts} {...(isAway && { action: undefined })} />;
}
