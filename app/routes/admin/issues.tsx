import { z } from "zod";
import type { Route } from "./+types/issues.ts";
import { IssuesView } from "#app/admin/components/issues-view.tsx";
import { listIssues } from "#app/admin/issues.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/state.tsx";

export function meta() {
  return pageMeta("Issues");
}

const show = z.enum(["open", "closed"]).catch("open");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = show.parse(searchParams.get("show"));
  const after = searchParams.get("after");
  return { ...(await listIssues(context.get(servicesContext).db, filter, after)), filter, begun: after !== null };
}

export default function Issues({ loaderData }: Route.ComponentProps) {
  return <IssuesView {...loaderData} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the issue reports" />;
}
