import type { Route } from "./+types/home.ts";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { BrowseCategories } from "#app/catalogue/components/browse-categories.tsx";
import { ProductCard } from "#app/catalogue/components/product-card.tsx";
import { listFeed } from "#app/catalogue/products.server.ts";
import { requireViewer, servicesContext } from "#app/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { ProductGrid } from "#app/ui/product-grid.tsx";

const NEWEST = 8;

export function meta() {
  return [{ title: pageTitle("Home") }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const { products } = await listFeed(context.get(servicesContext).db, { viewerId: viewer.id, cursor: null });
  return { newest: products.slice(0, NEWEST) };
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  return (
    <div className="page">
      <section className="hero">
        <div className="hero__words">
          <h1>Your Student Marketplace</h1>
          <p className="hero__lead">Books, gadgets and everything for campus life, from students near you. Paid safely by M-Pesa.</p>
          <div className="row">
            <LinkButton to="/studentmarketplace" size="large" data-tour="start-shopping">
              Start Shopping
            </LinkButton>
            <LinkButton to="/myshop" size="large" variant="soft" tone="gray">
              Open Your Shop
            </LinkButton>
          </div>
        </div>
        <img className="hero__scene" src="/art/campus.webp" alt="" width="820" height="1100" />
      </section>
      <BrowseCategories />
      {loaderData.newest.length > 0 && (
        <section className="stack" aria-labelledby="newest">
          <h2 id="newest">Just listed</h2>
          <ProductGrid label="Just listed">
            {loaderData.newest.map((product) => (
              <ProductCard key={product.id} product={product} {...cardParts(product)} />
            ))}
          </ProductGrid>
        </section>
      )}
    </div>
  );
}
