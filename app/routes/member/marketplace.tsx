import { data, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/marketplace.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadDeferred, reloadsList } from "#app/catalogue/browse/deferred.ts";
import { ALL_CAMPUSES, campusChoiceCookie, wantsAllCampuses } from "#app/catalogue/browse/campus-choice.ts";
import { browseCampusFeed } from "#app/catalogue/browse/campus-feed.server.ts";
import { activeChips, FEED, hasNone, listPath } from "#app/catalogue/browse/list-filters.ts";
import { LIST_KINDS } from "#app/catalogue/browse/list-kinds.ts";
import { readListFilters, unreadablePrices } from "#app/catalogue/browse/read-list-filters.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { DeferredContent, LoadFailure } from "#app/catalogue/browse/components/deferred-content.tsx";
import { CatalogueContent, CatalogueFrame, filtersOf } from "#app/catalogue/browse/components/catalogue-frame.tsx";
import { ListControls, NoneMatch } from "#app/catalogue/browse/components/list-controls.tsx";
import { ProductFeed } from "#app/catalogue/browse/components/product-feed.tsx";
import { SaveSearch } from "#app/catalogue/saved/components/save-search.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { loader as rootLoader } from "#app/root.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";

/** The feed of all campuses, although the own one may have enough. */
const ALL = `${FEED.path}?campus=${ALL_CAMPUSES}`;

export function meta() {
  return pageMeta("Student Marketplace");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const asked = readListFilters(searchParams, LIST_KINDS.wordless, FILTER_FACTS);
  const page = await browseCampusFeed(context.get(servicesContext), {
    viewerId: requireViewer(context).id,
    after: searchParams.get("after"),
    filters: asked,
    wantsAll: wantsAllCampuses(searchParams, request.headers.get("Cookie")),
  });
  const shown = {
    ...page,
    filters: page.ownCampus === null ? asked : { ...asked, campuses: [page.ownCampus] },
    unreadable: unreadablePrices(searchParams),
    path: hasNone(asked) && searchParams.get("campus") === ALL_CAMPUSES ? ALL : listPath(FEED, asked),
  };
  const choice = campusChoiceCookie(request.url);
  return data(shown, choice ? { headers: { "Set-Cookie": choice } } : undefined);
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const shouldRevalidate = reloadsList;

export default function Marketplace({ loaderData }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  const viewer = useRouteLoaderData<typeof rootLoader>("root")?.viewer;
  const titleOf = (isOwnCampus: boolean) => (
    <>
      <h1>Welcome, {viewer?.fullName || "Student"}</h1>
      <p className="quiet catalogue__lead">
        {isOwnCampus ? "What your campus is selling today" : "What students are selling today"}
      </p>
    </>
  );
  return (
    <>
      <CardForms />
      <CatalogueFrame>
        <DeferredContent
          data={loaderData}
          path={FEED.path}
          waiting={
            <CatalogueContent title={titleOf(true)} categories={null} filters={null}>
              <ProductGridSkeleton />
            </CatalogueContent>
          }
        >
          {(page) => (
            <CatalogueContent
              title={titleOf(page.filters.campuses.join() === viewer?.campus)}
              categories={page.categories}
              filters={filtersOf(FEED, page)}
            >
              <ListControls {...filtersOf(FEED, page)} typeName={page.typeName}>
                {activeChips(page.filters).some(({ label }) => label !== viewer?.campus) && (
                  <SaveSearch
                    words=""
                    filters={page.filters}
                    label={page.products.length === 0 ? "Tell me when one is listed" : "Save this search"}
                  />
                )}
              </ListControls>
              <ProductFeed
                label="Products"
                first={page}
                path={page.path}
                cardParts={cardParts}
                empty={
                  hasNone(page.filters) ? (
                    <EmptyState
                      icon="package"
                      title="No products found"
                      sentence="New listings appear here as students post them."
                    />
                  ) : (
                    <NoneMatch list={FEED} />
                  )
                }
              />
            </CatalogueContent>
          )}
        </DeferredContent>
      </CatalogueFrame>
    </>
  );
}

export function ErrorBoundary() {
  return (
    <CatalogueFrame>
      <LoadFailure />
    </CatalogueFrame>
  );
}
