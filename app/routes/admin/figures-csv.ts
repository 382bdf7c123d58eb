import type { Route } from "./+types/figures-csv.ts";
import { figureTable, readFigureDays } from "#app/admin/operations/overview-rules.ts";
import { readOverview } from "#app/admin/operations/overview.server.ts";
import { csvResponse, writeCsv } from "#app/platform/csv.ts";
import { servicesContext } from "#app/request/context.ts";

/** The figures of the front page as a file, with a column for each campus. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const days = readFigureDays(new URL(request.url).searchParams.get("days"));
  const { figures, campuses } = await readOverview(context.get(servicesContext), days);
  return csvResponse(`chuoni-${days}-days.csv`, writeCsv(figureTable(figures, campuses, days)));
}
