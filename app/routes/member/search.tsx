import { useEffect } from "react";
import { useLocation } from "react-router";
import type { Route } from "./+types/search.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadDeferred, reloadsList } from "#app/catalogue/browse/deferred.ts";
import { DeferredContent, LoadFailure } from "#app/catalogue/browse/components/deferred-content.tsx";
import { CatalogueContent, CatalogueFrame, filtersOf } from "#app/catalogue/browse/components/catalogue-frame.tsx";
import { ListControls, NoneMatch } from "#app/catalogue/browse/components/list-controls.tsx";
import { ProductFeed } from "#app/catalogue/browse/components/product-feed.tsx";
import { activeChips, hasNone, listPath, SEARCH } from "#app/catalogue/browse/list-filters.ts";
import { unreadablePrices } from "#app/catalogue/browse/read-list-filters.ts";
import { SaveSearch } from "#app/catalogue/saved/components/save-search.tsx";
import { nearestText } from "#app/catalogue/search/nearest-text.ts";
import { tellMissed } from "#app/catalogue/search/tell-missed.ts";
import { noteSearch } from "#app/catalogue/search/recent-searches.ts";
import { readSearchAddress } from "#app/catalogue/search/search-address.ts";
import { lookUpSearch, searchProducts } from "#app/catalogue/search/search.server.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { FoundShops } from "#app/shops/components/found-shops.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";

export function meta({ loaderData, location }: Route.MetaArgs) {
  const text = tidySearchText(new URLSearchParams(location.search).get("q"));
  const typeName = loaderData && "typeName" in loaderData ? loaderData.typeName : null;
  return pageMeta(text === "" ? (typeName ?? "Search") : `“${text}”`);
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const { searchParams } = new URL(request.url);
  const { words, filters } = readSearchAddress(searchParams, viewer);
  const services = context.get(servicesContext);
  const { vocabulary, table } = await lookUpSearch(services.db, words);
  const after = searchParams.get("after");
  const page = await searchProducts(
    services,
    { text: words, vocabulary, after, filters, campus: viewer.campusLocation },
    table,
  );
  return {
    ...page,
    list: { ...SEARCH, words },
    filters,
    unreadable: unreadablePrices(searchParams),
  };
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const shouldRevalidate = reloadsList;

export default function Search({ loaderData }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  const params = new URLSearchParams(useLocation().search);
  const text = tidySearchText(params.get("q"));
  const titleOf = (typeName: string | null) => (
    <h1 className="search-title">{text === "" ? (typeName ?? "All products") : `Results for “${text}”`}</h1>
  );

  useEffect(() => {
    if (text === "") return;
    void Promise.resolve("later" in loaderData ? loaderData.later : loaderData).then((page) => {
      if (!("products" in page)) return;
      // A search without results isn't worth remembering.
      if (page.products.length > 0 && !page.nearest) noteSearch(text);
      else if (hasNone(page.filters)) tellMissed(page.list.words);
    });
  }, [text, loaderData]);

  return (
    <>
      <CardForms />
      <CatalogueFrame>
        <DeferredContent
          data={loaderData}
          path={text}
          waiting={
            <CatalogueContent
              title={text === "" && params.has("type") ? <Skeleton shape="title" /> : titleOf(null)}
              categories={null}
              filters={null}
            >
              <ProductGridSkeleton />
            </CatalogueContent>
          }
        >
          {(page) => (
            <CatalogueContent
              title={
                <>
                  {titleOf(page.typeName)}
                  {page.respelled && <p className="quiet">No exact match. These results have a similar spelling.</p>}
                  {page.nearest && (
                    <div className="stack stack--tight">
                      <h2>No products found</h2>
                      <p className="quiet">{nearestText(page.nearest)}</p>
                      <SaveSearch
                        words={page.list.words}
                        filters={page.filters}
                        label="Tell me when one is listed"
                        variant="solid"
                      />
                    </div>
                  )}
                </>
              }
              categories={page.categories}
              filters={filtersOf(page.list, page)}
            >
              <ListControls {...filtersOf(page.list, page)} typeName={page.typeName}>
                {!page.nearest && (page.list.words !== "" || activeChips(page.filters).length > 0) && (
                  <SaveSearch words={page.list.words} filters={page.filters} label="Save this search" />
                )}
              </ListControls>
              <FoundShops shops={page.shops} />
              <ProductFeed
                label="Results"
                first={page}
                path={listPath(page.list, page.filters)}
                mark={page.mark}
                cardParts={cardParts}
                empty={
                  hasNone(page.filters) ? (
                    <EmptyState
                      icon="search-x"
                      title="No products found"
                      sentence="Check the spelling, try fewer words, or browse all products."
                      action={<LinkButton to="/studentmarketplace">All Products</LinkButton>}
                    />
                  ) : (
                    <NoneMatch list={page.list} />
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
