import { data } from "react-router";
import type { Route } from "./+types/product-poster.ts";
import { ProductFailure } from "#app/catalogue/product/components/product-failure.tsx";
import { publicProductName } from "#app/catalogue/browse/public-listings.server.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { shortProductPath } from "#app/public-links.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { posterLink } from "#app/screens/poster/poster-link.server.ts";
import { PosterView } from "#app/screens/poster/poster-view.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData ? `Poster: ${loaderData.name}` : "Product Not Found");
}

/** A hidden listing has no poster, because nobody could open its link. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const page = await findProductPage(context.get(servicesContext), params.productId, viewer.id);
  if (!page || page.product.hidden) throw data(null, { status: 404 });
  const { id, name, price, images, location } = page.product;
  return {
    name: publicProductName(name),
    price,
    campus: location,
    photos: images.slice(0, 1),
    link: posterLink(request, shortProductPath(id)),
  };
}

export default function ProductPoster({ loaderData, params }: Route.ComponentProps) {
  return (
    <PosterView
      {...loaderData}
      invitation="See it, ask the seller, or buy it"
      back={{ to: `/product/${params.productId}`, label: "Back to the product" }}
    />
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ProductFailure error={error} />;
}
