import type { Route } from "./+types/categories.ts";
import { listCategories } from "#app/catalogue/browse/browse.server.ts";
import { AllCategories } from "#app/catalogue/browse/components/all-categories.tsx";
import { servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta() {
  return pageMeta("All categories");
}

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: await listCategories(context.get(servicesContext).db) };
}

export default function Categories({ loaderData }: Route.ComponentProps) {
  return <AllCategories categories={loaderData.categories} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the categories" />;
}
