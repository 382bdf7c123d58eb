import type { Route } from "./+types/search-count.ts";
import type { ResultCount } from "#app/catalogue/browse/browse.server.ts";
import { LIST_COUNT_MAX } from "#app/catalogue/labels.ts";
import { countFound, lookUpSearch } from "#app/catalogue/search/search.server.ts";
import { readSearchAddress } from "#app/catalogue/search/search-address.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** How many listings an address with these filters finds, as JSON, before somebody asks for the list itself. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const { searchParams } = new URL(request.url);
  const { words, filters } = readSearchAddress(searchParams, viewer);
  const { db } = context.get(servicesContext);
  const { vocabulary, table } = await lookUpSearch(db, words);
  const place = { sellerId: searchParams.get("seller") || null, category: searchParams.get("category") || null };
  const count = await countFound(db, { text: words, filters, vocabulary, ...place }, table);
  return Response.json({ shown: Math.min(count, LIST_COUNT_MAX), more: count > LIST_COUNT_MAX } satisfies ResultCount);
}
