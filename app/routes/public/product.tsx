import { data, redirect } from "react-router";
import type { Route } from "./+types/product.ts";
import { MissingProduct, PublicProductView } from "#app/catalogue/components/public-product-view.tsx";
import { productTags } from "#app/catalogue/product-data.ts";
import { findPublicProduct } from "#app/catalogue/public-product.server.ts";
import { publicProductPath } from "#app/platform/public-links.ts";
import { screenPath } from "#app/platform/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { pageTitle } from "#app/ui/page-title.ts";

const MISSING_TITLES = { gone: "No longer here", unknown: "Not found" } as const;

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData?.state === "shown") return productTags(loaderData.product, loaderData.origin);
  return [{ title: pageTitle(loaderData ? MISSING_TITLES[loaderData.state] : "Product") }];
}

/** The public page of a product. Members are led to the product's own page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const memberId = viewer?.profileComplete ? viewer.id : null;
  const { origin } = new URL(request.url);
  const page = await findPublicProduct(context.get(servicesContext), params.shortId);
  const { others } = page;
  if (page.state === "unknown") return data({ state: page.state, others, origin }, 404);
  if (page.state === "gone") {
    // On its own page, its seller reads why it is hidden.
    if (memberId === page.sellerId) throw redirect(`/product/${page.id}`);
    return data({ state: page.state, others, origin }, 410);
  }
  const { product } = page;
  if (memberId !== null) throw redirect(`/product/${product.id}`);
  const path = publicProductPath(product);
  if (new URL(screenPath(request), origin).pathname !== path) throw redirect(path, 301);
  return data({ state: page.state, product, others, origin });
}

export default function PublicProductPage({ loaderData: page }: Route.ComponentProps) {
  if (page.state !== "shown") return <MissingProduct state={page.state} others={page.others} />;
  return (
    <PublicProductView product={page.product} others={page.others} origin={page.origin}>
      {null}
    </PublicProductView>
  );
}

export { PublicFailure as ErrorBoundary };
