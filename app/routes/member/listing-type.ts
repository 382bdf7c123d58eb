import type { Route } from "./+types/listing-type.ts";
import { LISTING_MAX } from "#app/catalogue/selling/listing-form-rules.ts";
import { factOfField } from "#app/catalogue/facts/fact-field-rules.ts";
import { suggestType, typeColumns } from "#app/catalogue/types/choose-type.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { findGuideFor } from "#app/screens/price-guide/price-guide.server.ts";

/**
 * What a listing is, which facts it has, and what such a thing usually goes for, while its name is written, as JSON.
 * `all`: with the types of all categories to choose from.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const name = (searchParams.get("name") ?? "").slice(0, 2 * LISTING_MAX.name);
  const category = searchParams.get("category") ?? "";
  const services = context.get(servicesContext);
  const table = await readTypeTable(services.db);
  const all = searchParams.has("all");
  const own = searchParams.get("own") || null;
  const { type } = typeColumns({ name, category }, own, table);
  const isNew = searchParams.get("condition") === "new";
  const chosen = Object.fromEntries(
    [...searchParams].flatMap(([field, text]) => {
      const fact = factOfField(field);
      return fact === null ? [] : [[fact, text]];
    }),
  );
  const guide = type === null ? null : await findGuideFor(services, { name, type, isNew, chosen }, table);
  return Response.json({ ...suggestType({ name, category }, table, { all, own, chosen: own }), guide });
}
