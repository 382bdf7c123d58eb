import { redirect } from "react-router";
import type { Route } from "./+types/listing-files.ts";
import { openImportPage } from "#app/catalogue/import/import-page.server.ts";
import { writeListings, writeTemplate } from "#app/catalogue/import/listing-file.ts";
import { exportListings } from "#app/catalogue/import/own-listing-rows.server.ts";
import { csvResponse } from "#app/platform/csv.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** The files beside the import: the template, and the seller's own listings. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { id } = requireViewer(context);
  const { access } = await openImportPage(services, id);
  if (access !== "verified") throw redirect("/myshop/import");
  const part = Number(/^[1-9]\d?$/.exec(new URL(request.url).searchParams.get("part") ?? "1")?.[0] ?? 1);
  if (params.file === "template.csv") return csvResponse("chuoni-template.csv", writeTemplate());
  if (params.file === "listings.csv")
    return csvResponse("my-listings.csv", writeListings(await exportListings(services.db, id, part)));
  throw redirect("/myshop/import");
}
