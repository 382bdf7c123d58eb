import { useLocation } from "react-router";
import type { Route } from "./+types/category.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadInStep, reloadsList } from "#app/catalogue/arriving.ts";
import { browseCategory } from "#app/catalogue/category.server.ts";
import { Arrival, LoadFailure } from "#app/catalogue/components/arrival.tsx";
import { CategorySkeleton, CategoryView } from "#app/catalogue/components/category-view.tsx";
import { readFilters } from "#app/catalogue/filters.ts";
import { displayCategory } from "#app/catalogue/labels.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { packPage } from "#app/catalogue/product-columns.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageTitle } from "#app/ui/page-title.ts";

export function meta({ loaderData, params }: Route.MetaArgs) {
  const name = loaderData && "name" in loaderData ? loaderData.name : displayCategory(params.categoryName, null);
  return [{ title: pageTitle(name) }];
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const { searchParams } = new URL(request.url);
  const page = await browseCategory(context.get(servicesContext), {
    viewerId: viewer.id,
    category: params.categoryName,
    filters: readFilters(searchParams),
    after: searchParams.get("after"),
  });
  return packPage(page);
}

export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  return loadInStep(request, serverLoader);
}

export const shouldRevalidate = reloadsList;

export default function Category({ loaderData, params }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  const path = categoryPath(params.categoryName);
  const filters = readFilters(new URLSearchParams(useLocation().search));
  return (
    <>
      <CardForms />
      <Arrival data={loaderData} path={path} waiting={<CategorySkeleton />}>
        {(page) => <CategoryView page={page} path={path} filters={filters} cardParts={cardParts} />}
      </Arrival>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadFailure />;
}
