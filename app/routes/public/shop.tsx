import { data, redirect } from "react-router";
import type { Route } from "./+types/shop.ts";
import { publicShopPath } from "#app/public-links.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { MISSING_PAGE } from "#app/screens/missing-page.ts";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { MissingShop, PublicShopView } from "#app/shops/components/public-shop-view.tsx";
import { publicShopMeta } from "#app/shops/public-shop-meta.ts";
import { findPublicShop } from "#app/shops/public-shop.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData?.state === "shown") return publicShopMeta(loaderData.shop, loaderData.origin);
  return pageMeta(loaderData ? MISSING_PAGE[loaderData.state].title : "Shop");
}

/** The public page of a shop. Members are led to the seller's own page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const page = await findPublicShop(context.get(servicesContext), params.shortId);
  if (page.state !== "shown") return data({ ...page, origin }, MISSING_PAGE[page.state].status);
  if (context.get(viewerContext)?.profileComplete) throw redirect(`/seller/${page.shop.id}`);
  const path = publicShopPath(page.shop);
  if (new URL(screenPath(request), origin).pathname !== path) throw redirect(path, 301);
  return data({ ...page, origin });
}

export default function PublicShopPage({ loaderData: page }: Route.ComponentProps) {
  if (page.state !== "shown") return <MissingShop state={page.state} listings={page.listings} />;
  return <PublicShopView shop={page.shop} listings={page.listings} />;
}

export { PublicFailure as ErrorBoundary };
