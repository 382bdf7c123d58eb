import type { Route } from "./+types/my-statement-csv.ts";
import { openSellerStatement } from "#app/payments/books/seller-statement.server.ts";
import { readMonth, statementAsCsv } from "#app/payments/books/seller-statement-lines.ts";
import { csvResponse } from "#app/platform/csv.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** A seller's statement of a month as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const month = readMonth(new URL(request.url).searchParams.get("month"), services.now());
  const { statement } = await openSellerStatement(services, { sellerId: requireViewer(context).id, month });
  return csvResponse(`statement-${month}.csv`, statementAsCsv(statement));
}
