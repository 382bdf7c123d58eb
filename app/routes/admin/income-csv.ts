import type { Route } from "./+types/income-csv.ts";
import { incomeTable } from "#app/admin/income/income-rules.ts";
import { openIncome } from "#app/admin/income/income.server.ts";
import { csvResponse, writeCsv } from "#app/platform/csv.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** The months of the income page as a file. */
export async function loader({ context }: Route.LoaderArgs) {
  const { months } = await openIncome(context.get(servicesContext), requireViewer(context).id);
  return csvResponse("chuoni-income.csv", writeCsv(incomeTable(months)));
}
