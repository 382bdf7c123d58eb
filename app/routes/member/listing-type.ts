import type { Route } from "./+types/listing-type.ts";
import { LISTING_MAX } from "#app/catalogue/selling/listing-form-rules.ts";
import { suggestType } from "#app/catalogue/types/choose-type.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { servicesContext } from "#app/request/context.ts";

/**
 * What a listing is, and which facts it has, while its name is written, as JSON. `all`: with the types of all
 * categories to choose from.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const name = (searchParams.get("name") ?? "").slice(0, 2 * LISTING_MAX.name);
  const category = searchParams.get("category") ?? "";
  const table = await readTypeTable(context.get(servicesContext).db);
  const all = searchParams.has("all");
  const own = searchParams.get("own") || null;
  return Response.json(suggestType({ name, category }, table, { all, own, chosen: own }));
}
