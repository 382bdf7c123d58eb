import { data, redirect } from "react-router";
import type { Route } from "./+types/shared-search.ts";
import { MissingSearch, SharedSearchView } from "#app/catalogue/saved/components/shared-search-view.tsx";
import { openSharedSearch } from "#app/catalogue/saved/shared-searches.server.ts";
import { sharedSearchMeta } from "#app/catalogue/saved/shared-search-meta.ts";
import { sellPath } from "#app/catalogue/selling/sell-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { MISSING_PAGE } from "#app/screens/missing-page.ts";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData?.state === "shown") return sharedSearchMeta(loaderData.looking, loaderData.url);
  return pageMeta(loaderData ? MISSING_PAGE[loaderData.state].title : "Looking for");
}

/** Asks who has what somebody looks for. Members are led to the form that lists it, and its owner to their searches. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const page = await openSharedSearch(context.get(servicesContext).db, params.shortId);
  if (page.state !== "shown") return data(page, MISSING_PAGE[page.state].status);
  const id = params.shortId.toLowerCase();
  if (viewer?.profileComplete) throw redirect(viewer.id === page.ownerId ? "/saved-searches" : sellPath(id));
  const { looking } = page;
  return data({ state: page.state, looking, id, url: `${new URL(request.url).origin}/looking-for/${id}` });
}

export default function SharedSearch({ loaderData: page }: Route.ComponentProps) {
  if (page.state !== "shown") return <MissingSearch state={page.state} listings={page.listings} />;
  return <SharedSearchView looking={page.looking} id={page.id} url={page.url} />;
}

export { PublicFailure as ErrorBoundary };
