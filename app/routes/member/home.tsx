import "#app/screens/home/home.css";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Route } from "./+types/home.ts";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadInStep } from "#app/catalogue/arriving.ts";
import { Arrival } from "#app/catalogue/components/arrival.tsx";
import { BrowseCategories } from "#app/catalogue/components/browse-categories.tsx";
import { ProductCard } from "#app/catalogue/components/product-card.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { followAction } from "#app/screens/actions/follow-action.server.ts";
import { FeaturedShops, FeaturedShopsFailure, FeaturedShopsSkeleton } from "#app/shops/components/featured-shops.tsx";
import { passFollow } from "#app/shops/components/follow-button.tsx";
import { type HomePage, openHome } from "#app/shops/shops.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { ProductGrid } from "#app/ui/product-grid.tsx";

export function meta() {
  return [{ title: pageTitle("Home") }];
}

export function loader({ context }: Route.LoaderArgs) {
  return openHome(context.get(servicesContext), requireViewer(context).id);
}

export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  return loadInStep(request, serverLoader);
}

export const action = (args: Route.ActionArgs) => followAction(args);

export const clientAction = (args: Route.ClientActionArgs) => passFollow(args);

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <HomeScreen>
      <Arrival data={loaderData} path="/home" waiting={<Waiting />} failure={<Failed />}>
        {(home) => (
          <>
            <BrowseCategories covers={home.covers} />
            <FeaturedShops shops={home.shops} />
            <JustListed products={home.newest} />
          </>
        )}
      </Arrival>
    </HomeScreen>
  );
}

function HomeScreen({ children }: { children: ReactNode }) {
  return (
    <div className="page">
      <section className="hero">
        <div className="hero__words">
          <h1>Your Student Marketplace</h1>
          <p className="hero__lead">
            Books, gadgets and everything for campus life, from students near you. Paid safely by M-Pesa.
          </p>
          <div className="row">
            <LinkButton to="/studentmarketplace" size="large" data-tour="start-shopping">
              Start Shopping
            </LinkButton>
            <LinkButton to="/myshop" size="large" variant="soft" tone="gray">
              Open Your Shop
            </LinkButton>
          </div>
        </div>
        <img className="hero__scene" src="/art/campus.webp" alt="" width="820" height="1100" fetchPriority="high" />
      </section>
      {children}
    </div>
  );
}

function JustListed({ products }: { products: HomePage["newest"] }) {
  const cardParts = useBasketCardParts();
  if (products.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="newest">
      <div className="section-head">
        <h2 id="newest">Just listed</h2>
        <Link className="section-head__link" to="/studentmarketplace">
          See All
          <Icon name="chevron-right" size="small" />
        </Link>
      </div>
      <ProductGrid label="Just listed">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} level={3} {...cardParts(product)} />
        ))}
      </ProductGrid>
    </section>
  );
}

function Waiting() {
  return (
    <>
      <BrowseCategories covers={{}} />
      <FeaturedShopsSkeleton />
    </>
  );
}

function Failed() {
  return (
    <>
      <BrowseCategories covers={{}} />
      <FeaturedShopsFailure />
    </>
  );
}

export function ErrorBoundary() {
  return (
    <HomeScreen>
      <Failed />
    </HomeScreen>
  );
}
