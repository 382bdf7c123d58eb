import { data, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/seller.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadDeferred } from "#app/catalogue/browse/deferred.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { LIST_KINDS } from "#app/catalogue/browse/list-kinds.ts";
import { readListFilters, unreadablePrices } from "#app/catalogue/browse/read-list-filters.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { DeferredContent } from "#app/catalogue/browse/components/deferred-content.tsx";
import { ReportLink } from "#app/moderation/reports/report-link.tsx";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { followAction } from "#app/screens/actions/follow-action.server.ts";
import { NewestReviews } from "#app/reviews/components/newest-reviews.tsx";
import { findNewestReviews } from "#app/reviews/find-reviews.server.ts";
import type { loader as rootLoader } from "#app/root.tsx";
import { passFollow } from "#app/shops/components/follow-button.tsx";
import { SellerMissing } from "#app/shops/components/seller-missing.tsx";
import { SellerSkeleton, SellerView } from "#app/shops/components/seller-view.tsx";
import { sellerMeta } from "#app/shops/seller-meta.ts";
import { openSellerPage } from "#app/shops/shops.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData || "later" in loaderData || "failed" in loaderData) return pageMeta("Seller");
  return "missing" in loaderData ? pageMeta("Seller Not Found") : sellerMeta(loaderData, loaderData.origin);
}

/** A seller's page. Visitors see it, too. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const services = context.get(servicesContext);
  const viewerId = context.get(viewerContext)?.id ?? null;
  const { sellerId } = params;
  const [page, newestReviews] = await Promise.all([
    openSellerPage(services, {
      sellerId,
      viewerId,
      after: url.searchParams.get("after"),
      filters:
        viewerId === null ? NO_LIST_FILTERS : readListFilters(url.searchParams, LIST_KINDS.wordless, FILTER_FACTS),
    }),
    findNewestReviews(services, sellerId, viewerId),
  ]);
  return page
    ? { ...page, newestReviews, origin: url.origin, unreadable: unreadablePrices(url.searchParams) }
    : data({ missing: true as const }, 404);
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const action = (args: Route.ActionArgs) => followAction(args);

export const clientAction = (args: Route.ClientActionArgs) => passFollow(args);

export default function Seller({ loaderData, params }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  const viewer = useRouteLoaderData<typeof rootLoader>("root")?.viewer;
  const path = `/seller/${params.sellerId}`;
  return (
    <>
      <CardForms />
      <DeferredContent data={loaderData} path={path} waiting={<SellerSkeleton />} failure={<Failed />}>
        {(page) =>
          "missing" in page ? (
            <SellerMissing />
          ) : (
            <SellerView
              page={page}
              viewerId={viewer?.id ?? null}
              cardParts={cardParts}
              reviews={
                page.newestReviews.reviews.length > 0 && (
                  <NewestReviews sellerId={page.seller.id} name={page.seller.title} newest={page.newestReviews} />
                )
              }
              report={viewer?.id === params.sellerId ? undefined : <ReportLink subject="person" id={params.sellerId} />}
            />
          )
        }
      </DeferredContent>
    </>
  );
}

function Failed() {
  return <ScreenFailed title="We couldn't load this shop" />;
}

export { Failed as ErrorBoundary };
