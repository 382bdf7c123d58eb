import type { Route } from "./+types/search-suggestions.ts";
import { suggest } from "#app/catalogue/search/search.server.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { servicesContext } from "#app/request/context.ts";

/** What the search box offers while someone types, as JSON. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const text = tidySearchText(new URL(request.url).searchParams.get("q"));
  const { db } = context.get(servicesContext);
  return Response.json(await suggest(db, text, await readTypeTable(db)));
}
