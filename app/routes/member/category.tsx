import { data } from "react-router";
import type { Route } from "./+types/category.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadDeferred, reloadsList } from "#app/catalogue/browse/deferred.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { DeferredContent, LoadFailure } from "#app/catalogue/browse/components/deferred-content.tsx";
import { CatalogueFrame } from "#app/catalogue/browse/components/catalogue-frame.tsx";
import { CategorySkeleton, CategoryView } from "#app/catalogue/browse/components/category-view.tsx";
import { browseCategory } from "#app/catalogue/browse/category.server.ts";
import { LIST_KINDS } from "#app/catalogue/browse/list-kinds.ts";
import { readListFilters, unreadablePrices } from "#app/catalogue/browse/read-list-filters.ts";
import { displayCategory } from "#app/catalogue/labels.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { servicesContext } from "#app/request/context.ts";
import { Failure } from "#app/ui/feedback/failure.tsx";
import { isNotFound } from "#app/ui/feedback/is-not-found.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData, params }: Route.MetaArgs) {
  const name = loaderData && "name" in loaderData ? loaderData.name : displayCategory(params.categoryName, null);
  return pageMeta(name);
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filters = readListFilters(searchParams, LIST_KINDS.category, FILTER_FACTS);
  const { exists, ...page } = await browseCategory(context.get(servicesContext), {
    category: params.categoryName,
    filters,
    after: searchParams.get("after"),
  });
  if (!exists) throw data(null, { status: 404 });
  return { ...page, filters, unreadable: unreadablePrices(searchParams) };
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const shouldRevalidate = reloadsList;

export default function Category({ loaderData, params }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  const path = categoryPath(params.categoryName);
  return (
    <>
      <CardForms />
      <CatalogueFrame key={path}>
        <DeferredContent data={loaderData} path={path} waiting={<CategorySkeleton />}>
          {(page) => <CategoryView page={page} category={params.categoryName} cardParts={cardParts} />}
        </DeferredContent>
      </CatalogueFrame>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return isNotFound(error) ? (
    <div className="page">
      <Failure />
    </div>
  ) : (
    <CatalogueFrame>
      <LoadFailure />
    </CatalogueFrame>
  );
}
