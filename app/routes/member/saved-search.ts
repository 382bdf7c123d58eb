import { data, redirect } from "react-router";
import type { Route } from "./+types/saved-search.ts";
import { savedPath } from "#app/catalogue/saved/saved-address.ts";
import { findSavedAddress, openSavedSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { isVisit } from "#app/platform/visit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** Leads to the results of a saved search. From then on nothing in it is new. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const own = { userId: requireViewer(context).id, id: params.savedId };
  const address = await findSavedAddress(services.db, own);
  if (address === null) throw data(null, { status: 404 });
  if (isVisit(request)) services.defer(openSavedSearch(services.db, own));
  return redirect(savedPath(address));
}
