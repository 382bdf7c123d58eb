import type { Route } from "./+types/missed-search.ts";
import { noteMissedSearch } from "#app/catalogue/types/missed-searches.server.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** The search screen tells that it found nothing. It is no part of the search, which writes nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  if (!(await services.limits.write(viewer.id))) return new Response(null, { status: 429 });
  const text = (await request.formData()).get("q");
  await noteMissedSearch(services, viewer.id, tidySearchText(typeof text === "string" ? text : null));
  return new Response(null, { status: 204 });
}
