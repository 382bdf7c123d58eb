import { data } from "react-router";
import type { Route } from "./+types/listing-figures.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { ListingFiguresView } from "#app/screens/my-shop/listing-figures.tsx";
import { readFigureDays } from "#app/upkeep/listing-days-rules.ts";
import { findFigures } from "#app/upkeep/listing-days.server.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Figures");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const days = readFigureDays(searchParams.get("days"));
  const productId = searchParams.get("listing");
  const sellerId = requireViewer(context).id;
  const figures = await findFigures(context.get(servicesContext), { sellerId, days, productId });
  // Deleted, or somebody else's.
  if (productId !== null && figures.listing === null) throw data(null, { status: 404 });
  return { days, figures };
}

export default function ListingFigures({ loaderData }: Route.ComponentProps) {
  return <ListingFiguresView {...loaderData} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your figures" />;
}
