import type { Route } from "./+types/search-suggestions.ts";
import { suggest } from "#app/catalogue/search/search.server.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { servicesContext } from "#app/request/context.ts";
import { readScreen, suggestionsScreen } from "#app/screens/screen-reads.server.ts";

/** What the search box offers while someone types, as JSON. */
export async function loader(args: Route.LoaderArgs) {
  const text = tidySearchText(new URL(args.request.url).searchParams.get("q"));
  const table = await readScreen(args, suggestionsScreen);
  return Response.json(await suggest(args.context.get(servicesContext).db, text, table));
}
