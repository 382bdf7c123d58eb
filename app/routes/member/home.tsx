import "#app/screens/home/home.css";
import { Link } from "react-router";
import type { ReactNode } from "react";
import type { Route } from "./+types/home.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import type { ListedProduct } from "#app/catalogue/browse/browse.server.ts";
import { loadDeferred } from "#app/catalogue/browse/deferred.ts";
import { DeferredContent } from "#app/catalogue/browse/components/deferred-content.tsx";
import { wantsAllCampuses } from "#app/catalogue/browse/campus-choice.ts";
import { BrowseCategories } from "#app/catalogue/browse/components/browse-categories.tsx";
import { useOwnCampus } from "#app/catalogue/browse/components/use-campuses.ts";
import { RecentlyViewed } from "#app/catalogue/browse/components/recently-viewed.tsx";
import { ProductCard } from "#app/catalogue/browse/components/product-card.tsx";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { followAction } from "#app/screens/actions/follow-action.server.ts";
import { findOpenSteps } from "#app/screens/home/open-steps.server.ts";
import { SemesterNote } from "#app/screens/home/semester-note.tsx";
import { OpenSteps } from "#app/screens/home/open-steps.tsx";
import { FeaturedShops, FeaturedShopsFailure, FeaturedShopsSkeleton } from "#app/shops/components/featured-shops.tsx";
import { passFollow } from "#app/shops/components/follow-button.tsx";
import { type HomePage, openHome } from "#app/shops/shops.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { ChipLink, ChipRow } from "#app/ui/chip.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ProductGrid, ProductGridSkeleton } from "#app/ui/product-grid.tsx";

export function meta() {
  return pageMeta("Home");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewerId = requireViewer(context).id;
  const services = context.get(servicesContext);
  const wantsAll = wantsAllCampuses(new URL(request.url).searchParams, request.headers.get("Cookie"));
  const [home, steps] = await Promise.all([
    openHome(services, { viewerId, wantsAll }),
    findOpenSteps(services, viewerId),
  ]);
  return { ...home, steps };
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const action = (args: Route.ActionArgs) => followAction(args);

export const clientAction = passFollow;

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <HomeScreen>
      <DeferredContent data={loaderData} path="/home" waiting={<Waiting />} failure={<Failed />}>
        {(home) => (
          <>
            <OpenSteps {...home} />
            <SemesterNote offer={home.semester} />
            <Categories {...home} />
            <JustListed products={home.newest} campus={home.ownCampus} />
            <RecentlyViewed />
            <FeaturedShops shops={home.shops} />
            <BrowseCategories covers={home.covers} />
          </>
        )}
      </DeferredContent>
    </HomeScreen>
  );
}

function HomeScreen({ children }: { children: ReactNode }) {
  return (
    <div className="page home has-search-row">
      <section className="hero">
        <div className="hero__words">
          <h1>Your Student Marketplace</h1>
          <p className="hero__lead">Everything for campus life, from students near you. Pay safely with M-Pesa.</p>
          <div className="row">
            <LinkButton to="/studentmarketplace" data-tour="start-shopping">
              Start Shopping
            </LinkButton>
            <LinkButton to="/myshop" variant="soft">
              Open Your Shop
            </LinkButton>
          </div>
        </div>
        {/* Phones have no room for the picture, so they don't load it. */}
        <picture>
          <source media="(min-width: 768px)" srcSet="/art/campus.webp" />
          <img className="hero__scene" alt="" width="820" height="1100" fetchPriority="high" />
        </picture>
      </section>
      {children}
    </div>
  );
}

/** The own campus, and all categories, the most used first, so that they are in reach before anything is scrolled. */
function Categories({ categories, followsAny }: Pick<HomePage, "categories"> & { followsAny?: boolean }) {
  const campus = useOwnCampus();
  return (
    <div className="home-categories">
      <ChipRow label="Categories">
        {campus && (
          <ChipLink to={`/studentmarketplace?campus=${encodeURIComponent(campus)}`}>
            <Icon name="map-pin" size="small" />
            My campus
          </ChipLink>
        )}
        {followsAny && (
          <ChipLink to="/following">
            <Icon name="store" size="small" />
            Following
          </ChipLink>
        )}
        {categories.map(({ id, name }) => (
          <ChipLink key={id} to={categoryPath(id)}>
            {name}
          </ChipLink>
        ))}
        <ChipLink to="/category">All categories</ChipLink>
      </ChipRow>
    </div>
  );
}

function JustListed({ products, campus }: { products: readonly ListedProduct[]; campus: string | null }) {
  const cardParts = useBasketCardParts();
  return (
    products[0] && (
      <section className="newest" aria-labelledby="newest">
        <CardForms />
        <div className="section-head">
          <h2 id="newest">{campus ? `Just listed at ${campus}` : "Just listed"}</h2>
          <Link className="section-head__link" to="/studentmarketplace">
            See All
            <Icon name="chevron-right" size="small" />
          </Link>
        </div>
        <ProductGrid label="Just listed">
          {products.map((product, index) => (
            <ProductCard key={product.id} product={product} level={3} priority={index < 2} {...cardParts(product)} />
          ))}
        </ProductGrid>
      </section>
    )
  );
}

function Waiting() {
  return (
    <>
      <Categories categories={[]} />
      <ProductGridSkeleton />
      <FeaturedShopsSkeleton />
    </>
  );
}

function Failed() {
  return (
    <>
      <FeaturedShopsFailure />
      <BrowseCategories covers={{}} />
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
