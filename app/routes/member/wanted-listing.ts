import type { Route } from "./+types/wanted-listing.ts";
import { findWanted } from "#app/catalogue/saved/find-wanted.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** Who would buy the seller's own listing if it cost less, in words, as JSON. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const own = { sellerId: requireViewer(context).id, productId: params.productId };
  return Response.json({ wanted: await findWanted(context.get(servicesContext).db, own) });
}
