import type { Route } from "./+types/my-money-csv.ts";
import { readAllMoney } from "#app/payments/books/seller-money.server.ts";
import { moneyAsCsv, readMoneyState } from "#app/payments/books/seller-money-lines.ts";
import { csvResponse } from "#app/platform/csv.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** The lines of a seller's money as a file, with the same filter as the page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const filter = readMoneyState(new URL(request.url).searchParams.get("show"));
  const input = { sellerId: requireViewer(context).id, filter };
  const { lines, hasMore } = await readAllMoney(context.get(servicesContext).db, input);
  return csvResponse("my-money.csv", moneyAsCsv(lines, hasMore));
}
