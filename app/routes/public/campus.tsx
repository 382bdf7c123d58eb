import { data, redirect } from "react-router";
import type { Route } from "./+types/campus.ts";
import { PublicListView, UnknownList } from "#app/catalogue/browse/components/public-list-view.tsx";
import { publicListMeta } from "#app/catalogue/browse/public-list-meta.ts";
import { openPublicCampus } from "#app/catalogue/browse/public-lists.server.ts";
import { publicCampusPath } from "#app/public-links.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { MISSING_PAGE } from "#app/screens/missing-page.ts";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

/** No screen lists a single campus, so members are led to all of them. */
const FULL_LIST = "/studentmarketplace";

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData?.state !== "shown") return pageMeta(loaderData ? MISSING_PAGE.unknown.title : "Campus");
  const { name, origin } = loaderData;
  return publicListMeta(
    {
      title: `For sale at ${name}`,
      description: `What students and shops sell at ${name}: books, electronics, fashion and more. Pay by M-Pesa, and meet on campus.`,
      path: publicCampusPath(name),
    },
    origin,
  );
}

/** The public page of a campus. Members are led to the marketplace. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const page = await openPublicCampus(context.get(servicesContext).db, params.campus);
  if (page.state === "unknown") return data({ ...page, origin }, MISSING_PAGE.unknown.status);
  if (context.get(viewerContext)?.profileComplete) throw redirect(FULL_LIST);
  const path = publicCampusPath(page.name);
  if (new URL(screenPath(request), origin).pathname !== path) throw redirect(path, 301);
  return data({ ...page, origin });
}

export default function PublicCampus({
  loaderData: { state, name, listings, categories, campuses, protectedDeals },
}: Route.ComponentProps) {
  if (state === "unknown")
    return <UnknownList what="campus" listings={listings} categories={categories} campuses={campuses} />;
  return (
    <PublicListView
      title={`For sale at ${name}`}
      listings={listings}
      categories={categories}
      campuses={campuses}
      fullPath={FULL_LIST}
      protectedDeals={protectedDeals}
      emptyTitle={`Nothing for sale at ${name} at the moment`}
    />
  );
}

export { PublicFailure as ErrorBoundary };
