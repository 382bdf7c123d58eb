import type { Route } from "./+types/overview.ts";
import { OverviewView } from "#app/admin/operations/overview-view.tsx";
import { readFigureDays } from "#app/admin/operations/overview-rules.ts";
import { readOverview } from "#app/admin/operations/overview.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Today");
}

export function loader({ request, context }: Route.LoaderArgs) {
  return readOverview(context.get(servicesContext), readFigureDays(new URL(request.url).searchParams.get("days")));
}

export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  return <OverviewView {...loaderData} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load what waits" />;
}
