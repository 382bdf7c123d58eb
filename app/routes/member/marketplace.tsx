import { useLocation, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/marketplace.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadDeferred, reloadsList } from "#app/catalogue/browse/deferred.ts";
import { filteredList, readListFilter } from "#app/catalogue/browse/browse-filter.ts";
import { DeferredContent, LoadFailure } from "#app/catalogue/browse/components/deferred-content.tsx";
import { CatalogueFrame } from "#app/catalogue/browse/components/catalogue-frame.tsx";
import { ProductFeed } from "#app/catalogue/browse/components/product-feed.tsx";
import type { loader as rootLoader } from "#app/root.tsx";
import { feedScreen, readScreen } from "#app/screens/screen-reads.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";

const PATH = "/studentmarketplace";

export function meta() {
  return pageMeta("Student Marketplace");
}

export async function loader(args: Route.LoaderArgs) {
  const page = await readScreen(args, feedScreen);
  return page;
}

export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  return loadDeferred(request, serverLoader);
}

export const shouldRevalidate = reloadsList;

export default function Marketplace({ loaderData }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  const { path, toggles } = filteredList(PATH, readListFilter(new URLSearchParams(useLocation().search)));
  const name = useRouteLoaderData<typeof rootLoader>("root")?.viewer?.fullName || "Student";
  const title = (
    <>
      <h1>Welcome, {name}</h1>
      <p className="quiet">What your campus is selling today</p>
    </>
  );
  return (
    <>
      <CardForms />
      <DeferredContent
        data={loaderData}
        path={PATH}
        waiting={
          <CatalogueFrame title={title} categories={null}>
            <ProductGridSkeleton />
          </CatalogueFrame>
        }
      >
        {(page) => (
          <CatalogueFrame title={title} categories={page.categories} toggles={toggles}>
            <ProductFeed
              label="Products"
              first={page}
              path={path}
              cardParts={cardParts}
              empty={
                <EmptyState
                  icon="package"
                  title="No products found"
                  sentence="New listings appear here as students post them."
                />
              }
            />
          </CatalogueFrame>
        )}
      </DeferredContent>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadFailure />;
}
