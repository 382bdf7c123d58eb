import { data, redirect } from "react-router";
import type { Route } from "./+types/category.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { PublicListView, UnknownList } from "#app/catalogue/browse/components/public-list-view.tsx";
import { publicListMeta } from "#app/catalogue/browse/public-list-meta.ts";
import { openPublicCategory } from "#app/catalogue/browse/public-lists.server.ts";
import { publicCategoryPath } from "#app/public-links.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { MISSING_PAGE } from "#app/screens/missing-page.ts";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData?.state !== "shown") return pageMeta(loaderData ? MISSING_PAGE.unknown.title : "Category");
  const { name, key, origin } = loaderData;
  return publicListMeta(
    {
      title: `${name} for students`,
      description: `${name} that students and shops sell on campus. Pay by M-Pesa, and meet on your campus.`,
      path: publicCategoryPath(key),
    },
    origin,
  );
}

/** The public page of a category. Members are led to the full list. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const page = await openPublicCategory(context.get(servicesContext).db, params.category);
  if (page.state === "unknown") return data({ ...page, origin }, MISSING_PAGE.unknown.status);
  if (context.get(viewerContext)?.profileComplete) throw redirect(categoryPath(page.key));
  const path = publicCategoryPath(page.key);
  if (new URL(screenPath(request), origin).pathname !== path) throw redirect(path, 301);
  return data({ ...page, origin });
}

export default function PublicCategory({
  loaderData: { state, name, key, listings, categories, campuses },
}: Route.ComponentProps) {
  if (state === "unknown")
    return <UnknownList what="category" listings={listings} categories={categories} campuses={campuses} />;
  return (
    <PublicListView
      title={name}
      listings={listings}
      categories={categories}
      campuses={campuses}
      fullPath={categoryPath(key)}
      emptyTitle={`Nothing in ${name} at the moment`}
    />
  );
}

export { PublicFailure as ErrorBoundary };
