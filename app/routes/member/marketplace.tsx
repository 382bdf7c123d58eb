import { useRouteLoaderData } from "react-router";
import type { Route } from "./+types/marketplace.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadInStep, reloadsList } from "#app/catalogue/arriving.ts";
import { filteredList, readListFilter } from "#app/catalogue/browse-filter.ts";
import { Arrival, LoadFailure } from "#app/catalogue/components/arrival.tsx";
import { CatalogueFrame } from "#app/catalogue/components/catalogue-frame.tsx";
import { ProductFeed } from "#app/catalogue/components/product-feed.tsx";
import { packPage } from "#app/catalogue/product-columns.ts";
import type { loader as rootLoader } from "#app/root.tsx";
import { feedScreen, readScreen } from "#app/screens/screen-reads.server.ts";
import { pageTitle } from "#app/ui/page-title.ts";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { EmptyState } from "#app/ui/state.tsx";

const PATH = "/studentmarketplace";

export function meta() {
  return [{ title: pageTitle("Student Marketplace") }];
}

export async function loader(args: Route.LoaderArgs) {
  const filter = readListFilter(new URL(args.request.url).searchParams);
  return { ...packPage(await readScreen(args, feedScreen)), ...filteredList(PATH, filter) };
}

export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  return loadInStep(request, serverLoader);
}

export const shouldRevalidate = reloadsList;

export default function Marketplace({ loaderData }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
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
      <Arrival
        data={loaderData}
        path={PATH}
        waiting={
          <CatalogueFrame title={title} categories={null}>
            <ProductGridSkeleton />
          </CatalogueFrame>
        }
      >
        {(page) => (
          <CatalogueFrame title={title} {...page}>
            <ProductFeed
              label="Products"
              first={page}
              path={page.path}
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
      </Arrival>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadFailure />;
}
