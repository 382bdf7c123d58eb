import { data } from "react-router";
import type { Route } from "./+types/seller-poster.ts";
import { shortShopPath } from "#app/public-links.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { posterLink } from "#app/screens/poster/poster-link.server.ts";
import { PosterView } from "#app/screens/poster/poster-view.tsx";
import { SellerMissing } from "#app/shops/components/seller-missing.tsx";
import { openSellerPage } from "#app/shops/shops.server.ts";
import { isNotFound } from "#app/ui/feedback/is-not-found.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

const PHOTOS = 4;

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData ? `Poster: ${loaderData.name}` : "Seller Not Found");
}

/** A shop's poster, with its newest products. Visitors see it, too, because they see the seller's page. */
export async function loader({ request, params: { sellerId }, context }: Route.LoaderArgs) {
  const viewerId = context.get(viewerContext)?.id ?? null;
  const page = await openSellerPage(context.get(servicesContext), { sellerId, viewerId, after: null });
  if (!page) throw data(null, { status: 404 });
  const images = page.products.flatMap(({ image }) => (image ? [image] : []));
  return {
    name: page.seller.publicTitle,
    campus: page.seller.campusLocation,
    // Two rows of two, or one photo alone.
    photos: images.slice(0, images.length < PHOTOS ? 1 : PHOTOS),
    link: posterLink(request, shortShopPath(sellerId)),
  };
}

export default function SellerPoster({ loaderData, params }: Route.ComponentProps) {
  return (
    <PosterView
      {...loaderData}
      price={null}
      invitation="See everything in this shop"
      back={{ to: `/seller/${params.sellerId}`, label: "Back to the shop" }}
    />
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isNotFound(error)) return <SellerMissing />;
  return <ScreenFailed title="We couldn't load the poster" />;
}
