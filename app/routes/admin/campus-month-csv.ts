import { data } from "react-router";
import type { Route } from "./+types/campus-month-csv.ts";
import { monthTable } from "#app/admin/operations/campus-month-rules.ts";
import { readCampusMonth } from "#app/admin/operations/campus-month.server.ts";
import { readMonth } from "#app/payments/books/seller-statement-lines.ts";
import { csvResponse, writeCsv } from "#app/platform/csv.ts";
import { monthTitle } from "#app/ui/dates.ts";
import { servicesContext } from "#app/request/context.ts";

/** A campus's month as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { searchParams } = new URL(request.url);
  const month = readMonth(searchParams.get("month"), services.now());
  const page = await readCampusMonth(services, Number(searchParams.get("campus")), month);
  if (!page) throw data(null, { status: 404 });
  const { campus, figures } = page;
  return csvResponse(`campus-${campus.id}-${month}.csv`, writeCsv(monthTable(campus.name, monthTitle(month), figures)));
}
