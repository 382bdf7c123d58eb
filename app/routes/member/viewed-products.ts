import type { Route } from "./+types/viewed-products.ts";
import { findViewedProducts } from "#app/catalogue/browse/viewed-products.server.ts";
import { servicesContext } from "#app/request/context.ts";

/** The products of a browser's history as they are now, as JSON. The browser says which, and nobody keeps them. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ids = new URL(request.url).searchParams.getAll("id");
  return Response.json(await findViewedProducts(context.get(servicesContext).db, ids));
}
