import { useLocation } from "react-router";
import type { Route } from "./+types/category.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadInStep, reloadsList } from "#app/catalogue/arriving.ts";
import { Arrival, LoadFailure } from "#app/catalogue/components/arrival.tsx";
import { CategorySkeleton, CategoryView } from "#app/catalogue/components/category-view.tsx";
import { readFilters } from "#app/catalogue/filters.ts";
import { displayCategory } from "#app/catalogue/labels.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { packPage } from "#app/catalogue/packed-lists.ts";
import { categoryScreen, readScreen } from "#app/screens/screen-reads.server.ts";
import { pageTitle } from "#app/ui/page-title.ts";

export function meta({ loaderData, params }: Route.MetaArgs) {
  const name = loaderData && "name" in loaderData ? loaderData.name : displayCategory(params.categoryName, null);
  return [{ title: pageTitle(name) }];
}

export async function loader(args: Route.LoaderArgs) {
  return packPage(await readScreen(args, categoryScreen));
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
