import { redirect } from "react-router";
import type { Route } from "./+types/front.ts";
import { publicListMeta } from "#app/catalogue/browse/public-list-meta.ts";
import { openFrontPage } from "#app/catalogue/browse/public-lists.server.ts";
import { FRONT_PATH } from "#app/public-links.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { FRONT_TITLE, FrontView } from "#app/screens/front/front-view.tsx";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return pageMeta(FRONT_TITLE);
  const description =
    "See what students and shops sell on your campus today: books, electronics, fashion and more. Pay by M-Pesa. We hold your money until you have it.";
  return publicListMeta({ title: FRONT_TITLE, description, path: FRONT_PATH }, loaderData.origin);
}

/** The first page for visitors. Members are led to their home page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  if (context.get(viewerContext)?.profileComplete) throw redirect("/home");
  const { origin } = new URL(request.url);
  if (new URL(screenPath(request), origin).pathname !== FRONT_PATH) throw redirect(FRONT_PATH, 301);
  return { ...(await openFrontPage(context.get(servicesContext).db)), origin };
}

export default function Front({ loaderData: { campuses, categories } }: Route.ComponentProps) {
  return <FrontView campuses={campuses} categories={categories} />;
}

export { PublicFailure as ErrorBoundary };
